// Unroll and jam: several iterations of an outer loop run side by side through its inner loops.
#include <algorithm>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {
namespace {

class Jammer {
 public:
  Jammer(const Statement& loop, int copies, const std::set<std::string>& taken) : copies_(copies) {
    std::set<std::string> locals;
    visit(loop.body, [&](const Statement& statement) {
      if (statement.kind == StatementKind::declare) locals.insert(statement.name);
    });
    for (int copy = 0; copy < copies; ++copy) {
      Substitution& names = names_.emplace_back();
      names[loop.name] = plus(variable(loop.name, loop.type), copy);
      for (const std::string& local : locals) {
        std::string name = local + std::to_string(copy);
        while (taken.count(name)) name += "_";
        names[local] = variable(name, "");
      }
    }
  }

  Statements list(const Statements& statements) const {
    Statements result;
    for (const Statement& statement : statements) {
      if (statement.kind == StatementKind::loop) {
        Statement joint = statement;
        joint.body = list(statement.body);
        result.push_back(joint);
        continue;
      }
      Statements copies;
      for (int copy = 0; copy < copies_; ++copy) {
        Statements some = substitute(Statements{statement}, typed_names(statement, copy));
        fold_constants(some);
        Statement one = some[0];
        if (copy > 0) one.comments.clear();
        if (!merge(copies, one)) copies.push_back(one);
      }
      result.insert(result.end(), copies.begin(), copies.end());
    }
    return result;
  }

 private:
  // X[j] += a; X[j] += b;   becomes   X[j] += a + b;
  static bool merge(Statements& copies, const Statement& one) {
    if (copies.empty() || one.kind != StatementKind::assign) return false;
    Statement& last = copies.back();
    const bool sums = one.op == "+=" || one.op == "-=";
    if (!sums || last.op != one.op || !same(last.target, one.target)) return false;
    last.value = binary("+", last.value, one.value, last.value->type);
    return true;
  }

  // Renamed variables keep the types of what they replace.
  Substitution typed_names(const Statement& statement, int copy) const {
    Substitution names = names_[static_cast<std::size_t>(copy)];
    for (const ExprPtr& expr : {statement.value, statement.target}) {
      if (!expr) continue;
      visit(expr, [&](const Expr& part) {
        const auto found = part.kind == ExprKind::variable ? names.find(part.text) : names.end();
        if (found != names.end() && found->second->kind == ExprKind::variable && found->second->type.empty())
          found->second = variable(found->second->text, part.type);
      });
    }
    return names;
  }

  int copies_;
  std::vector<Substitution> names_;
};

bool inner_bounds_fixed(const Statement& loop) {
  const std::set<std::string> inner = declared_names(loop.body);
  bool fixed = true;
  visit(loop.body, [&](const Statement& statement) {
    if (statement.kind != StatementKind::loop) {
      fixed &= statement.kind == StatementKind::declare || statement.kind == StatementKind::assign;
      return;
    }
    for (const ExprPtr& bound : {statement.lower, statement.upper}) {
      fixed &= !reads_memory(bound) && !mentions(bound, loop.name);
      for (const std::string& name : inner) fixed &= !mentions(bound, name);
    }
    fixed &= statement.pragmas.empty();
  });
  return fixed;
}

bool holds_innermost(const Statement& loop) {
  return std::any_of(loop.body.begin(), loop.body.end(), [](const Statement& statement) {
    return statement.kind == StatementKind::loop && is_innermost(statement);
  });
}

// Some value that an inner loop loads serves all iterations of the outer one; else running rows side by side
// only multiplies the streams through memory.
bool reuses_values(const Statement& loop) {
  const std::vector<Access> all = accesses_of(loop.body, {&loop});
  return std::any_of(all.begin(), all.end(), [&](const Access& access) {
    return access.loops.size() > 1 && !mentions(access.subscript, loop.name) &&
           mentions(access.subscript, access.loops.back()->name);
  });
}

ExprPtr last_multiple(const Statement& loop, int copies) {
  const ExprPtr upper = upper_bound(loop);
  const bool from_zero = print(loop.lower) == "0";
  const ExprPtr count = from_zero ? upper : binary("-", upper, loop.lower, loop.type);
  const ExprPtr rounded = binary("*", binary("/", count, number(copies)), number(copies), loop.type);
  return from_zero ? rounded : binary("+", loop.lower, rounded, loop.type);
}

bool jam_loop(Work& work, Function& function, const std::string& id, int copies) {
  const Place place = find_place(function.body, id);
  const Statement loop = (*place.list)[place.at];
  if (loop.step != 1 || !holds_innermost(loop) || !inner_bounds_fixed(loop) || !reuses_values(loop))
    return false;
  if (reads_memory(loop.lower) || reads_memory(loop.upper)) return false;
  if (!is_signed(loop.type) || !is_signed(loop.upper->type)) return false;
  const Carried carried = carried_by(work.program, function, loop, enclosing_loops(function.body, id));
  if (!carried.understood || !carried.conflicts.empty() || !carried.reductions.empty() ||
      !carried.privates.empty())
    return false;
  std::set<std::string> taken = declared_names(function.body);
  for (const Parameter& param : function.params) taken.insert(param.name);
  Statement main = loop, rest = loop;
  main.body = Jammer(loop, copies, taken).list(loop.body);
  main.upper = plus(upper_bound(loop), 1 - copies);
  main.inclusive = false;
  main.step = copies;
  // What the last rows do does not depend on the others: no barrier in between.
  for (std::string& pragma : main.pragmas)
    if (pragma.rfind("omp for", 0) == 0) pragma += " nowait";
  rest.lower = last_multiple(loop, copies);
  rest.comments.clear();
  for (std::size_t i = rest.pragmas.size(); i-- > 0;)
    if (rest.pragmas[i].rfind("omp parallel", 0) == 0)
      rest.pragmas.erase(rest.pragmas.begin() + static_cast<long>(i));
  rest.id = new_id(work.program, loop.name);
  renumber(work.program, rest.body);
  (*place.list)[place.at] = main;
  place.list->insert(place.list->begin() + static_cast<long>(place.at) + 1, rest);
  return true;
}

}  // namespace

bool jam(Work& work, const Step& step) {
  const int copies = static_cast<int>(step.integer("rows", 4));
  if (copies < 2 || copies > 16) return false;
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    for (const std::string& id : loop_ids(function.body))
      if (wants(step, id) && jam_loop(work, function, id, copies)) function.changed = changed = true;
  }
  return changed;
}

}  // namespace noctune::rules
