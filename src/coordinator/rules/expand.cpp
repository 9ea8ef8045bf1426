// Array expansion: a work line that every iteration fills anew gets one copy per iteration, and the loops
// split.
#include <algorithm>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {
namespace {

// The perfect nest of loops from the outermost down to the one that holds the statements.
std::vector<std::string> chain_of(const Statement& top) {
  std::vector<std::string> ids = {top.id};
  const Statement* loop = &top;
  while (loop->body.size() == 1 && loop->body[0].kind == StatementKind::loop) {
    loop = &loop->body[0];
    ids.push_back(loop->id);
  }
  return ids;
}

bool is_rectangular(const Statement& loop, const std::vector<const Statement*>& others) {
  if (print(loop.lower) != "0" || loop.step != 1 || loop.type != "int" || reads_memory(loop.upper))
    return false;
  return std::none_of(others.begin(), others.end(),
                      [&](const Statement* other) { return mentions(loop.upper, other->name); });
}

bool same_bounds(const Statement& a, const Statement& b) {
  return same(a.lower, b.lower) && same(upper_bound(a), upper_bound(b)) && a.step == b.step;
}

// Every iteration writes the whole line before it reads any of it.
bool fills_before_use(const Statement& loop, const std::string& array) {
  const Statement* filler = nullptr;
  bool fine = true;
  for (const Access& access : accesses_of(loop.body, {&loop})) {
    if (access.array != array) continue;
    if (access.loops.size() < 2) return false;
    const Statement* level = access.loops[1];
    if (!filler) {
      if (!access.write || access.statement->op != "=" || access.loops.size() != 2) return false;
      filler = level;
    }
    // Through the counter of the first loop, or of one that runs over the same range.
    const bool plain = access.subscript->kind == ExprKind::variable && access.subscript->text == level->name;
    fine &= plain && same_bounds(*level, *filler);
  }
  return filler && fine;
}

void replace_array(Statements& statements, const std::string& array, const ExprPtr& by,
                   const ExprPtr& offset) {
  const auto change = [&](const ExprPtr& part) {
    if (part->kind != ExprKind::index || part->args[0]->text != array) return part;
    return index(by, binary("+", offset, part->args[1], "int"), part->type);
  };
  for (Statement& statement : statements) {
    for (ExprPtr* expr : {&statement.value, &statement.target, &statement.lower, &statement.upper})
      if (*expr) *expr = rewrite(*expr, change);
    replace_array(statement.body, array, by, offset);
    replace_array(statement.otherwise, array, by, offset);
  }
}

bool used_elsewhere(const Function& function, const Statement& top, const std::string& array) {
  int inside = 0, all = 0;
  visit_expressions(Statements{top}, [&](const ExprPtr& expr) { inside += mentions(expr, array); });
  visit_expressions(function.body, [&](const ExprPtr& expr) { all += mentions(expr, array); });
  return all != inside;
}

std::string type_of(const Statement& top, const std::string& array) {
  std::string type;
  visit_expressions(Statements{top}, [&](const ExprPtr& expr) {
    visit(expr, [&](const Expr& part) {
      if (part.kind == ExprKind::index && part.args[0]->text == array) type = part.type;
    });
  });
  return type;
}

// Splits every loop of the chain, from inside out, behind the first statement of the innermost one.
bool split_chain(Work& work, Function& function, const std::vector<std::string>& chain) {
  const Statement* innermost = find_loop(function.body, chain.back());
  if (innermost->body.size() < 2 || innermost->body[0].kind != StatementKind::loop) return false;
  std::string child = innermost->body[0].id;
  for (std::size_t i = chain.size(); i-- > 0;) {
    if (!isolate(work, function, chain[i], child)) return false;
    child = chain[i];
  }
  return true;
}

bool expand_array(Work& work, Function& function, std::size_t at, const std::string& array) {
  const Statement& top = function.body[at];
  const std::vector<std::string> chain = chain_of(top);
  std::vector<const Statement*> loops;
  for (const std::string& id : chain) loops.push_back(find_loop(function.body, id));
  const Statement& innermost = *loops.back();
  const auto extent = work.program.extents.find(array);
  if (extent == work.program.extents.end() || used_elsewhere(function, top, array)) return false;
  if (!is_analysable(work.program, function, top.body) || !fills_before_use(innermost, array)) return false;
  ExprPtr line, lines;
  for (const Statement* loop : loops) {
    if (!is_rectangular(*loop, loops) || !loop->pragmas.empty()) return false;
    const ExprPtr counter = variable(loop->name, loop->type), count = upper_bound(*loop);
    line = line ? binary("+", binary("*", line, count, "int"), counter, "int") : counter;
    lines = lines ? binary("*", lines, count, "int") : count;
  }
  const std::string type = type_of(top, array), name = fresh_name(work.program, array + "_lines");
  if (!is_floating(type) && !is_integer(type)) return false;
  const Statements saved = function.body;
  work.program.temporaries.insert(name);
  work.program.extents[name] = binary("*", lines, extent->second, "int");
  replace_array(function.body, array, variable(name, type + " *"), binary("*", line, extent->second, "int"));
  if (!split_chain(work, function, chain)) {
    function.body = saved;
    return false;
  }
  const std::string bytes =
      "static_cast<long>(" + print(lines) + ") * " + print(binary("*", number(1), extent->second)).substr(4);
  Statement make = text_lines(type + "* " + name + " = new " + type + "[" + bytes + "];");
  make.comments = {"// One work line per iteration, so that the iterations no longer share " + array + "."};
  const std::size_t added = function.body.size() - saved.size();
  function.body.insert(function.body.begin() + static_cast<long>(at + added) + 1,
                       text_lines("delete[] " + name + ";"));
  function.body.insert(function.body.begin() + static_cast<long>(at), make);
  return true;
}

}  // namespace

bool expand(Work& work, const Step& step) {
  Function* entry = work.program.find(work.program.entry);
  if (!is_open(*entry)) return false;
  for (std::size_t at = 0; at < entry->body.size(); ++at) {
    if (entry->body[at].kind != StatementKind::loop || !wants(step, entry->body[at].id)) continue;
    for (const std::string& array : work.program.dead_buffers)
      if (mentions(Statements{entry->body[at]}, array) && expand_array(work, *entry, at, array))
        return entry->changed = true;
  }
  return false;
}

}  // namespace noctune::rules
