// A few numbers that stand for an output: its sum with random signs, its sum of squares, and a hash of what
// is no finite number. Two outputs that differ by an error e have sums that differ by about |e| in the 2-norm
// (each sign is +-1 with equal chance), so a wrong output shows in its sketch, and the outputs of every timed
// call can be judged without keeping them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "both.hpp"
#include "command.hpp"

namespace noctune {

struct Sketch {
  double sum = 0, squares = 0;
  std::uint64_t bits = 0;  // of integers: all there is

  NOCTUNE_BOTH void add(const Sketch& other) {
    sum += other.sum;
    squares += other.squares;
    bits += other.bits;
  }
};

// Adds a buffer to a sketch. The signs follow from the key.
void sketch_buffer(const char* data, const Argument& argument, std::uint64_t key, int threads, Sketch& out);

}  // namespace noctune
