// Fills buffers from the counter-based generator, in parallel with a static schedule: the first touch of a
// page is by the thread that will most likely use it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "command.hpp"
#include "joint.hpp"

namespace noctune {

struct FillSeeds {
  std::uint64_t values = 0;  // key of this parameter's values
  std::uint64_t joint = 0;   // key of the values of its data set
  std::uint64_t nudges = 0;  // key of the directions of nudges
};

// `maker`: of the argument's data set, where its contents are a part of one.
void fill_buffer(char* data, const Argument& argument, const FillSeeds& seeds, Variant variant, int threads,
                 const JointMaker* maker);
// Whether other values would make other contents.
bool depends_on_values(const FillPlan& plan, const JointMaker* maker);

// Cuts a floating-point buffer to about half of its precision.
void round_buffer(char* data, const Argument& argument, int threads);

void fill_pattern(char* data, std::size_t bytes, std::uint64_t pattern, int threads);
std::uint64_t checksum(const char* data, std::size_t bytes, int threads);

}  // namespace noctune
