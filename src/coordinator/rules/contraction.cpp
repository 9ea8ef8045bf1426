#include "coordinator/rules/contraction.hpp"

#include <algorithm>

namespace noctune::rules {
namespace {

void split_product(const ExprPtr& expr, std::vector<ExprPtr>& factors) {
  if (expr->kind == ExprKind::binary && expr->text == "*" && is_floating(expr->type)) {
    split_product(expr->args[0], factors);
    split_product(expr->args[1], factors);
  } else {
    factors.push_back(expr);
  }
}

bool mentions_row(const Contraction& nest, const ExprPtr& expr) {
  return std::any_of(nest.rows.begin(), nest.rows.end(),
                     [&](const Statement& row) { return mentions(expr, row.name); });
}

bool sort_factors(Contraction& nest, const ExprPtr& product) {
  std::vector<ExprPtr> factors;
  split_product(product, factors);
  for (const ExprPtr& factor : factors) {
    if (plain_type(factor->type) != nest.sum_type) return false;
    if (mentions(factor, nest.sum)) return false;
    const bool row = mentions_row(nest, factor), column = mentions(factor, nest.column.name);
    if (row && column) return false;
    (column ? nest.column_factors : nest.row_factors).push_back(factor);
  }
  const auto in_depth = [&](const std::vector<ExprPtr>& list) {
    return std::any_of(list.begin(), list.end(),
                       [&](const ExprPtr& f) { return mentions(f, nest.depth.name); });
  };
  return in_depth(nest.row_factors) && in_depth(nest.column_factors);
}

// The body of the j loop: declarations and stores around one k loop that only sums into a scalar declared
// here.
bool read_element(Contraction& nest, const Statements& body) {
  const Statement* depth = nullptr;
  for (const Statement& statement : body) {
    if (statement.kind == StatementKind::loop) {
      if (depth) return false;
      depth = &statement;
    } else if (statement.kind == StatementKind::declare || statement.kind == StatementKind::assign) {
      (depth ? nest.after : nest.before).push_back(statement);
    } else {
      return false;
    }
  }
  if (!depth || depth->body.size() != 1 || depth->step != 1) return false;
  const Statement& update = depth->body[0];
  if (update.kind != StatementKind::assign || update.target->kind != ExprKind::variable) return false;
  if (update.op != "+=" && update.op != "-=") return false;
  nest.sum = update.target->text;
  nest.sum_type = plain_type(update.target->type);
  nest.subtracts = update.op == "-=";
  nest.depth = *depth;
  nest.depth.body.clear();
  if (!is_floating(nest.sum_type)) return false;
  const bool local = std::any_of(nest.before.begin(), nest.before.end(), [&](const Statement& statement) {
    return statement.kind == StatementKind::declare && statement.name == nest.sum && statement.value;
  });
  return local && sort_factors(nest, update.value);
}

bool bounds_fit(const Contraction& nest) {
  std::set<std::string> counters = {nest.column.name};
  for (const Statement& row : nest.rows) counters.insert(row.name);
  for (const std::string& counter : counters)
    if (mentions(nest.depth.lower, counter) || mentions(nest.depth.upper, counter)) return false;
  for (const ExprPtr& bound : {nest.depth.lower, nest.depth.upper, nest.column.lower, nest.column.upper})
    if (reads_memory(bound)) return false;
  for (const Statement& row : nest.rows) {
    if (row.step != 1 || mentions(nest.column.lower, row.name)) return false;
    // A triangle is fine with one row loop only.
    if (mentions(nest.column.upper, row.name) && nest.rows.size() > 1) return false;
    for (const Statement& other : nest.rows)
      if (mentions(row.lower, other.name) || mentions(row.upper, other.name)) return false;
  }
  return nest.column.step == 1;
}

// The factors are packed before anything is stored, so no array may be both, unless its stores come after all
// the reads of their row in the original too.
bool factors_are_read_only(const Contraction& nest, const std::string& stored_last) {
  std::set<std::string> stored;
  for (const Statements* list : {&nest.before, &nest.after})
    for (const Statement& statement : *list) {
      if (statement.kind != StatementKind::assign) continue;
      if (statement.target->kind != ExprKind::index) return false;
      stored.insert(statement.target->args[0]->text);
    }
  bool fine = !stored.empty();
  stored.erase(stored_last);
  for (const std::vector<ExprPtr>* list : {&nest.row_factors, &nest.column_factors})
    for (const ExprPtr& factor : *list)
      visit(factor, [&](const Expr& part) {
        fine &= part.kind != ExprKind::index || !stored.count(part.args[0]->text);
      });
  return fine;
}

bool uses_locals(const Contraction& nest) {
  std::set<std::string> locals;
  for (const Statement& statement : nest.before)
    if (statement.kind == StatementKind::declare) locals.insert(statement.name);
  bool found = false;
  for (const std::vector<ExprPtr>* list : {&nest.row_factors, &nest.column_factors})
    for (const ExprPtr& factor : *list)
      for (const std::string& name : locals) found |= mentions(factor, name);
  return found;
}

// for p { ...; line[p] = s; }  for p { X[f(p)] = line[p]; }   where nobody else reads the work line.
struct LineCopy {
  std::string line;
  ExprPtr target;  // X[f(p)], in terms of the first loop's counter
};

std::optional<LineCopy> read_line_copy(const Work& work, const Function& function, const Statement& row) {
  if (row.body.size() != 2 || row.body[0].kind != StatementKind::loop ||
      row.body[1].kind != StatementKind::loop)
    return {};
  const Statement &first = row.body[0], &copy = row.body[1];
  if (first.body.empty() || copy.body.size() != 1 || copy.body[0].kind != StatementKind::assign) return {};
  const Statement &store = first.body.back(), &move = copy.body[0];
  if (store.kind != StatementKind::assign || store.op != "=" || store.target->kind != ExprKind::index)
    return {};
  if (move.op != "=" || move.target->kind != ExprKind::index || move.value->kind != ExprKind::index)
    return {};
  const std::string line = store.target->args[0]->text;
  const bool plain = print(store.target->args[1]) == first.name && print(move.value->args[1]) == copy.name;
  if (!plain || move.value->args[0]->text != line || !work.program.dead_buffers.count(line)) return {};
  if (!same(first.lower, copy.lower) || !same(upper_bound(first), upper_bound(copy)) || copy.step != 1)
    return {};
  int inside = 0, all = 0;
  visit_expressions(Statements{row}, [&](const ExprPtr& expr) { inside += mentions(expr, line); });
  visit_expressions(function.body, [&](const ExprPtr& expr) { all += mentions(expr, line); });
  if (inside != 2 || all != 2) return {};
  return LineCopy{line, substitute(move.target, {{copy.name, variable(first.name, first.type)}})};
}

// Iterations share nothing but, perhaps, the work line.
bool rows_are_independent(const Carried& carried, const std::optional<LineCopy>& copy) {
  std::set<std::string> conflicts = carried.conflicts;
  if (copy) conflicts.erase(copy->line);
  return carried.understood && conflicts.empty() && carried.accumulated.empty() && carried.reductions.empty();
}

const Statement* innermost_row(const Statement& top) {
  const Statement* loop = &top;
  while (loop->body.size() == 1 && loop->body[0].kind == StatementKind::loop) loop = &loop->body[0];
  return loop;
}

Statement emptied(const Statement& loop) {
  Statement copy = loop;
  copy.body.clear();
  return copy;
}

bool contract_list(Work& work, Function& function, const Step& step, Statements& statements);

bool contract_one(Work& work, Function& function, const Step& step, Statements& statements, std::size_t& at) {
  const std::string id = statements[at].id;
  const auto nest = wants(step, id) ? recognise_contraction(work, function, id) : std::nullopt;
  if (!nest) return contract_list(work, function, step, statements[at].body);
  TileShape shape;
  const int bytes = nest->sum_type == "double" ? 8 : 4;
  shape.lanes = work.vector_bytes / bytes;
  shape.rows = static_cast<int>(step.integer("rows", work.vector_bytes >= 64 ? 8 : 4));
  shape.vectors = static_cast<int>(step.integer("vectors", 3));
  shape.row_block = step.integer("block", 64) / shape.rows * shape.rows;
  shape.column_block = step.integer("panels", 8) * shape.vectors * shape.lanes;
  if (shape.rows < 1 || shape.vectors < 1 || shape.lanes < 2 || shape.row_block < shape.rows ||
      shape.rows > 16 || shape.vectors > 8 || shape.column_block < 1)
    return false;
  const Statements code = print_contraction(work.program, *nest, shape);
  statements.erase(statements.begin() + static_cast<long>(at));
  statements.insert(statements.begin() + static_cast<long>(at), code.begin(), code.end());
  at += code.size() - 1;
  return true;
}

bool contract_list(Work& work, Function& function, const Step& step, Statements& statements) {
  bool changed = false;
  for (std::size_t at = 0; at < statements.size(); ++at) {
    if (!statements[at].pragmas.empty()) continue;
    if (statements[at].kind == StatementKind::loop)
      changed |= contract_one(work, function, step, statements, at);
    else
      changed |= contract_list(work, function, step, statements[at].body);
  }
  return changed;
}

}  // namespace

std::optional<Contraction> recognise_contraction(const Work& work, const Function& function,
                                                 const std::string& id) {
  Function copy = function;
  const Statement* loop = find_loop(copy.body, id);
  if (!loop) return {};
  Contraction nest;
  LoopPath path = enclosing_loops(copy.body, id);
  const auto line = read_line_copy(work, copy, *innermost_row(*loop));
  // Every loop down to the one that holds the k loop must have independent iterations.
  while (true) {
    if (!loop->pragmas.empty() || !rows_are_independent(carried_by(work.program, copy, *loop, path), line))
      return {};
    const bool last = std::any_of(loop->body.begin(), loop->body.end(), [](const Statement& inner) {
      return inner.kind == StatementKind::loop && is_innermost(inner);
    });
    const bool has_copy = line && read_line_copy(work, copy, *loop);
    if (last && !has_copy) break;
    if (!has_copy && (loop->body.size() != 1 || loop->body[0].kind != StatementKind::loop)) return {};
    nest.rows.push_back(emptied(*loop));
    path.push_back(loop);
    loop = &loop->body[0];
  }
  if (nest.rows.empty()) return {};
  nest.column = emptied(*loop);
  if (!read_element(nest, loop->body) || !bounds_fit(nest)) return {};
  if (line) nest.after.back().target = line->target;
  nest.in_place = line.has_value();
  if (!factors_are_read_only(nest, line ? line->target->args[0]->text : "") || uses_locals(nest)) return {};
  return nest;
}

bool contract(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    Function copy = function;
    if (contract_list(work, copy, step, function.body)) function.changed = changed = true;
  }
  return changed;
}

}  // namespace noctune::rules
