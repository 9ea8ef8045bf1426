// C++ source as a plain tree, read through libclang's C interface.
// Positions are byte offsets into the source text; nodes that come from a macro carry the expansion's
// position.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

enum class AstKind {
  function,
  parameter,
  compound,
  declaration,
  variable,
  for_loop,
  branch,
  return_statement,
  empty,
  binary,
  compound_assignment,
  unary,
  reference,
  integer,
  floating,
  subscript,
  call,
  parenthesis,
  implicit,
  conditional,
  cast,
  directive,
  other
};

struct AstNode {
  AstKind kind = AstKind::other;
  std::string name;  // declared or referenced name; of a call, its callee
  std::string type;  // canonical, for example "const double *"
  std::size_t begin = 0, end = 0;
  bool in_source = false;       // false: written in a header
  bool c_linkage = false;       // functions only
  bool internal = false;        // functions only: static or in an unnamed namespace
  bool has_value = false;       // variables only: initialised
  std::size_t declared_at = 0;  // references: offset of what they name; 0 when that is not in the source
  std::vector<AstNode> children;
};

struct AstRequest {
  std::string source;
  std::string context;             // text put in front by -include; may be empty
  std::vector<std::string> flags;  // of the real compiler; what libclang does not know is left out
};

struct AstUnit {
  std::vector<AstNode> functions;   // definitions in the source itself, in order
  std::vector<std::string> errors;  // "line:column: message"
  int vector_bytes = 16;            // widest vectors that the flags allow
};

// Fails only when libclang cannot make a tree at all; errors in the source are listed in the unit.
Result<AstUnit> parse_cpp(const AstRequest& request);

}  // namespace noctune
