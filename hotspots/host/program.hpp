// The frame of a host program: a small application around one hotspot, with data of its own, a time loop, a
// figure of merit and a self-check that shares no loop with the hotspot. Each program defines `program` and
// nothing else that main needs; program.cpp holds main.
//
//   NAME [SIZE [REPEATS]]
//
// prints `key: value` lines, among them "seconds", "figure of merit" and "self-check", and exits with 0, or
// with 1 when the self-check failed, 2 when it was called wrongly, 3 when the device refused.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace host {

struct Outcome {
  double seconds = 0;  // of the whole time loop
  double work = 0;     // done in the time loop, in units of the figure of merit times seconds, e.g. Gflop
  std::string unit;    // of work per second, e.g. "Gflop/s"
  double error = 0;    // the largest that the self-check saw; not a number counts as a failure
  double allowed = 0;
};

struct Program {
  std::string name;
  long size = 0;    // customary
  int repeats = 0;  // steps of the time loop
  Outcome (*run)(long size, int repeats) = nullptr;
};

extern const Program program;

// Takes the larger one; once it is not a number, it stays so.
inline void raise(double& largest, double error) {
  if (!(error <= largest) && largest == largest) largest = error;
}

// `elements` reproducible values in [low, high), for the program's own initialisation.
template <class T>
std::vector<T> varied(std::size_t elements, std::uint64_t seed, double low = -1, double high = 1) {
  std::vector<T> values(elements);
  std::uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (T& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<T>(low + (high - low) * static_cast<double>(state >> 11) * 0x1p-53);
  }
  return values;
}

}  // namespace host
