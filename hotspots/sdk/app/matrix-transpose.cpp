// A field that is worked on by rows and by columns in turn: transposed there and back each step.
#include "device.hpp"
#include "program.hpp"

extern "C" void matrix_transpose(int rows, int cols, const float* in, float* out STREAM_PARAM);

namespace {

using host::Buffer;

host::Outcome run(long size, int repeats) {
  const int rows = static_cast<int>(size), cols = rows + rows / 2 + 1;
  const std::size_t elements = static_cast<std::size_t>(rows) * cols;
  Buffer<float> field(host::varied<float>(elements, 1, 1, 2)), turned(elements), back(elements);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) {
      matrix_transpose(rows, cols, field.data(), turned.data() STREAM_ARG);
      matrix_transpose(cols, rows, turned.data(), back.data() STREAM_ARG);
    }
  });
  turned.download();
  back.download();

  // Elements that are not where they belong: a walk along the transposed field's lines, each backwards.
  for (std::size_t at = elements; at-- > 0;) {
    const std::size_t from = at % rows * cols + at / rows;
    outcome.error += turned.host[at] != field.host[from];
    outcome.error += back.host[at] != field.host[at];
  }
  outcome.work = 16e-9 * static_cast<double>(elements) * repeats;
  outcome.unit = "GB/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"matrix-transpose", 2048, 10, run};
