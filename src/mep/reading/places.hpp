// Where a pointer expression points to: which parameter or symbol, and how far into it.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/source_facts.hpp"

namespace noctune::reading {

struct Place {
  std::string array;   // "x", "atom.x"
  std::string prefix;  // subscripts that are fixed: "i][j"
  std::string offset;  // added to the next subscript; empty = 0
  std::string member;
  std::string base;  // element type of the array
  std::string view;  // type that the pointer has where it is used; empty = base
  int dims = 1;      // subscripts that are missing until an element is reached
  bool read_only = false;
  bool unclear = false;  // the offset changes on the way

  void subscript(const std::string& index);
  void move(const std::string& by);  // the pointer plus `by`
  std::string index() const;         // of the element
};

// What a name stands for inside a function.
struct Binding {
  std::vector<Place> places;  // of a pointer or a reference to an element; empty for values
  bool pointer = false;
  bool record = false;  // a struct by value or reference: its members are reached by '.'
  bool assigned = false;
  bool loop_variable = false;
  std::string base;
  std::size_t local = static_cast<std::size_t>(-1);  // in SourceFunction::locals
  int loop_depth = 0;
};

class Scopes {
 public:
  void enter() { levels_.emplace_back(); }
  void leave();
  void declare(const std::string& name, Binding binding);
  Binding* find(const std::string& name);

 private:
  std::unordered_map<std::string, std::vector<Binding>> names_;
  std::vector<std::vector<std::string>> levels_;
};

// In parentheses where an operator of lower rank than '+' stands in it.
std::string as_term(const std::string& text);
// "n + 1" for ("n", 1); a number at the end is counted in.
std::string plus(const std::string& text, int number);
// The names of `values` replaced in an expression, in parentheses where that matters.
std::string replace_names(const std::string& text, const std::map<std::string, std::string>& values);

}  // namespace noctune::reading
