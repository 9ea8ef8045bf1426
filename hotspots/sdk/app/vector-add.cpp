// Points that drift: position <- position + velocity, a step at a time.
#include <cmath>
#include <utility>

#include "device.hpp"
#include "program.hpp"

extern "C" void vector_add(int n, const float* a, const float* b, float* out STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const std::vector<float> start = varied<float>(n, 1);
  Buffer<float> position(start), moved(n), velocity(varied<float>(n, 2, -1.0 / repeats, 1.0 / repeats));
  Buffer<float>*now = &position, *next = &moved;
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) {
      vector_add(n, now->data(), velocity.data(), next->data() STREAM_ARG);
      std::swap(now, next);
    }
  });
  now->download();

  for (int i = 0; i < n; ++i) {
    const double expected = start[i] + static_cast<double>(repeats) * velocity.host[i];
    host::raise(outcome.error, std::fabs(now->host[i] - expected));
  }
  outcome.allowed = 1.2e-7 * repeats;  // positions stay below 2: half a unit in the last place each step
  outcome.work = 12e-9 * n * repeats;
  outcome.unit = "GB/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"vector-add", 1048576, 100, run};
