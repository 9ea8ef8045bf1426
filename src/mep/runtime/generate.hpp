// Fills buffers from the counter-based generator, in parallel with a static schedule: the first touch of a
// page is by the thread that will most likely use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "command.hpp"

namespace noctune {

struct FillSeeds {
  std::uint64_t values = 0;     // key of this parameter's values
  std::uint64_t structure = 0;  // key of its data set's structure
  std::uint64_t nudges = 0;     // key of the directions of nudges
};

void fill_buffer(char* data, const Argument& argument, const FillSeeds& seeds, Variant variant, int threads,
                 const std::vector<std::uint64_t>& row_offsets);
// The start of each CSR row, rows + 1 numbers.
std::vector<std::uint64_t> csr_row_offsets(const FillPlan& plan, std::uint64_t structure_key);
// Whether other values would make other contents.
bool depends_on_values(Fill kind);

// Cuts a floating-point buffer to about half of its precision.
void round_buffer(char* data, const Argument& argument, int threads);

void fill_pattern(char* data, std::size_t bytes, std::uint64_t pattern, int threads);
std::uint64_t checksum(const char* data, std::size_t bytes, int threads);

}  // namespace noctune
