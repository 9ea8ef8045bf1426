#include "coordinator/rules/program.hpp"

#include <algorithm>
#include <cctype>

#include "coordinator/rules/reader.hpp"

namespace noctune::rules {
namespace {

const std::set<std::string>& math_functions() {
  static const std::set<std::string> names = {
      "sqrt",      "std::sqrt", "sqrtf",     "exp",      "std::exp",  "expf", "log",       "std::log",
      "logf",      "fabs",      "std::fabs", "std::abs", "fabsf",     "fmax", "std::fmax", "fmin",
      "std::fmin", "sin",       "std::sin",  "cos",      "std::cos",  "pow",  "std::pow",  "cbrt",
      "std::cbrt", "tanh",      "std::tanh", "floor",    "std::floor"};
  return names;
}

bool has_directive(const std::string& text) {
  bool line_start = true;
  for (const char c : text) {
    if (line_start && c == '#') return true;
    if (c == '\n')
      line_start = true;
    else if (!std::isspace(static_cast<unsigned char>(c)))
      line_start = false;
  }
  return false;
}

// One return of an expression over by-value parameters.
bool is_pure(const std::string& source, const AstNode& function) {
  for (const AstNode& child : function.children) {
    if (child.kind == AstKind::parameter && !is_floating(child.type) && !is_integer(child.type)) return false;
    if (child.kind != AstKind::compound) continue;
    if (child.children.size() != 1 || child.children[0].kind != AstKind::return_statement) return false;
    const AstNode& result = child.children[0];
    const ExprPtr value = result.children.size() == 1 ? read_expression(source, result.children[0]) : nullptr;
    if (!value || reads_memory(value)) return false;
    bool calls = false;
    visit(value, [&](const Expr& part) {
      calls |= part.kind == ExprKind::call && !math_functions().count(part.text);
    });
    return !calls;
  }
  return false;
}

// A reference may name an element of any buffer.
bool has_references(const Function& function) {
  return std::any_of(function.params.begin(), function.params.end(),
                     [](const Parameter& param) { return param.type.find('&') != std::string::npos; });
}

// A mark above what is no loop for the rules would be lost.
bool reads_all_marks(const Program& program, const Function& function) {
  std::ptrdiff_t read = 0;
  visit(function.body, [&](const Statement& statement) { read += statement.threaded; });
  return read == std::count_if(program.sequential.marks.begin(), program.sequential.marks.end(),
                               [&](std::size_t mark) {
                                 return mark >= function.body_begin && mark < function.body_end;
                               });
}

Function read_function(Program& program, const AstNode& node) {
  Function function;
  function.name = node.name;
  function.internal = node.internal;
  function.begin = node.begin;
  function.end = node.end;
  for (const AstNode& child : node.children) {
    if (child.kind == AstKind::parameter) function.params.push_back({child.name, child.type});
    if (child.kind != AstKind::compound) continue;
    function.body_begin = child.begin + 1;
    function.body_end = child.end - 1;
    function.understood =
        !has_references(function) &&
        !has_directive(slice(program.sequential.text, function.body_begin, function.body_end));
    if (function.understood) function.body = settled(read_body(program, child));
    function.understood = function.understood && reads_all_marks(program, function);
    if (!function.understood) function.body.clear();
  }
  return function;
}

// Reads a count such as "n*(n+1)" over sizes as an expression over the entry's by-value parameters.
class CountReader {
 public:
  CountReader(const std::string& text, const Function& entry, const MepSpec& spec)
      : text_(text), entry_(entry), spec_(spec) {}

  ExprPtr whole() {
    const ExprPtr result = sum();
    return result && at_ == text_.size() ? result : nullptr;
  }

 private:
  char next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  ExprPtr sum() {
    ExprPtr left = product();
    while (left && (next() == '+' || next() == '-')) {
      const std::string op(1, text_[at_++]);
      const ExprPtr right = product();
      left = right ? binary(op, left, right) : nullptr;
    }
    return left;
  }

  ExprPtr product() {
    ExprPtr left = atom();
    while (left && next() == '*') {
      ++at_;
      const ExprPtr right = atom();
      left = right ? binary("*", left, right) : nullptr;
    }
    return left;
  }

  ExprPtr atom() {
    if (next() == '(') {
      ++at_;
      const ExprPtr inner = sum();
      return inner && next() == ')' ? (++at_, inner) : nullptr;
    }
    std::string word;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      word += text_[at_++];
    if (word.empty()) return {};
    if (std::isdigit(static_cast<unsigned char>(word[0]))) return literal(word, "int");
    for (std::size_t p = 0; p < spec_.params.size() && p < entry_.params.size(); ++p)
      if (spec_.params[p].value == word && is_integer(entry_.params[p].type))
        return variable(entry_.params[p].name, plain_type(entry_.params[p].type));
    return {};
  }

  const std::string& text_;
  const Function& entry_;
  const MepSpec& spec_;
  std::size_t at_ = 0;
};

void use_spec(Program& program, const RuleContext& context) {
  Function* entry = program.find(program.entry);
  const MepSpec& spec = context.spec;
  entry->distinct = !spec.params.empty();
  for (std::size_t i = 0; i < spec.params.size() && i < entry->params.size(); ++i) {
    const ParamSpec& param = spec.params[i];
    const std::string& name = entry->params[i].name;
    if (param.is_pointer()) {
      if (const ExprPtr extent = CountReader(param.count, *entry, spec).whole())
        program.extents[name] = extent;
      if (param.role == Role::scratch || !param.live_out) program.dead_buffers.insert(name);
    } else if (!param.value) {
      continue;  // a struct
    } else if (const auto size = context.sizes.find(*param.value); size != context.sizes.end()) {
      program.values[name] = size->second;
    }
  }
}

// Only the entry and what is named after it are called from outside: other functions are helpers, static or
// not.
void mark_helpers(Program& program) {
  for (Function& function : program.functions)
    if (function.name.rfind(program.entry, 0) != 0) function.internal = true;
}

// A helper's pointers are distinct when every call passes distinct buffers of a function where that holds.
void mark_distinct(Program& program) {
  for (std::size_t round = 0; round < program.functions.size(); ++round)
    for (Function& helper : program.functions) {
      if (!helper.internal || helper.distinct) continue;
      int good = 0, bad = 0;
      for (const Function& caller : program.functions) {
        if (!caller.understood)
          bad += slice(program.source, caller.body_begin, caller.body_end).find(helper.name) !=
                 std::string::npos;
        visit(caller.body, [&](const Statement& statement) {
          if (!statement.opaque) return;
          if (!statement.value || statement.value->kind != ExprKind::call ||
              statement.value->text != helper.name) {
            bad += statement.text.find(helper.name) != std::string::npos;
            return;
          }
          std::set<std::string> seen;
          bool fine = caller.distinct;
          for (const ExprPtr& arg : statement.value->args)
            if (arg->type.find('*') != std::string::npos)
              fine &= arg->kind == ExprKind::variable && seen.insert(arg->text).second;
          (fine ? good : bad) += 1;
        });
      }
      helper.distinct = good > 0 && bad == 0;
    }
}

std::string restricted(const std::string& head, const Function& function) {
  std::string text = head;
  for (const Parameter& param : function.params) {
    if (element_of(param.type).empty() || param.type.find("restrict") != std::string::npos) continue;
    // The parameter's name behind a star.
    for (std::size_t at = find_word(text, param.name, 0); at != std::string::npos;
         at = find_word(text, param.name, at + 1)) {
      std::size_t star = at;
      while (star > 0 && std::isspace(static_cast<unsigned char>(text[star - 1]))) --star;
      if (star == 0 || text[star - 1] != '*') continue;
      text.insert(at, (star == at ? std::string(" ") : std::string()) + "__restrict__ ");
      break;
    }
  }
  return text;
}

std::string missing_headers(const Program& program) {
  std::string text;
  for (const std::string& header : program.headers)
    if (program.source.find("#include <" + header + ">") == std::string::npos)
      text += "#include <" + header + ">\n";
  return text.empty() ? text : text + "\n";
}

// The start of the comment block that stands right above the position, so that helpers go above it.
std::size_t above_comments(const std::string& source, std::size_t position) {
  std::size_t start = source.rfind('\n', position == 0 ? 0 : position - 1);
  start = start == std::string::npos ? 0 : start + 1;
  while (start > 1) {
    const std::size_t before = source.rfind('\n', start - 2);
    const std::size_t line = before == std::string::npos ? 0 : before + 1;
    if (source.compare(line, 2, "//") != 0) break;
    start = line;
  }
  return start;
}

}  // namespace

Function* Program::find(const std::string& name) {
  for (Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

Result<Program> read_program(const RuleContext& context, int& vector_bytes) {
  SequentialSource sequential = without_thread_marks(context.source);
  const auto unit = parse_cpp({sequential.text, context.context, context.flags});
  if (!unit) return Failure(unit.error());
  if (!unit->errors.empty()) return fail("the source cannot be parsed", unit->errors.front());
  vector_bytes = std::max(vector_bytes, unit->vector_bytes);
  Program program;
  program.source = context.source;
  program.sequential = std::move(sequential);
  program.entry = context.entry;
  program.pure_calls = math_functions();
  for (const AstNode& node : unit->functions)
    if (is_pure(program.source, node)) program.pure_calls.insert(node.name);
  for (const AstNode& node : unit->functions) program.functions.push_back(read_function(program, node));
  if (!program.find(context.entry)) return fail("the source defines no function " + context.entry);
  use_spec(program, context);
  mark_helpers(program);
  mark_distinct(program);
  return program;
}

std::string print_program(const Program& program) {
  std::vector<const Function*> order;
  for (const Function& function : program.functions)
    if (function.changed || function.restrict_params || function.removed) order.push_back(&function);
  std::sort(order.begin(), order.end(),
            [](const Function* a, const Function* b) { return a->begin < b->begin; });
  if (order.empty()) return program.source;
  const std::string& source = program.source;
  std::string out = missing_headers(program);
  const auto kept = std::find_if(order.begin(), order.end(), [](const Function* f) { return !f->removed; });
  const Function* first = kept == order.end() ? nullptr : *kept;
  std::size_t at = 0;
  for (const Function* function : order) {
    std::size_t start = function->begin;
    if (function->removed || function == first) start = above_comments(source, function->begin);
    // What opens the file speaks of all of it and stays when the first helper goes.
    if (function->removed && start == 0) start = function->begin;
    out += slice(source, at, start);
    if (function == first)
      for (const std::string& helper : program.helpers) out += helper + "\n";
    at = function->end;
    if (function->removed) {
      while (at < source.size() && source[at] == '\n') ++at;
      continue;
    }
    const std::string head = slice(source, start, function->body_begin);
    out += function->restrict_params ? restricted(head, *function) : head;
    if (function->changed)
      out += "\n" + print(function->body, 2);
    else
      out += slice(source, function->body_begin, function->body_end);
    out += "}";
  }
  return out + slice(source, at, source.size());
}

std::string fresh_name(const Program& program, const std::string& stem) {
  const auto taken = [&](const std::string& name) {
    if (contains_word(program.source, name)) return true;
    for (const std::string& helper : program.helpers)
      if (contains_word(helper, name)) return true;
    for (const Function& function : program.functions)
      if (declared_names(function.body).count(name)) return true;
    return false;
  };
  if (!taken(stem)) return stem;
  for (int i = 2;; ++i)
    if (const std::string name = stem + std::to_string(i); !taken(name)) return name;
}

}  // namespace noctune::rules
