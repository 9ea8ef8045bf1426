// Counting by value: where what is added, and where to, depends only on a small integer that is read from an
// array, count the integers first and do the arithmetic once per distinct value.
#include <algorithm>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {
namespace {

struct Counting {
  ExprPtr element;   // the array element whose value decides
  ExprPtr limit;     // values lie in [0, limit)
  Statement update;  // counts[f(value)] += constant
  ExprPtr condition;
};

void split(const ExprPtr& condition, std::vector<ExprPtr>& parts) {
  if (condition->kind == ExprKind::binary && condition->text == "&&") {
    split(condition->args[0], parts);
    split(condition->args[1], parts);
  } else {
    parts.push_back(condition);
  }
}

// Tests of the form v >= 0 and v < limit.
bool read_range(Counting& counting) {
  std::vector<ExprPtr> tests;
  split(counting.condition, tests);
  bool from_zero = false;
  for (const ExprPtr& test : tests) {
    if (test->kind != ExprKind::binary || test->args[0]->kind != ExprKind::index) return false;
    if (!counting.element) counting.element = test->args[0];
    if (!same(test->args[0], counting.element) || reads_memory(test->args[1])) return false;
    if (test->text == ">=" && print(test->args[1]) == "0")
      from_zero = true;
    else if (test->text == "<" && !counting.limit)
      counting.limit = test->args[1];
    else
      return false;
  }
  return from_zero && counting.limit && is_integer(counting.element->type);
}

ExprPtr with_value(const ExprPtr& expr, const ExprPtr& element, const ExprPtr& value) {
  return rewrite(expr, [&](const ExprPtr& part) { return same(part, element) ? value : part; });
}

bool depends_on_value_only(const Counting& counting, const Statement& loop) {
  const ExprPtr probe = variable("value", counting.element->type);
  for (const ExprPtr& expr : {counting.update.target->args[1], counting.update.value}) {
    const ExprPtr rest = with_value(expr, counting.element, probe);
    if (reads_memory(rest) || mentions(rest, loop.name)) return false;
  }
  return true;
}

bool is_costly(const ExprPtr& expr) {
  bool found = false;
  visit(expr, [&](const Expr& part) {
    found |= part.kind == ExprKind::call ||
             (part.kind == ExprKind::binary && (part.text == "/" || part.text == "%"));
  });
  return found;
}

std::optional<Counting> recognise(const Work& work, const Function& function, const Statement& loop) {
  if (loop.body.size() != 1 || loop.body[0].kind != StatementKind::branch || !loop.pragmas.empty()) return {};
  const Statement& branch = loop.body[0];
  if (!branch.otherwise.empty() || branch.body.size() != 1 ||
      !is_analysable(work.program, function, loop.body))
    return {};
  Counting counting;
  counting.condition = branch.value;
  counting.update = branch.body[0];
  const Statement& update = counting.update;
  if (update.kind != StatementKind::assign || update.op != "+=" || update.target->kind != ExprKind::index)
    return {};
  if (!is_integer(update.target->type) || !is_integer(update.value->type) ||
      !is_costly(update.target->args[1]))
    return {};
  if (!read_range(counting) || !depends_on_value_only(counting, loop)) return {};
  if (mentions(counting.limit, loop.name) || reads_memory(loop.lower) || reads_memory(loop.upper)) return {};
  // The values must not change while they are counted.
  if (counting.element->args[0]->text == update.target->args[0]->text) return {};
  return counting;
}

Statement counted(Work& work, const Statement& loop, const Counting& counting) {
  const std::string type = plain_type(counting.element->type);
  const std::string table = fresh_name(work.program, counting.element->args[0]->text + "_seen");
  const std::string name = fresh_name(work.program, "value");
  const ExprPtr array = variable(table, "int *"), value = variable(name, type);
  Statement count = loop;
  count.comments.clear();
  count.body[0].body = {assign(index(array, counting.element, "int"), "+=", number(1))};
  Statement fold = make_loop(type, name, number(0), counting.limit, {});
  fold.id = new_id(work.program, name);
  const ExprPtr target = with_value(counting.update.target, counting.element, value);
  const ExprPtr each = with_value(counting.update.value, counting.element, value);
  const ExprPtr seen = index(array, value, "int");
  fold.body = {assign(target, "+=", print(each) == "1" ? seen : binary("*", each, seen, "int"))};
  // A value that never occurs may have no place of its own.
  Statement guard;
  guard.kind = StatementKind::branch;
  guard.value = seen;
  guard.body = fold.body;
  fold.body = {guard};
  Statement choice;
  choice.kind = StatementKind::branch;
  choice.comments = loop.comments;
  choice.comments.push_back(
      "// Few distinct values: count them first, then do the arithmetic once for each.");
  choice.value = binary("<=", counting.limit, upper_bound(loop), "bool");
  choice.body = {text_lines("int* " + table + " = new int[" + print(counting.limit) + "]();"), count, fold,
                 text_lines("delete[] " + table + ";")};
  choice.otherwise = {loop};
  choice.otherwise[0].comments.clear();
  choice.otherwise[0].id = new_id(work.program, loop.name);
  work.program.temporaries.insert(table);
  work.program.extents[table] = counting.limit;
  return choice;
}

}  // namespace

bool tabulate(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    for (Statement& statement : function.body) {
      if (statement.kind != StatementKind::loop || !wants(step, statement.id)) continue;
      const auto counting = recognise(work, function, statement);
      if (!counting) continue;
      const Statement original = statement;
      statement = counted(work, original, *counting);
      function.changed = changed = true;
    }
  }
  return changed;
}

}  // namespace noctune::rules
