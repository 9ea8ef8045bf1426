// Which scalars and arrays tie a loop's iterations together.
#include <algorithm>

#include "coordinator/rules/dependence.hpp"

namespace noctune::rules {
namespace {

struct ScalarUse {
  bool written = false;
  bool read_first = false;  // some path reads it before an iteration has written it
  bool only_sums = true;    // every use is s += e or s -= e
};

class ScalarScan {
 public:
  explicit ScalarScan(const std::set<std::string>& own) : own_(own) {}

  void scan(const Statements& statements, bool certain) {
    for (const Statement& statement : statements) {
      if (statement.kind == StatementKind::assign) {
        assignment(statement, certain);
        continue;
      }
      for (const ExprPtr& expr : {statement.value, statement.lower, statement.upper}) reads(expr);
      const bool straight = statement.kind == StatementKind::block;
      scan(statement.body, certain && straight);
      scan(statement.otherwise, certain && straight);
    }
  }

  std::map<std::string, ScalarUse> uses;

 private:
  void reads(const ExprPtr& expr) {
    if (!expr) return;
    visit(expr, [&](const Expr& part) {
      if (part.kind != ExprKind::variable || own_.count(part.text)) return;
      ScalarUse& use = uses[part.text];
      use.only_sums = false;
      if (!assigned_.count(part.text)) use.read_first = true;
    });
  }

  void assignment(const Statement& statement, bool certain) {
    reads(statement.value);
    if (statement.target->kind == ExprKind::index) {
      reads(statement.target->args[1]);
      return;
    }
    const std::string& name = statement.target->text;
    if (own_.count(name)) return;
    ScalarUse& use = uses[name];
    use.written = true;
    const bool sum = statement.op == "+=" || statement.op == "-=";
    if (statement.op != "=" && !assigned_.count(name)) use.read_first = true;
    if (!sum) use.only_sums = false;
    if (statement.op == "=" && certain) assigned_.insert(name);
  }

  const std::set<std::string>& own_;
  std::set<std::string> assigned_;
};

bool used_outside(const Function& function, const Statement& loop, const std::string& name) {
  // Conservative: any mention beyond the loop, apart from its declaration, counts as a later use.
  int inside = 0, all = 0;
  const auto count = [&](int& counter) {
    return [&counter, &name](const ExprPtr& expr) { counter += mentions(expr, name); };
  };
  visit_expressions(Statements{loop}, count(inside));
  visit_expressions(function.body, count(all));
  return all > inside;
}

void judge_scalars(const Function& function, const Statement& loop, Carried& carried) {
  std::set<std::string> own = declared_names(loop.body);
  own.insert(loop.name);
  ScalarScan scan(own);
  scan.scan(loop.body, true);
  for (const auto& [name, use] : scan.uses) {
    if (!use.written) continue;
    if (use.only_sums)
      carried.reductions[name] = "+";
    else if (!use.read_first && !used_outside(function, loop, name))
      carried.privates.insert(name);
    else
      carried.conflicts.insert(name);
  }
}

// Not asked where the author has said that iterations share no element: steps leave to an iteration what was
// its own.
void judge_arrays(const Statement& loop, const LoopPath& outer, Carried& carried) {
  LoopPath path = outer;
  path.push_back(&loop);
  const std::vector<Access> all = accesses_of(loop.body, path);
  std::set<std::string> tied, plain;
  for (const Access& access : all)
    if (!access.update) plain.insert(access.array);
  for (const Access& write : all) {
    if (!write.write) continue;
    for (const Access& other : all) {
      if (other.array != write.array) continue;
      const Relation relation = relation_of(write, other, loop);
      const bool fine = relation.kind == Relation::Kind::never ||
                        (relation.kind == Relation::Kind::exact && relation.distance == 0);
      if (!fine) tied.insert(write.array);
    }
  }
  for (const std::string& array : tied)
    (plain.count(array) ? carried.conflicts : carried.accumulated).insert(array);
}

}  // namespace

Carried carried_by(const Program& program, const Function& function, const Statement& loop,
                   const LoopPath& outer) {
  Carried carried;
  carried.understood = is_analysable(program, function, loop.body);
  if (!carried.understood) return carried;
  judge_scalars(function, loop, carried);
  if (!loop.threaded) judge_arrays(loop, outer, carried);
  return carried;
}

Carried carried_by(const Program& program, const Function& function, const std::string& id) {
  Function copy = function;  // paths point into the statements that they were made from
  const Statement* loop = find_loop(copy.body, id);
  if (!loop) return {};
  return carried_by(program, copy, *loop, enclosing_loops(copy.body, id));
}

}  // namespace noctune::rules
