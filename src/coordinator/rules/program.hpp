// A source file with the bodies of its functions as statements, and the way back to text.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "coordinator/rules/rule_book.hpp"
#include "coordinator/rules/statement.hpp"
#include "coordinator/rules/thread_marks.hpp"

namespace noctune::rules {

struct Parameter {
  std::string name, type;
};

struct Function {
  std::string name;
  bool internal = false;
  bool kernel = false;  // runs on a GPU, launched from a host function
  std::vector<Parameter> params;
  std::size_t begin = 0, end = 0;            // of the definition in the source
  std::size_t body_begin = 0, body_end = 0;  // of its braces' content
  bool understood = false;                   // the body is `body`; else it stays as it is
  bool distinct = false;                     // its pointer parameters never overlap
  bool removed = false;                      // every call was inlined
  bool changed = false;
  bool restrict_params = false;
  Statements body;
};

struct Program {
  std::string source;
  SequentialSource sequential;  // what is read of it
  std::vector<Function> functions;
  std::string entry;
  std::set<std::string> headers;     // "omp.h", added above when missing
  std::vector<std::string> helpers;  // file-level text put before the first changed function
  // Of the entry's buffers: number of elements as an expression over its parameters, where the spec tells.
  std::map<std::string, ExprPtr> extents;
  std::set<std::string> dead_buffers;       // scratch, or not live out: nobody reads them afterwards
  std::map<std::string, long long> values;  // of by-value integer parameters in the timed case
  std::set<std::string> pure_calls;         // functions without side effects
  std::set<std::string> temporaries;        // arrays that rules allocated; they overlap nothing
  std::map<std::string, int> id_uses;       // of loop ids, by counter

  Function* find(const std::string& name);
  const Function* find(const std::string& name) const { return const_cast<Program*>(this)->find(name); }
};

Result<Program> read_program(const RuleContext& context, int& vector_bytes);

// The whole file again; unchanged functions keep their text.
std::string print_program(const Program& program);

// A name that the program does not use yet, built from `stem`.
std::string fresh_name(const Program& program, const std::string& stem);

}  // namespace noctune::rules
