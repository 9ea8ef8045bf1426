// Rules that keep the loops and change what their bodies do: inlining, accumulation in scalars, hoisting.
#include <algorithm>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {
namespace {

// --- inline ---

bool can_inline(const Function& helper) {
  if (!helper.internal || !helper.understood) return false;
  for (const Parameter& param : helper.params) {
    bool written = false;
    visit(helper.body, [&](const Statement& statement) {
      written |= statement.kind == StatementKind::assign && statement.target->kind == ExprKind::variable &&
                 statement.target->text == param.name;
    });
    if (written) return false;
  }
  return !has_opaque(helper.body);
}

bool inline_call(Program& program, Statement& statement) {
  if (!statement.opaque || !statement.value || statement.value->kind != ExprKind::call) return false;
  const Function* helper = program.find(statement.value->text);
  const std::vector<ExprPtr>& args = statement.value->args;
  if (!helper || !can_inline(*helper) || args.size() != helper->params.size()) return false;
  const std::set<std::string> locals = declared_names(helper->body);
  Substitution replacements;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool simple = args[i]->kind == ExprKind::variable || args[i]->kind == ExprKind::number;
    if (!simple || locals.count(args[i]->text)) return false;
    replacements[helper->params[i].name] = args[i];
  }
  Statement block;
  block.kind = StatementKind::block;
  block.comments = statement.comments;
  block.body = substitute(helper->body, replacements);
  renumber(program, block.body);
  // A helper that is one loop needs no braces of its own.
  if (block.body.size() == 1 && block.body[0].kind == StatementKind::loop) {
    block.body[0].comments = statement.comments;
    const Statement only = block.body[0];
    statement = only;
  } else {
    statement = block;
  }
  return true;
}

bool inline_list(Program& program, Statements& statements) {
  bool changed = false;
  for (Statement& statement : statements) {
    changed |= inline_call(program, statement);
    changed |= inline_list(program, statement.body);
    changed |= inline_list(program, statement.otherwise);
  }
  return changed;
}

bool is_called(const Program& program, const std::string& name) {
  for (const Function& function : program.functions) {
    bool found = false;
    visit(function.body, [&](const Statement& statement) { found |= contains_word(statement.text, name); });
    visit_expressions(function.body, [&](const ExprPtr& expr) {
      visit(expr, [&](const Expr& part) { found |= part.kind == ExprKind::call && part.text == name; });
    });
    if (found || !function.understood) return true;
  }
  return false;
}

// --- localise ---

struct Accumulator {
  ExprPtr target;
  std::string name;
};

bool is_invariant(const ExprPtr& expr, const Statement& loop, const std::set<std::string>& inner) {
  bool fixed = true;
  visit(expr, [&](const Expr& part) {
    if (part.kind == ExprKind::variable) fixed &= part.text != loop.name && !inner.count(part.text);
    if (part.kind == ExprKind::index) fixed = false;
  });
  return fixed;
}

// The updates X[s] += e in the loop whose element is the same in all its iterations and touched in no other
// way.
std::vector<ExprPtr> fixed_updates(const Statement& loop, const LoopPath& outer) {
  LoopPath path = outer;
  path.push_back(&loop);
  const std::vector<Access> all = accesses_of(loop.body, path);
  std::set<std::string> inner = declared_names(loop.body);
  inner.merge(assigned_names(loop.body));
  std::vector<ExprPtr> targets;
  for (const Access& write : all) {
    if (!write.write || !write.update || !is_invariant(write.subscript, loop, inner)) continue;
    const bool alone = std::all_of(all.begin(), all.end(), [&](const Access& other) {
      if (other.array != write.array) return true;
      if (same(other.subscript, write.subscript)) return other.update;
      return relation_of(write, other, loop, inner).kind == Relation::Kind::never;
    });
    const ExprPtr target = write.statement->target;
    const bool known =
        std::any_of(targets.begin(), targets.end(), [&](const ExprPtr& t) { return same(t, target); });
    if (alone && !known) targets.push_back(target);
  }
  return targets;
}

void replace_element(Statements& statements, const ExprPtr& element, const ExprPtr& by) {
  const auto change = [&](const ExprPtr& part) { return same(part, element) ? by : part; };
  for (Statement& statement : statements) {
    for (ExprPtr* expr : {&statement.value, &statement.target, &statement.lower, &statement.upper})
      if (*expr) *expr = rewrite(*expr, change);
    replace_element(statement.body, element, by);
    replace_element(statement.otherwise, element, by);
  }
}

// Elements a constant apart are different elements.
bool touches(const Statement& statement, const ExprPtr& element) {
  const auto place = polynomial_of(element->args[1]);
  for (const Access& access : accesses_of({statement}, {})) {
    if (access.array != element->args[0]->text) continue;
    const auto other = polynomial_of(access.subscript);
    const auto apart = place && other ? (*place - *other).as_constant() : std::nullopt;
    if (!apart || *apart == 0) return true;
  }
  return false;
}

// The store of the starting value that stands before the loop, where nothing in between touches the array.
std::size_t find_start(const Statements& list, std::size_t at, const ExprPtr& target) {
  for (std::size_t i = at; i-- > 0;) {
    const Statement& statement = list[i];
    if (statement.kind == StatementKind::assign && same(statement.target, target)) return i;
    if (statement.kind == StatementKind::text || touches(statement, target)) break;
    if (statement.kind == StatementKind::branch || statement.kind == StatementKind::block) break;
    // A name in the subscript may mean another element above.
    const std::set<std::string> changed = assigned_names({statement});
    if (std::any_of(changed.begin(), changed.end(),
                    [&](const std::string& name) { return mentions(target, name); }))
      break;
  }
  return list.size();
}

std::string accumulator_name(const Program& program, const ExprPtr& target,
                             const std::set<std::string>& taken) {
  const std::string stem = target->args[0]->text + "_sum";
  std::string name = fresh_name(program, stem);
  for (int i = 2; taken.count(name); ++i) name = stem + std::to_string(i);
  return name;
}

ExprPtr start_value(const Statement& start) {
  if (start.op == "=") return start.value;
  return binary(start.op.substr(0, 1), start.target, start.value, start.target->type);
}

// The loop runs at least once and updates the element in every iteration, so it is inside its buffer.
bool surely_updates(const Statement& loop, const ExprPtr& target) {
  const auto low = polynomial_of(loop.lower), high = polynomial_of(upper_bound(loop));
  if (!low || !high || !never_negative(*high - *low - Polynomial::constant(1))) return false;
  return std::any_of(loop.body.begin(), loop.body.end(), [&](const Statement& statement) {
    if (statement.kind == StatementKind::loop) return surely_updates(statement, target);
    return statement.kind == StatementKind::assign && same(statement.target, target);
  });
}

bool localise_loop(Work& work, Function& function, const std::string& id) {
  const Place place = find_place(function.body, id);
  Statements& list = *place.list;
  if (!is_analysable(work.program, function, list[place.at].body)) return false;
  const LoopPath outer = enclosing_loops(function.body, id);
  const std::vector<ExprPtr> targets = fixed_updates(list[place.at], outer);
  std::size_t at = place.at;
  std::set<std::string> taken = declared_names(function.body);
  bool changed = false;
  for (const ExprPtr& target : targets) {
    if (!is_floating(target->type) && !is_integer(target->type)) continue;
    const std::size_t start = find_start(list, at, target);
    const bool safe = start < list.size() ||
                      surely_inside(work.program, target->args[0]->text, target->args[1], outer) ||
                      (work.gpu && surely_updates(list[at], target));
    if (!safe) continue;
    const std::string name = accumulator_name(work.program, target, taken);
    taken.insert(name);
    const ExprPtr sum = variable(name, target->type);
    replace_element(list[at].body, target, sum);
    list.insert(list.begin() + static_cast<long>(at) + 1, assign(target, "=", sum));
    if (start < at) {
      Statement first = declare(target->type, name, start_value(list[start]));
      first.comments = list[start].comments;
      list[start] = first;
    } else {
      list.insert(list.begin() + static_cast<long>(at), declare(target->type, name, target));
      ++at;
    }
    changed = true;
  }
  return changed;
}

// --- hoist ---

// Loads whose element no iteration changes and no iteration stores to.
std::vector<ExprPtr> fixed_loads(const Work& work, const Statement& loop, const LoopPath& outer) {
  LoopPath path = outer;
  path.push_back(&loop);
  std::set<std::string> written;
  const std::vector<Access> all = accesses_of(loop.body, path);
  for (const Access& access : all)
    if (access.write) written.insert(access.array);
  std::set<std::string> inner = declared_names(loop.body);
  inner.merge(assigned_names(loop.body));
  std::vector<ExprPtr> loads;
  visit_expressions(loop.body, [&](const ExprPtr& whole) {
    rewrite(whole, [&](const ExprPtr& part) {
      if (part->kind != ExprKind::index || written.count(part->args[0]->text)) return part;
      const bool fixed = is_invariant(part->args[1], loop, inner);
      const bool known =
          std::any_of(loads.begin(), loads.end(), [&](const ExprPtr& e) { return same(e, part); });
      if (fixed && !known && surely_inside(work.program, part->args[0]->text, part->args[1], outer))
        loads.push_back(part);
      return part;
    });
  });
  return loads;
}

bool hoist_loop(Work& work, Function& function, const std::string& id) {
  const Place place = find_place(function.body, id);
  Statements& list = *place.list;
  if (!is_analysable(work.program, function, list[place.at].body)) return false;
  const LoopPath outer = enclosing_loops(function.body, id);
  if (outer.empty()) return false;
  const std::vector<ExprPtr> loads = fixed_loads(work, list[place.at], outer);
  std::size_t at = place.at;
  std::set<std::string> taken = declared_names(function.body);
  for (const ExprPtr& load : loads) {
    const std::string stem = load->args[0]->text + "_fixed";
    std::string name = fresh_name(work.program, stem);
    for (int i = 2; taken.count(name); ++i) name = stem + std::to_string(i);
    taken.insert(name);
    replace_element(list[at].body, load, variable(name, load->type));
    list.insert(list.begin() + static_cast<long>(at++), declare("const " + load->type, name, load));
  }
  return !loads.empty();
}

// A value that was just stored from a scalar is read from the scalar.
bool forward_stores(Statements& list) {
  bool changed = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    changed |= forward_stores(list[i].body);
    const Statement store = list[i];
    if (store.kind != StatementKind::assign || store.op != "=" || store.target->kind != ExprKind::index)
      continue;
    if (store.value->kind != ExprKind::variable) continue;
    for (std::size_t k = i + 1; k < list.size(); ++k) {
      bool written = list[k].kind == StatementKind::text;
      for (const Access& access : accesses_of({list[k]}, {}))
        written |= access.write && access.array == store.target->args[0]->text;
      visit({list[k]}, [&](const Statement& inner) {
        written |= inner.kind == StatementKind::assign && inner.target->kind == ExprKind::variable &&
                   (inner.target->text == store.value->text || mentions(store.target, inner.target->text));
        written |= inner.kind == StatementKind::loop && mentions(store.target, inner.name);
      });
      if (written) break;
      const std::string before = print(Statements{list[k]}, 0);
      Statements one = {list[k]};
      replace_element(one, store.target, store.value);
      list[k] = one[0];
      changed |= print(Statements{list[k]}, 0) != before;
    }
  }
  return changed;
}

}  // namespace

bool inline_helpers(Work& work, const Step&) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!function.understood || !function.distinct) continue;
    if (inline_list(work.program, function.body)) function.changed = changed = true;
  }
  if (!changed) return false;
  for (Function& function : work.program.functions)
    if (function.internal && !function.removed && !is_called(work.program, function.name)) {
      function.removed = true;
      function.body.clear();
    }
  return true;
}

bool localise(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    // From outside in, so that an accumulator leaves all the loops that it can.
    for (const std::string& id : loop_ids(function.body))
      if (wants(step, id) && localise_loop(work, function, id)) function.changed = changed = true;
    if (function.changed) forward_stores(function.body);
  }
  return changed;
}

bool hoist(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    for (const std::string& id : loop_ids(function.body)) {
      const Statement* loop = find_loop(function.body, id);
      if (wants(step, id) && is_innermost(*loop) && hoist_loop(work, function, id))
        function.changed = changed = true;
    }
  }
  return changed;
}

}  // namespace noctune::rules
