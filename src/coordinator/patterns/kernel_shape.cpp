// A feature that is found is certain; one that is not found is absent only where nothing is opaque. Strides
// and neighbours are read off subscripts as polynomials over counters and sizes, as in the rules.
#include "coordinator/patterns/kernel_shape.hpp"

#include <algorithm>
#include <cctype>

#include "coordinator/patterns/reductions.hpp"
#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune {
namespace {

using namespace rules;

// Elements between two reads from which on each is a cache line, or more, of its own.
constexpr long long long_stride = 16;

// --- text ---

std::size_t end_of_directive(const std::string& source, std::size_t at) {
  for (;; ++at) {
    at = std::min(source.find('\n', at), source.size());
    if (at == source.size() || source[at - 1] != '\\') return at;
  }
}

// Calls `action(begin, end)` for every pragma line, continuations included.
template <class Action>
void each_pragma(const std::string& source, Action action) {
  for (std::size_t line = 0; line < source.size();) {
    const std::size_t hash = source.find_first_not_of(" \t", line);
    std::size_t end = std::min(source.find('\n', line), source.size());
    if (hash != std::string::npos && source[hash] == '#') {
      const std::size_t word = source.find_first_not_of(" \t", hash + 1);
      end = end_of_directive(source, hash + 1);
      if (word != std::string::npos && source.compare(word, 6, "pragma") == 0) action(line, end);
    }
    line = end + 1;
  }
}

// --- expressions ---

bool is_costly_call(const std::string& callee) {
  static const std::set<std::string> names = {"sqrt", "rsqrt", "cbrt", "exp",   "exp2",  "expm1", "log",
                                              "log2", "log10", "pow",  "sin",   "cos",   "tan",   "sinh",
                                              "cosh", "tanh",  "asin", "acos",  "atan",  "atan2", "hypot",
                                              "erf",  "erfc",  "fmod", "log1p", "tgamma"};
  std::string name = callee.substr(callee.rfind(':') == std::string::npos ? 0 : callee.rfind(':') + 1);
  if (names.count(name)) return true;
  return !name.empty() && name.back() == 'f' && names.count(name.substr(0, name.size() - 1));
}

// A helper of one expression counts as what it calls.
bool calls_math_in(const Program& program, const Expr& part) {
  if (part.kind != ExprKind::call) return false;
  if (is_costly_call(part.text)) return true;
  const Function* helper = program.find(part.text);
  if (!helper) return false;
  const std::string body = program.source.substr(helper->body_begin, helper->body_end - helper->body_begin);
  for (const char* name : {"sqrt", "exp", "log", "pow", "sin", "cos", "tanh", "sqrtf", "expf"})
    if (contains_word(body, name)) return true;
  return false;
}

void look_at_expressions(const Program& program, const Statements& inside_loop, KernelShape& shape) {
  visit_expressions(inside_loop, [&](const ExprPtr& expr) {
    visit(expr, [&](const Expr& part) {
      shape.branches |= part.kind == ExprKind::select;
      shape.calls_math |= calls_math_in(program, part);
    });
  });
  visit(inside_loop,
        [&](const Statement& statement) { shape.branches |= statement.kind == StatementKind::branch; });
}

// --- subscripts ---

// Integers that come from an array, and so do subscripts that use them.
bool is_indirect(const ExprPtr& expr, const std::set<std::string>& loaded) {
  if (!expr) return false;
  return reads_memory(expr) || std::any_of(loaded.begin(), loaded.end(),
                                           [&](const std::string& name) { return mentions(expr, name); });
}

std::set<std::string> loaded_integers(const Statements& statements) {
  std::set<std::string> loaded;
  visit(statements, [&](const Statement& statement) {
    if (statement.kind == StatementKind::declare && is_integer(statement.type) && statement.value &&
        is_indirect(statement.value, loaded))
      loaded.insert(statement.name);
  });
  return loaded;
}

std::optional<Polynomial> step_of(const Access& access, const Statement& loop) {
  const auto stride = stride_in(access.subscript, loop.name);
  return stride ? std::optional(*stride * Polynomial::constant(loop.step)) : std::nullopt;
}

bool is_zero(const Polynomial& value) {
  return value.terms().empty();
}

bool is_long(const Polynomial& step) {
  const auto constant = step.as_constant();
  return constant ? std::abs(*constant) >= long_stride : true;
}

bool strides(const Access& access) {
  if (access.loops.empty() || !is_innermost(*access.loops.back())) return false;
  const auto step = step_of(access, *access.loops.back());
  return step && is_long(*step);
}

// value = whole * factor for an integer that is not zero.
bool is_multiple(const Polynomial& value, const Polynomial& factor) {
  if (is_zero(value) || is_zero(factor)) return false;
  const auto& [monomial, coefficient] = *factor.terms().begin();
  const auto same = value.terms().find(monomial);
  if (same == value.terms().end() || same->second % coefficient != 0) return false;
  return value == Polynomial::constant(same->second / coefficient) * factor;
}

bool are_neighbours(const Access& a, const Access& b) {
  if (a.array != b.array || a.loops != b.loops) return false;
  const auto first = polynomial_of(a.subscript), second = polynomial_of(b.subscript);
  if (!first || !second || *first == *second) return false;
  return std::any_of(a.loops.begin(), a.loops.end(), [&](const Statement* loop) {
    const auto step = step_of(a, *loop);
    return step && is_multiple(*first - *second, *step);
  });
}

// image[(y + dy) * width + x]: loops over y and dy step alike.
bool slides(const Access& access) {
  for (std::size_t i = 0; i < access.loops.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const auto one = step_of(access, *access.loops[i]), other = step_of(access, *access.loops[k]);
      if (one && other && !is_zero(*one) && *one == *other) return true;
    }
  return false;
}

// Arrays that only say where things are: read in bounds, in subscripts, or as integers where there are
// floating-point numbers to work on.
bool holds_data(const Access& access, bool any_floating, const std::map<std::string, bool>& floating) {
  const auto found = floating.find(access.array);
  return access.statement->kind != StatementKind::loop &&
         (!any_floating || found == floating.end() || found->second);
}

std::vector<Access> data_reads(const Program& program, const std::vector<Access>& accesses) {
  std::map<std::string, bool> floating;
  bool any = false;
  for (const Function& function : program.functions)
    for (const Parameter& param : function.params)
      if (const std::string element = element_of(param.type); !element.empty())
        any |= floating[param.name] = rules::is_floating(plain_type(element));
  std::vector<Access> reads;
  for (const Access& access : accesses)
    if (!access.write && !access.loops.empty() && holds_data(access, any, floating)) reads.push_back(access);
  return reads;
}

bool has_neighbours(const std::vector<Access>& reads) {
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (slides(reads[i])) return true;
    for (std::size_t k = 0; k < i; ++k)
      if (are_neighbours(reads[i], reads[k])) return true;
  }
  return false;
}

// --- loops ---

int depth_of(const Statements& statements) {
  int deepest = 0;
  for (const Statement& statement : statements) {
    const int inside = std::max(depth_of(statement.body), depth_of(statement.otherwise));
    deepest = std::max(deepest, inside + (statement.kind == StatementKind::loop));
  }
  return deepest;
}

bool hides_loops(const Statements& statements) {
  bool found = false;
  visit(statements, [&](const Statement& statement) {
    if (statement.kind != StatementKind::text) return;
    for (const char* word : {"for", "while", "do", "goto"}) found |= contains_word(statement.text, word);
  });
  return found;
}

void look_at_loops(const Program& program, const Statements& body, KernelShape& shape) {
  const std::set<std::string> loaded = loaded_integers(body);
  visit(body, [&](const Statement& statement) {
    if (statement.kind != StatementKind::loop) return;
    shape.indirect |= is_indirect(statement.lower, loaded) || is_indirect(statement.upper, loaded);
    look_at_expressions(program, statement.body, shape);
  });
  const std::vector<Access> accesses = accesses_of(body, {});
  for (const Access& access : accesses) {
    shape.indirect |= is_indirect(access.subscript, loaded);
    shape.transposed |= strides(access);
  }
  shape.stencil |= has_neighbours(data_reads(program, accesses));
  shape.reduction |= has_reduction(body, loaded);
}

}  // namespace

KernelShape shape_of(Program program) {
  Work work;
  work.program = std::move(program);
  inline_helpers(work, Step{"inline", "", {}});
  KernelShape shape;
  shape.whole = true;
  bool hidden = false;
  for (const Function& function : work.program.functions) {
    if (function.removed ||
        (work.program.pure_calls.count(function.name) && function.name != work.program.entry))
      continue;
    shape.whole &= function.understood && !has_opaque(function.body);
    hidden |= !function.understood || hides_loops(function.body);
    shape.loop_depth = std::max(shape.loop_depth, depth_of(function.body));
    look_at_loops(work.program, function.body, shape);
  }
  if (hidden) shape.loop_depth = 0;
  return shape;
}

std::string without_pragmas(std::string source) {
  const std::string original = source;
  each_pragma(original, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (source[i] != '\n') source[i] = ' ';
  });
  return source;
}

bool starts_threads(const std::string& source) {
  bool found = source.find("<<<") != std::string::npos;
  each_pragma(source, [&](std::size_t begin, std::size_t end) {
    const std::string line = source.substr(begin, end - begin);
    for (const char* word : {"parallel", "teams", "taskloop"})
      found |= contains_word(line, "omp") && contains_word(line, word);
  });
  return found;
}

}  // namespace noctune
