// One declaration, "static const float* __restrict__ x = y, z[4]", taken apart.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "mep/reading/tokens.hpp"

namespace noctune::reading {

struct Declarator {
  std::string name;
  std::string type;  // whole, without name and storage words
  int pointers = 0;  // stars, and one for a pointer to an array
  bool reference = false;
  bool pointer_to_array = false;
  std::vector<std::string> extents;
  Span initial;              // behind '=' or within (...) or {...}
  std::size_t position = 0;  // of the name; of the type where there is none
  // Subscripts until an element is reached.
  int dims() const { return pointers + static_cast<int>(extents.size()); }
};

struct Declaration {
  std::set<std::string> words;  // storage words and attributes: "static", "__shared__", "__launch_bounds__"
  std::string launch_bounds;
  std::string base;  // "unsigned int", "Domain", "vec<float, 3>"
  bool is_const = false;
  std::vector<std::string> base_names;  // the names in the base, template arguments too
  std::vector<Declarator> declarators;
};

// Of one declaration without its ';'. For a parameter no initial value is written in parentheses.
Declaration read_declaration(const Tokens& tokens, Span span);
// Only the specifiers; `at` is the first token behind them.
Declaration read_specifiers(const Tokens& tokens, Span span, std::size_t& at);
SourceParam param_of(const Declaration& declaration, bool array_counts_as_pointer);

}  // namespace noctune::reading
