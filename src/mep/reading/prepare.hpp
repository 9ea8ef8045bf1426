// Directives and comments taken out of a source: what is left has the same length and lines, so that offsets
// stay those of the source.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/source_facts.hpp"

namespace noctune::reading {

struct Comment {
  std::string text;  // without its marks; neighbouring line comments are one
  TextRange where;
};

struct Macro {
  std::vector<std::string> params;
  bool function_like = false, variadic = false;
  std::string value;
};

using Macros = std::map<std::string, Macro>;

struct Prepared {
  std::string text;  // comments, directives (pragmas stay) and branches not taken are blanks
  std::vector<Comment> comments;
  std::vector<SourceMacro> listed;  // in order
  Macros macros;  // the last definition of each name, also where #undef follows, and the defines
  std::vector<std::string> includes;
};

// Of a group of #ifdefs of which none holds and which has no #else, nothing is kept, unless
// `keep_first_of_undefined`: then its first branch.
Prepared prepare(const std::string& source, const std::map<std::string, std::string>& defines,
                 bool keep_first_of_undefined);

}  // namespace noctune::reading
