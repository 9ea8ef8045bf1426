// The top level of a source: which functions it defines and declares, without understanding anything else.
#pragma once

#include <string>
#include <vector>

namespace noctune {

struct OutlineItem {
  enum class Kind { function, statement };
  Kind kind = Kind::statement;
  std::string name;                 // of a function that is defined or declared; may be empty
  std::size_t begin = 0, end = 0;   // in the source, the closing '}' or ';' included
  std::size_t open = 0, close = 0;  // the parentheses of the parameter list; 0, 0 where there is none
  bool c_linkage = false;           // by itself or by an extern "C" block around it
  bool hidden = false;              // in an unnamed namespace or a class
};

struct Outline {
  std::string mask;  // code_mask() of the source
  std::vector<OutlineItem> items;
  int open_braces = 0;  // braces never closed; negative: closed too often

  // The definition of a function at file or namespace scope; null where there is none.
  const OutlineItem* definition(const std::string& name) const;
};

Outline outline_of(const std::string& source);

}  // namespace noctune
