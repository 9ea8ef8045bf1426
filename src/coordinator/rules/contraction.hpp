// Matrix-product-like nests: C(row, j) gets init + sum over k of A(row, k) * B(k, j), whatever the names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {

struct Contraction {
  std::vector<Statement> rows;          // outer independent loops, from outside in; bodies emptied
  Statement column, depth;              // the j and k loops; bodies emptied
  std::vector<ExprPtr> row_factors;     // of (rows, k), and what depends on neither
  std::vector<ExprPtr> column_factors;  // of (k, j)
  std::string sum;                      // the accumulating scalar
  std::string sum_type;                 // "double" or "float"
  bool subtracts = false;
  bool in_place = false;     // stores go into an array of row_factors, into the same rows only
  Statements before, after;  // around the k loop, per element
};

// Recognises a nest whose outermost loop is `id`; nothing when it has another form or may not be reordered.
std::optional<Contraction> recognise_contraction(const Work& work, const Function& function,
                                                 const std::string& id);

struct TileShape {
  int rows = 8, vectors = 3, lanes = 8;     // register tile: rows x (vectors * lanes)
  long row_block = 64, column_block = 192;  // what one task computes
};

// The code that replaces the nest; adds helper functions and headers to the program.
Statements print_contraction(Program& program, const Contraction& contraction, const TileShape& shape);

}  // namespace noctune::rules
