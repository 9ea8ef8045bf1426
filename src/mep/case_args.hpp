// The arguments of a case: data sets and parameters once the sizes are known. Internal to resolve_case().
#pragma once

#include <vector>

#include "mep/case.hpp"
#include "mep/leaves.hpp"
#include "model/expression.hpp"

namespace noctune {

// A CSR matrix; rows are at most as long as there are columns.
struct DataShape {
  long long rows = 0, cols = 0, nnz_min = 0, nnz_max = 0, nnz = 0;
  double low = -1, high = 1;
  bool declared = false;
};

// Adds the derived counts (A.rows, A.cols, A.nnz) to the symbols.
Result<std::vector<DataShape>> resolve_data(const MepSpec& spec, Symbols& symbols, std::uint64_t seed);
Result<ArgPlan> resolve_arg(const Leaf& leaf, const MepSpec& spec, const std::vector<DataShape>& shapes,
                            const Symbols& symbols);

// The error, with the place it arose at.
Failure in_place(const Error& error, const std::string& place);

}  // namespace noctune
