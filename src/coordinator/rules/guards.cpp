// Rules about tests and short loops: boundary peeling and full unrolling.
#include <algorithm>
#include <charconv>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {
namespace {

// --- peel ---

void split_conjunction(const ExprPtr& condition, std::vector<ExprPtr>& parts) {
  if (condition->kind == ExprKind::binary && condition->text == "&&") {
    split_conjunction(condition->args[0], parts);
    split_conjunction(condition->args[1], parts);
  } else {
    parts.push_back(condition);
  }
}

// The comparison as "polynomial >= 0".
std::optional<Polynomial> slack_of(const ExprPtr& comparison) {
  if (comparison->kind != ExprKind::binary) return {};
  const auto left = polynomial_of(comparison->args[0]), right = polynomial_of(comparison->args[1]);
  if (!left || !right) return {};
  const Polynomial one = Polynomial::constant(1);
  if (comparison->text == ">=") return *left - *right;
  if (comparison->text == ">") return *left - *right - one;
  if (comparison->text == "<=") return *right - *left;
  if (comparison->text == "<") return *right - *left - one;
  return {};
}

ExprPtr expression_of(const Polynomial& polynomial, const std::string& type) {
  ExprPtr sum;
  long long constant = 0;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    if (monomial.empty()) {
      constant = coefficient;
      continue;
    }
    ExprPtr term;
    const long long size = coefficient < 0 ? -coefficient : coefficient;
    if (size != 1) term = number(size);
    for (const std::string& factor : monomial) {
      const ExprPtr name = variable(factor, type);
      term = term ? binary("*", term, name, type) : name;
    }
    if (!sum)
      sum = coefficient < 0 ? node(ExprKind::unary, "-", type, {term}) : term;
    else
      sum = binary(coefficient < 0 ? "-" : "+", sum, term, type);
  }
  return sum ? plus(sum, constant) : number(constant);
}

struct Guard {
  const Statement* branch = nullptr;
  LoopPath inner;  // loops between the column loop and the branch
};

void find_guard(const Statements& statements, LoopPath& path, Guard& guard) {
  for (const Statement& statement : statements) {
    if (guard.branch) return;
    if (statement.kind == StatementKind::branch && statement.otherwise.empty()) {
      guard = {&statement, path};
      return;
    }
    if (statement.kind != StatementKind::loop) continue;
    path.push_back(&statement);
    find_guard(statement.body, path, guard);
    path.pop_back();
  }
}

// Where a counter must lie for all tests on it to hold: [low, high).
struct Interval {
  ExprPtr low, high;
  bool used() const { return low || high; }
};

bool narrow(Interval& interval, const Polynomial& slack, const std::string& counter,
            const std::string& type) {
  const auto coefficient = stride_in(expression_of(slack, type), counter);
  const auto sign = coefficient ? coefficient->as_constant() : std::nullopt;
  if (!sign || (*sign != 1 && *sign != -1)) return false;
  const Polynomial rest = slack.replaced(counter, {});
  ExprPtr& end = *sign == 1 ? interval.low : interval.high;
  const ExprPtr bound = *sign == 1 ? expression_of(Polynomial() - rest, type)
                                   : expression_of(rest + Polynomial::constant(1), type);
  if (end && !same(end, bound)) return false;
  end = bound;
  return true;
}

bool intervals_of(const Guard& guard, const Statement& row, const Statement& column, Interval& rows,
                  Interval& columns) {
  std::vector<ExprPtr> tests;
  split_conjunction(guard.branch->value, tests);
  for (const ExprPtr& test : tests) {
    const auto slack = slack_of(test);
    const auto range = slack ? range_of(*slack, guard.inner) : std::nullopt;
    if (!range) return false;
    const bool in_row = range->low.mentions(row.name), in_column = range->low.mentions(column.name);
    if (in_row == in_column) return false;
    if (in_row && !narrow(rows, range->low, row.name, row.type)) return false;
    if (in_column && !narrow(columns, range->low, column.name, column.type)) return false;
  }
  return columns.used();
}

Statements without_guard(const Statements& statements, const Statement* guard) {
  Statements result;
  for (const Statement& statement : statements) {
    if (&statement == guard) {
      result.insert(result.end(), statement.body.begin(), statement.body.end());
      continue;
    }
    Statement copy = statement;
    copy.body = without_guard(statement.body, guard);
    result.push_back(copy);
  }
  return result;
}

ExprPtr call_of(const std::string& name, const std::string& type, const ExprPtr& a, const ExprPtr& b) {
  return node(ExprKind::call, name + "<" + type + ">", type, {a, b});
}

Statement part_of(Program& program, const Statement& loop, const ExprPtr& lower, const ExprPtr& upper,
                  Statements body) {
  Statement part = make_loop(loop.type, loop.name, lower, upper, std::move(body));
  part.id = new_id(program, loop.name);
  renumber(program, part.body);
  return part;
}

Statements peeled_columns(Program& program, const Statement& column, const Interval& inside,
                          const Guard& guard) {
  const std::string& type = column.type;
  const std::string left_name = fresh_name(program, column.name + "_first"),
                    right_name = fresh_name(program, column.name + "_last");
  const ExprPtr upper = upper_bound(column), left = variable(left_name, type),
                right = variable(right_name, type);
  const ExprPtr low = inside.low ? call_of("std::max", type, column.lower, inside.low) : column.lower;
  const ExprPtr high = inside.high ? call_of("std::min", type, upper, inside.high) : upper;
  Statements result;
  result.push_back(declare("const " + type, left_name, call_of("std::min", type, low, upper)));
  result.push_back(declare("const " + type, right_name, call_of("std::max", type, left, high)));
  result.push_back(part_of(program, column, column.lower, left, column.body));
  result.push_back(part_of(program, column, left, right, without_guard(column.body, guard.branch)));
  result.push_back(part_of(program, column, right, upper, column.body));
  return result;
}

ExprPtr inside_test(const Statement& row, const Interval& rows) {
  const ExprPtr counter = variable(row.name, row.type);
  const ExprPtr low = rows.low ? binary(">=", counter, rows.low, "bool") : nullptr;
  const ExprPtr high = rows.high ? binary("<", counter, rows.high, "bool") : nullptr;
  if (low && high) return binary("&&", low, high, "bool");
  return low ? low : high;
}

bool peel_row(Work& work, Function& function, const std::string& id) {
  Statement& row = *find_loop(function.body, id);
  if (row.body.size() != 1 || row.body[0].kind != StatementKind::loop || !row.body[0].pragmas.empty())
    return false;
  const Statement column = row.body[0];
  if (!is_signed(row.type) || !is_signed(column.type) || !is_signed(column.upper->type)) return false;
  if (column.step != 1 || !is_analysable(work.program, function, column.body)) return false;
  if (reads_memory(column.lower) || reads_memory(column.upper)) return false;
  Guard guard;
  LoopPath path;
  find_guard(column.body, path, guard);
  Interval rows, columns;
  if (!guard.branch || guard.inner.empty() || !intervals_of(guard, row, column, rows, columns)) return false;
  Statements split = peeled_columns(work.program, column, columns, guard);
  if (rows.used()) {
    Statement choice;
    choice.kind = StatementKind::branch;
    choice.value = inside_test(row, rows);
    choice.comments = {"// Away from the border every test holds."};
    choice.body = split;
    choice.otherwise = {column};
    split = {choice};
  }
  row.body = split;
  work.program.headers.insert("algorithm");
  work.program.pure_calls.insert({"std::min<" + column.type + ">", "std::max<" + column.type + ">"});
  return true;
}

// --- unroll ---

bool unroll_list(Program& program, Statements& statements, long long limit) {
  bool changed = false;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    changed |= unroll_list(program, statements[i].body, limit);
    changed |= unroll_list(program, statements[i].otherwise, limit);
    const Statement loop = statements[i];
    if (loop.kind != StatementKind::loop || !loop.pragmas.empty()) continue;
    const auto low = constant_of(loop.lower), high = constant_of(upper_bound(loop));
    if (!low || !high || *high - *low > limit * loop.step || *high <= *low || has_opaque(loop.body)) continue;
    Statements copies;
    for (long long value = *low; value < *high; value += loop.step) {
      Statements body = substitute(loop.body, {{loop.name, literal(std::to_string(value), loop.type)}});
      fold_constants(body);
      renumber(program, body);
      if (declared_names(body).empty()) {
        copies.insert(copies.end(), body.begin(), body.end());
      } else {
        Statement block;
        block.kind = StatementKind::block;
        block.body = body;
        copies.push_back(block);
      }
    }
    if (!copies.empty())
      copies.front().comments.insert(copies.front().comments.begin(), loop.comments.begin(),
                                     loop.comments.end());
    statements.erase(statements.begin() + static_cast<long>(i));
    statements.insert(statements.begin() + static_cast<long>(i), copies.begin(), copies.end());
    i += copies.size();
    --i;
    changed = true;
  }
  return changed;
}

// Only loops without a test inside are worth their longer text.
bool unroll_clean(Program& program, Statements& statements, long long limit) {
  bool changed = false;
  for (Statement& statement : statements) {
    bool tests = false;
    visit(statement.body, [&](const Statement& inner) { tests |= inner.kind == StatementKind::branch; });
    if (statement.kind == StatementKind::loop && !tests)
      changed |= unroll_list(program, statement.body, limit);
    else {
      changed |= unroll_clean(program, statement.body, limit);
      changed |= unroll_clean(program, statement.otherwise, limit);
    }
  }
  return changed;
}

}  // namespace

bool peel(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    for (const std::string& id : loop_ids(function.body))
      if (wants(step, id) && find_loop(function.body, id) && peel_row(work, function, id))
        function.changed = changed = true;
  }
  return changed;
}

bool unroll(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions)
    if (is_open(function) && unroll_clean(work.program, function.body, step.integer("limit", 8)))
      function.changed = changed = true;
  return changed;
}

}  // namespace noctune::rules
