// Rules that change the order of iterations: distribution, interchange, fusion, expansion.
#include <algorithm>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {
namespace {

bool both_update(const Access& a, const Access& b) {
  return a.update && b.update;
}

bool mentions_any_of(const Statements& statements, const std::set<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return mentions(statements, name); });
}

// True when all of `first` in every iteration may run before all of `second`.
bool can_split(const Statement& loop, const LoopPath& outer, const Statements& first,
               const Statements& second) {
  if (mentions_any_of(second, declared_names(first)) && !first.empty()) {
    // Counters of inner loops are declared anew; only plain declarations are carried over.
    std::set<std::string> scalars;
    for (const Statement& statement : first)
      if (statement.kind == StatementKind::declare) scalars.insert(statement.name);
    if (mentions_any_of(second, scalars)) return false;
  }
  if (writes_outer_scalar(first) || writes_outer_scalar(second)) return false;
  LoopPath path = outer;
  path.push_back(&loop);
  const std::vector<Access> before = accesses_of(first, path), after = accesses_of(second, path);
  for (const Access& a : before)
    for (const Access& b : after) {
      if (a.array != b.array || (!a.write && !b.write)) continue;
      const Relation relation = relation_of(a, b, loop);
      if (relation.kind == Relation::Kind::never) continue;
      if (relation.kind != Relation::Kind::exact || relation.distance < 0) return false;
    }
  return true;
}

Statement part_of(Program& program, const Statement& loop, Statements body, bool first) {
  Statement part = loop;
  part.body = std::move(body);
  if (!first) {
    part.id = new_id(program, loop.name);
    part.comments.clear();
  }
  return part;
}

}  // namespace

bool writes_outer_scalar(const Statements& body) {
  const std::set<std::string> own = declared_names(body);
  bool found = false;
  visit(body, [&](const Statement& statement) {
    found |= statement.kind == StatementKind::assign && statement.target->kind == ExprKind::variable &&
             !own.count(statement.target->text);
  });
  return found;
}

bool isolate(Work& work, Function& function, const std::string& outer_id, const std::string& id) {
  const Place place = find_place(function.body, outer_id);
  const Statement loop = (*place.list)[place.at];
  const LoopPath outer = enclosing_loops(function.body, outer_id);
  std::size_t at = 0;
  while (at < loop.body.size() && loop.body[at].id != id) ++at;
  if (at == loop.body.size()) return false;
  const auto begin = loop.body.begin();
  const Statements before(begin, begin + static_cast<long>(at)),
      middle = {loop.body[at]}, after(begin + static_cast<long>(at) + 1, loop.body.end());
  if (!is_analysable(work.program, function, loop.body)) return false;
  Statements middle_and_after = middle;
  middle_and_after.insert(middle_and_after.end(), after.begin(), after.end());
  if (!before.empty() && !can_split(loop, outer, before, middle_and_after)) return false;
  if (!after.empty() && !can_split(loop, outer, middle, after)) return false;
  Statements parts;
  if (!before.empty()) parts.push_back(part_of(work.program, loop, before, true));
  Statement alone = part_of(work.program, loop, middle, before.empty());
  alone.id = outer_id;
  if (!before.empty()) parts.back().id = new_id(work.program, loop.name);
  parts.push_back(alone);
  if (!after.empty()) parts.push_back(part_of(work.program, loop, after, false));
  Statements& list = *place.list;
  list.erase(list.begin() + static_cast<long>(place.at));
  list.insert(list.begin() + static_cast<long>(place.at), parts.begin(), parts.end());
  return true;
}

namespace {

bool can_swap(const Work& work, const Function& function, const Statement& outer, const LoopPath& above) {
  if (outer.body.size() != 1 || outer.body[0].kind != StatementKind::loop) return false;
  const Statement& inner = outer.body[0];
  if (mentions(inner.lower, outer.name) || mentions(inner.upper, outer.name)) return false;
  if (reads_memory(inner.lower) || reads_memory(inner.upper)) return false;
  if (!is_analysable(work.program, function, outer.body) || writes_outer_scalar(inner.body)) return false;
  LoopPath path = above;
  path.push_back(&outer);
  const std::vector<Access> all = accesses_of(outer.body, path);
  for (const Access& a : all)
    for (const Access& b : all) {
      if (a.array != b.array || !a.write || both_update(a, b)) continue;
      const Relation relation = relation_of(a, b, outer);
      const bool same_iteration = relation.kind == Relation::Kind::exact && relation.distance == 0;
      if (relation.kind != Relation::Kind::never && !same_iteration) return false;
    }
  return true;
}

bool swap_loops(Work& work, Function& function, const std::string& id) {
  Statement* outer = find_loop(function.body, id);
  if (!outer || !can_swap(work, function, *outer, enclosing_loops(function.body, id))) return false;
  Statement inner = outer->body[0];
  Statement moved = *outer;
  moved.body = inner.body;
  inner.comments = outer->comments;
  moved.comments.clear();
  inner.body = {moved};
  *outer = inner;
  return true;
}

// double s = a; for (...) s += e; X[t] = s;   becomes   X[t] = a; for (...) X[t] += e;
bool to_array_sums(Statements& body) {
  if (body.size() != 3 || body[0].kind != StatementKind::declare || !body[0].value) return false;
  if (body[1].kind != StatementKind::loop || body[2].kind != StatementKind::assign) return false;
  const std::string& name = body[0].name;
  const ExprPtr target = body[2].target;
  if (target->kind != ExprKind::index || body[2].op != "=" || body[2].value->kind != ExprKind::variable)
    return false;
  if (body[2].value->text != name || body[1].body.size() != 1) return false;
  Statement& sum = body[1].body[0];
  if (sum.kind != StatementKind::assign || sum.target->kind != ExprKind::variable || sum.target->text != name)
    return false;
  if ((sum.op != "+=" && sum.op != "-=") || mentions(sum.value, name)) return false;
  bool read = false;
  visit(sum.value, [&](const Expr& part) {
    read |= part.kind == ExprKind::index && part.args[0]->text == target->args[0]->text;
  });
  if (read) return false;
  sum.target = target;
  Statement start = assign(target, "=", body[0].value);
  body = {start, body[1]};
  return true;
}

// Some array is walked down its columns by the inner loop but along its rows by the outer one.
bool walks_columns(const Statement& outer, const Statement& inner) {
  bool found = false;
  for (const Access& access : accesses_of(inner.body, {&outer, &inner})) {
    const auto across = stride_in(access.subscript, outer.name),
               down = stride_in(access.subscript, inner.name);
    found |= across && down && across->as_constant() == 1 && !down->as_constant();
  }
  return found;
}

bool rows_in(Work& work, Function& function, const std::string& id) {
  const Statement* found = find_loop(function.body, id);
  if (!found) return false;
  std::string inner_id;
  for (const Statement& statement : found->body)
    if (statement.kind == StatementKind::loop && is_innermost(statement) && walks_columns(*found, statement))
      inner_id = statement.id;
  if (inner_id.empty()) return false;
  const Statements saved = function.body;
  to_array_sums(find_loop(function.body, id)->body);
  if (isolate(work, function, id, inner_id) && swap_loops(work, function, id)) return true;
  function.body = saved;
  return false;
}

// --- fuse ---

bool same_header(const Statement& a, const Statement& b) {
  return a.type == b.type && a.step == b.step && same(a.lower, b.lower) &&
         same(upper_bound(a), upper_bound(b));
}

bool share_reads(const Statements& first, const Statements& second) {
  std::set<std::string> seen;
  bool shared = false;
  for (const Access& access : accesses_of(first, {}))
    if (!access.write) seen.insert(access.array);
  for (const Access& access : accesses_of(second, {})) shared |= !access.write && seen.count(access.array);
  return shared;
}

bool clash(const Statements& first, const Statements& second) {
  std::set<std::string> scalars;
  for (const Statement& statement : first)
    if (statement.kind == StatementKind::declare) scalars.insert(statement.name);
  for (const Statement& statement : second)
    if (statement.kind == StatementKind::declare && scalars.count(statement.name)) return true;
  return writes_outer_scalar(first) || writes_outer_scalar(second);
}

std::optional<Statement> fused(const Work& work, const Function& function, const Statement& a,
                               const Statement& b, const LoopPath& outer) {
  if (!same_header(a, b) || !a.pragmas.empty() || !b.pragmas.empty()) return {};
  if (!is_analysable(work.program, function, a.body) || !is_analysable(work.program, function, b.body))
    return {};
  // The second loop's counter takes the first one's name; the name must be free there.
  const bool renames = a.name != b.name;
  if (renames && mentions(b.body, a.name)) {
    bool own = declared_names(b.body).count(a.name) > 0;
    if (!own) return {};
  }
  Statements second = b.body;
  if (renames && declared_names(second).count(a.name))
    second = substitute(second, {{a.name, variable(b.name, a.type)}, {b.name, variable(a.name, a.type)}});
  else if (renames)
    second = substitute(second, {{b.name, variable(a.name, a.type)}});
  if (clash(a.body, second) || !share_reads(a.body, second)) return {};
  Statement joint = a;
  joint.threaded = false;  // nobody has said that of both bodies together
  joint.body.insert(joint.body.end(), second.begin(), second.end());
  LoopPath path = outer;
  path.push_back(&joint);
  for (const Access& x : accesses_of(a.body, path))
    for (const Access& y : accesses_of(second, path)) {
      if (x.array != y.array || (!x.write && !y.write) || both_update(x, y)) continue;
      const Relation relation = relation_of(x, y, joint);
      if (relation.kind == Relation::Kind::never) continue;
      if (relation.kind != Relation::Kind::exact || relation.distance < 0) return {};
    }
  return joint;
}

bool fuse_list(Work& work, const Function& function, Statements& list, LoopPath outer) {
  bool changed = false;
  for (std::size_t i = 0; i + 1 < list.size();) {
    const bool loops = list[i].kind == StatementKind::loop && list[i + 1].kind == StatementKind::loop;
    const auto joint = loops ? fused(work, function, list[i], list[i + 1], outer) : std::nullopt;
    if (!joint) {
      ++i;
      continue;
    }
    list[i] = *joint;
    list.erase(list.begin() + static_cast<long>(i) + 1);
    changed = true;
  }
  for (Statement& statement : list) {
    LoopPath inner = outer;
    if (statement.kind == StatementKind::loop) inner.push_back(&statement);
    changed |= fuse_list(work, function, statement.body, inner);
  }
  return changed;
}

}  // namespace

bool interchange(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    for (const std::string& id : loop_ids(function.body))
      if (wants(step, id) && swap_loops(work, function, id)) function.changed = changed = true;
  }
  return changed;
}

bool rows(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    for (const std::string& id : loop_ids(function.body))
      if (wants(step, id) && rows_in(work, function, id)) function.changed = changed = true;
  }
  return changed;
}

bool fuse(Work& work, const Step&) {
  bool changed = false;
  for (Function& function : work.program.functions)
    if (is_open(function) && fuse_list(work, function, function.body, {})) function.changed = changed = true;
  return changed;
}

}  // namespace noctune::rules
