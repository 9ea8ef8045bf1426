#include "coordinator/rules/dependence.hpp"

#include <algorithm>

#include "coordinator/rules/tile_end.hpp"

namespace noctune::rules {
namespace {

void add_reads(const ExprPtr& expr, const Statement& statement, const LoopPath& loops,
               std::vector<Access>& out) {
  if (!expr) return;
  visit(expr, [&](const Expr& part) {
    if (part.kind == ExprKind::index)
      out.push_back({part.args[0]->text, part.args[1], false, false, &statement, loops});
  });
}

bool reads_array(const ExprPtr& expr, const std::string& array) {
  bool found = false;
  visit(expr,
        [&](const Expr& part) { found |= part.kind == ExprKind::index && part.args[0]->text == array; });
  return found;
}

void add_assignment(const Statement& statement, const LoopPath& loops, std::vector<Access>& out) {
  add_reads(statement.value, statement, loops, out);
  if (statement.target->kind != ExprKind::index) return;
  const std::string& array = statement.target->args[0]->text;
  const ExprPtr& subscript = statement.target->args[1];
  add_reads(subscript, statement, loops, out);
  const bool sums = statement.op == "+=" || statement.op == "-=";
  const bool update = sums && !reads_array(statement.value, array) && !reads_array(subscript, array);
  if (statement.op != "=") out.push_back({array, subscript, false, update, &statement, loops});
  out.push_back({array, subscript, true, update, &statement, loops});
}

void collect(const Statements& statements, LoopPath& loops, std::vector<Access>& out) {
  for (const Statement& statement : statements) {
    if (statement.kind == StatementKind::assign) {
      add_assignment(statement, loops, out);
      continue;
    }
    for (const ExprPtr& expr : {statement.value, statement.lower, statement.upper})
      add_reads(expr, statement, loops, out);
    if (statement.kind == StatementKind::loop) loops.push_back(&statement);
    collect(statement.body, loops, out);
    collect(statement.otherwise, loops, out);
    if (statement.kind == StatementKind::loop) loops.pop_back();
  }
}

// Every stride must divide the one before it; gives the factor between them.
std::optional<Monomial> quotient(const Monomial& large, const Monomial& small) {
  Monomial rest = large;
  for (const std::string& factor : small) {
    const auto found = std::find(rest.begin(), rest.end(), factor);
    if (found == rest.end()) return {};
    rest.erase(found);
  }
  return rest;
}

bool split_terms(const Polynomial& value, const LoopPath& loops, std::map<Monomial, Polynomial>& groups) {
  for (const auto& [monomial, coefficient] : value.terms()) {
    Monomial stride;
    Polynomial part = Polynomial::constant(coefficient);
    int counters = 0;
    for (const std::string& factor : monomial) {
      const bool is_counter =
          std::any_of(loops.begin(), loops.end(), [&](auto* loop) { return loop->name == factor; });
      if (is_counter)
        part = part * Polynomial::symbol(factor);
      else
        stride.push_back(factor);
      counters += is_counter;
    }
    if (counters > 1) return false;
    groups[stride] = groups[stride] + part;
  }
  return true;
}

// The coefficient of a variable where it is a plain number.
std::optional<long long> coefficient_of(const Polynomial& position, const std::string& name) {
  long long coefficient = 0;
  for (const auto& [monomial, value] : position.terms()) {
    if (std::find(monomial.begin(), monomial.end(), name) == monomial.end()) continue;
    if (monomial.size() != 1) return {};
    coefficient = value;
  }
  return coefficient;
}

// Whether the value grows (1) or shrinks (-1) with the variable, given that sizes are not negative.
std::optional<int> direction_in(const Polynomial& value, const std::string& name, const LoopPath& loops) {
  int direction = 0;
  for (const auto& [monomial, coefficient] : value.terms()) {
    const auto uses = std::count(monomial.begin(), monomial.end(), name);
    if (uses == 0) continue;
    const int sign = coefficient > 0 ? 1 : -1;
    const bool with_counter = std::any_of(monomial.begin(), monomial.end(), [&](const std::string& factor) {
      return factor != name &&
             std::any_of(loops.begin(), loops.end(), [&](auto* loop) { return loop->name == factor; });
    });
    if (uses > 1 || with_counter || direction == -sign) return {};
    direction = sign;
  }
  return direction;
}

std::set<std::string> counters_inside(const Access& access, const Statement& loop) {
  std::set<std::string> names;
  bool inside = false;
  for (const Statement* level : access.loops) {
    if (inside) names.insert(level->name);
    inside |= level == &loop;
  }
  return names;
}

bool mentions_any(const Polynomial& value, const std::set<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return value.mentions(name); });
}

enum class Answer { never, exact, nothing };

// What one dimension says: c * va + x == c * vb + y.
Answer compare_dimension(const Polynomial& a, const Polynomial& b, const Statement& loop,
                         long long& distance) {
  const std::string& counter = loop.name;
  const auto left = coefficient_of(a, counter), right = coefficient_of(b, counter);
  if (!left || !right || *left != *right) return Answer::nothing;
  const auto difference = (a.replaced(counter, {}) - b.replaced(counter, {})).as_constant();
  if (!difference) return Answer::nothing;
  if (*left == 0) return *difference == 0 ? Answer::nothing : Answer::never;
  if (*difference % (*left * loop.step) != 0) return Answer::never;
  distance = *difference / *left / loop.step;
  return Answer::exact;
}

}  // namespace

std::vector<Access> accesses_of(const Statements& statements, const LoopPath& outer) {
  std::vector<Access> out;
  LoopPath loops = outer;
  collect(statements, loops, out);
  return out;
}

std::optional<Range> range_of(Polynomial value, const LoopPath& loops) {
  Range range{value, value};
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    const std::string& name = (*loop)->name;
    if (!range.low.mentions(name) && !range.high.mentions(name)) continue;
    const auto tile = tile_end_of(**loop);
    const auto low = polynomial_of((*loop)->lower),
               high = polynomial_of(tile ? tile->whole : upper_bound(**loop));
    if (!low || !high) return {};
    const auto down = direction_in(range.low, name, loops), up = direction_in(range.high, name, loops);
    if (!down || !up) return {};
    const Polynomial last = *high - Polynomial::constant(1);
    range.low = range.low.replaced(name, *down >= 0 ? *low : last);
    range.high = range.high.replaced(name, *up >= 0 ? last : *low);
  }
  return range;
}

std::optional<std::vector<Dimension>> dimensions_of(const ExprPtr& subscript, const LoopPath& loops) {
  const auto value = polynomial_of(subscript);
  std::map<Monomial, Polynomial> groups;
  if (!value || !split_terms(*value, loops, groups)) return {};
  std::vector<Dimension> result;
  for (auto& [stride, position] : groups) result.push_back({stride, position});
  std::stable_sort(result.begin(), result.end(),
                   [](const Dimension& a, const Dimension& b) { return a.stride.size() > b.stride.size(); });
  for (std::size_t i = 1; i < result.size(); ++i) {
    const auto size = quotient(result[i - 1].stride, result[i].stride);
    const auto range = range_of(result[i].position, loops);
    if (!size || size->empty() || !range) return {};
    Polynomial limit;
    limit.add(*size, 1);
    if (!never_negative(range->low) || !never_negative(limit - Polynomial::constant(1) - range->high))
      return {};
  }
  return result;
}

// The whole address as one dimension: enough where both sides move by the same constant and nothing else
// varies.
std::optional<Relation> compare_addresses(const Access& a, const Access& b, const Statement& loop,
                                          const std::set<std::string>& inner) {
  const auto left = polynomial_of(a.subscript), right = polynomial_of(b.subscript);
  if (!left || !right || mentions_any(*left, inner) || mentions_any(*right, inner)) return {};
  long long distance = 0;
  const Answer answer = compare_dimension(*left, *right, loop, distance);
  if (answer == Answer::never) return Relation{Relation::Kind::never, 0};
  if (answer == Answer::exact) return Relation{Relation::Kind::exact, distance};
  return {};
}

Relation dimension_relation(const Access& a, const Access& b, const Statement& loop,
                            const std::set<std::string>& inner) {
  const auto left = dimensions_of(a.subscript, a.loops), right = dimensions_of(b.subscript, b.loops);
  Relation relation;
  if (!left || !right) return relation;
  std::map<Monomial, std::pair<Polynomial, Polynomial>> both;
  for (const Dimension& dimension : *left) both[dimension.stride].first = dimension.position;
  for (const Dimension& dimension : *right) both[dimension.stride].second = dimension.position;
  if (both.size() != left->size() || both.size() != right->size()) return relation;
  for (const auto& [stride, pair] : both) {
    if (mentions_any(pair.first, inner) || mentions_any(pair.second, inner)) continue;
    long long distance = 0;
    const Answer answer = compare_dimension(pair.first, pair.second, loop, distance);
    const bool contradiction =
        answer == Answer::exact && relation.kind == Relation::Kind::exact && relation.distance != distance;
    if (answer == Answer::never || contradiction) return {Relation::Kind::never, 0};
    if (answer == Answer::exact) relation = {Relation::Kind::exact, distance};
  }
  return relation;
}

// The loop inside that runs through one tile of the given loop over tiles.
const Statement* loop_through_tile(const Access& access, const Statement& tiles) {
  for (const Statement* level : access.loops) {
    const auto end = tile_end_of(*level);
    if (end && end->counter == tiles.name && end->size <= tiles.step) return level;
  }
  return nullptr;
}

// Tiles do not overlap: what meets in one iteration only of the loop that is cut meets in one tile only.
Relation relation_of_tiles(const Access& a, const Access& b, const Statement& tiles, const Statement& cut,
                           std::set<std::string> inner) {
  Statement every = cut;
  if (tiles.step % cut.step != 0) every.step = 1;
  inner.erase(cut.name);
  Relation relation = dimension_relation(a, b, every, inner);
  if (relation.kind == Relation::Kind::exact && relation.distance != 0) relation = {};
  return relation;
}

Relation relation_of(const Access& a, const Access& b, const Statement& loop,
                     const std::set<std::string>& varying) {
  std::set<std::string> inner = counters_inside(a, loop);
  inner.merge(counters_inside(b, loop));
  inner.insert(varying.begin(), varying.end());
  if (const auto relation = compare_addresses(a, b, loop, inner)) return *relation;
  const Statement *cut = loop_through_tile(a, loop), *same_cut = loop_through_tile(b, loop);
  if (cut && cut == same_cut && !varying.count(cut->name)) return relation_of_tiles(a, b, loop, *cut, inner);
  return dimension_relation(a, b, loop, inner);
}

bool is_analysable(const Program& program, const Function& function, const Statements& statements) {
  bool fine = true;
  visit(statements, [&](const Statement& statement) { fine &= statement.kind != StatementKind::text; });
  std::set<std::string> arrays;
  visit_expressions(statements, [&](const ExprPtr& expr) {
    visit(expr, [&](const Expr& part) {
      if (part.kind == ExprKind::call) fine &= program.pure_calls.count(part.text) > 0;
      if (part.kind == ExprKind::index) arrays.insert(part.args[0]->text);
      if (part.kind != ExprKind::index) return;
      const bool table = part.args[0]->type.find('[') != std::string::npos &&
                         part.args[0]->type.find("const") != std::string::npos;
      const bool known =
          program.temporaries.count(part.args[0]->text) || table ||
          std::any_of(function.params.begin(), function.params.end(),
                      [&](const Parameter& param) { return param.name == part.args[0]->text; });
      fine &= known;
    });
  });
  return fine && (function.distinct || arrays.size() <= 1);
}

std::optional<Polynomial> stride_in(const ExprPtr& subscript, const std::string& variable) {
  if (!mentions(subscript, variable)) return Polynomial();
  const auto value = polynomial_of(subscript);
  if (!value) return {};
  Polynomial stride;
  for (const auto& [monomial, coefficient] : value->terms()) {
    Monomial rest = monomial;
    const auto found = std::find(rest.begin(), rest.end(), variable);
    if (found == rest.end()) continue;
    rest.erase(found);
    stride.add(rest, coefficient);
  }
  return stride.mentions(variable) ? std::nullopt : std::optional(stride);
}

bool surely_inside(const Program& program, const std::string& array, const ExprPtr& subscript,
                   const LoopPath& loops) {
  const auto extent = program.extents.find(array);
  const auto value = polynomial_of(subscript);
  if (extent == program.extents.end() || !value) return false;
  const auto size = polynomial_of(extent->second);
  const auto range = range_of(*value, loops);
  if (!size || !range) return false;
  return never_negative(range->low) && never_negative(*size - Polynomial::constant(1) - range->high);
}

}  // namespace noctune::rules
