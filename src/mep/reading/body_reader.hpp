// Reads what a function's body (or a snippet of host code) does: accesses, loops, locals, guards, launches.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "mep/reading/declarators.hpp"
#include "mep/reading/places.hpp"
#include "mep/reading/tokens.hpp"
#include "model/source_facts.hpp"

namespace noctune::reading {

// The file's names as bodies see them.
struct FileNames {
  explicit FileNames(const SourceFacts& facts);
  const SourceStruct* struct_of(const std::string& type) const;  // through typedefs
  const SourceField* field(const std::string& type, const std::string& name) const;
  const SourceFunction* function(const std::string& name) const;
  std::string resolved(const std::string& type) const;  // through typedefs and macros

  std::map<std::string, const SourceStruct*> structs;
  std::map<std::string, const SourceSymbol*> symbols;
  std::map<std::string, std::string> aliases;
  std::map<std::string, std::size_t> functions;
  const SourceFacts* facts;
};

// A call that hands pointers to a function of the file.
struct PointerCall {
  std::size_t caller = 0;
  std::string callee;
  std::vector<std::string> args;
  std::vector<std::pair<std::size_t, Place>> pointers;  // argument, what it points to
  int loop_depth = 0;
  std::string guard;
  TextRange where;
};

class BodyReader {
 public:
  struct Options {
    bool calls_are_launches = false;  // of host functions, in OpenMP and C++ sources
    bool in_comment = false, in_snippet = false;
    std::string enclosing;
  };

  BodyReader(const Tokens& tokens, const FileNames& names, SourceFunction& out, Options options);

  void bind_params(const std::vector<int>& dims);
  void read(Span body);

  std::vector<SourceLaunch> launches;
  std::vector<PointerCall> pointer_calls;
  // Dimensions set one by one: grid.x = ...
  const std::map<std::string, std::map<char, std::string>>& dims() const { return dims_; }

 private:
  struct Frame {
    enum class Kind { block, condition, otherwise, loop, do_loop, other };
    Kind kind = Kind::block;
    std::size_t close = nowhere;  // of a block
    std::string guard;            // of a condition
    bool guards = false, loops = false;
  };
  struct Chain {
    std::vector<Place> places;
    std::size_t end = 0;
    bool found = false;
    bool element() const { return found && !places.empty() && places.front().dims == 0; }
    bool pointer() const { return found && !places.empty() && places.front().dims > 0; }
  };
  using Kind = SourceAccess::Kind;

  // Statements (body_statements.cpp)
  std::size_t statement(std::size_t at);
  std::size_t control(std::size_t at);
  std::size_t condition(std::size_t at);
  std::size_t jump(std::size_t at);
  std::size_t simple(std::size_t at);
  std::size_t statement_end(std::size_t at) const;
  std::size_t finish(std::size_t next);
  std::size_t finish_do(std::size_t next);
  std::size_t close_block(std::size_t at);
  bool returns_at_once(std::size_t at) const;
  void pragma(std::size_t at);
  void push(Frame frame);
  void pop();
  void add_guard(const std::string& text);

  // Loops (body_loops.cpp)
  std::size_t for_loop(std::size_t at);
  std::size_t while_loop(std::size_t at);
  void loop_header(Span span, SourceLoop& loop);
  void range_header(Span span, std::size_t colon, SourceLoop& loop);
  void loop_start(Span span, SourceLoop& loop);
  void push_loop(SourceLoop loop, std::size_t at);

  // Declarations (body_declarations.cpp)
  bool is_declaration(Span span);
  void declaration(Span span, bool of_loop);
  void declare(const Declaration& declaration, const Declarator& declarator, bool of_loop);
  void declare_shared(const Declaration& declaration, const Declarator& declarator);
  Binding binding_of(const Declaration& declaration, const Declarator& declarator);

  // Expressions (body_expressions.cpp)
  void expression(Span span);
  std::size_t name(std::size_t at, std::size_t end);
  std::size_t qualified(std::size_t at);
  void free_name(std::size_t at);
  void local_use(std::size_t at, Binding& binding, std::size_t end);
  void assign_pointer(Binding& binding, std::size_t at, std::size_t end);
  void note_call(const std::string& name);
  bool launch_at(std::size_t at);
  bool macro_launch(std::size_t at, std::size_t open);
  void add_launch(SourceLaunch launch, Span where);

  // Calls (body_calls.cpp)
  void call(const std::string& name, std::size_t open, Span where);
  void pointer_argument(const std::string& name, std::size_t index, const std::vector<Place>& places,
                        std::size_t open, Span where, PointerCall& record);
  void element_argument(const std::string& name, std::size_t index, Span argument);

  // Pointers (body_pointers.cpp)
  Chain chain(std::size_t at, bool quiet);
  bool chain_member(Chain& chain, bool& record, std::size_t& at, bool quiet);
  bool record_member(Place& place, const std::string& member, std::size_t next, bool& record);
  std::vector<Place> roots(std::size_t at, bool& record);
  std::vector<Place> pointer_value(Span span, int depth);
  std::vector<Place> sum_value(Span span, int depth);
  std::vector<Place> cast_value(Span span, int depth);
  bool is_cast(std::size_t open) const;

  // Accesses (body_accesses.cpp)
  void dereference(std::size_t at, std::size_t end);
  void grouped_subscript(std::size_t at);
  Kind kind_at(std::size_t begin, std::size_t end) const;
  bool is_unary(std::size_t at) const;
  void emit(const std::vector<Place>& places, Kind kind, Span where, const std::string& callee = "");

  const Tokens& tokens_;
  const FileNames& names_;
  SourceFunction& out_;
  Options options_;
  Scopes scopes_;
  std::vector<Frame> frames_;
  std::vector<std::string> guards_;
  std::vector<SourceLoop> loops_;        // around the place that is read
  std::vector<std::size_t> loop_index_;  // of each in out_.loops
  std::set<std::string> seen_names_, seen_calls_;
  std::unordered_map<std::size_t, Kind> overrides_;  // by the token that starts a chain
  std::map<std::string, std::map<char, std::string>> dims_;
  std::size_t end_ = 0;
  int atomic_ = 0;  // statements that an omp atomic covers
};

}  // namespace noctune::reading
