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
  return std::any_of(nest.rows.begin(), nest.rows.end(), [&](const Statement& row) { return mentions(expr, row.name); });
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
    return std::any_of(list.begin(), list.end(), [&](const ExprPtr& f) { return mentions(f, nest.depth.name); });
  };
  return in_depth(nest.row_factors) && in_depth(nest.column_factors);
}

// The body of the j loop: declarations and stores around one k loop that only sums into a scalar declared here.
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

// The factors are packed before anything is stored, so no array may be both.
bool factors_are_read_only(const Contraction& nest) {
  std::set<std::string> stored;
  for (const Statements* list : {&nest.before, &nest.after})
    for (const Statement& statement : *list) {
      if (statement.kind != StatementKind::assign) continue;
      if (statement.target->kind != ExprKind::index) return false;
      stored.insert(statement.target->args[0]->text);
    }
  bool fine = !stored.empty();
  for (const std::vector<ExprPtr>* list : {&nest.row_factors, &nest.column_factors})
    for (const ExprPtr& factor : *list)
      visit(factor, [&](const Expr& part) { fine &= part.kind != ExprKind::index || !stored.count(part.args[0]->text); });
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
  shape.column_block = step.integer("panels", 4) * shape.vectors * shape.lanes;
  if (shape.rows < 1 || shape.vectors < 1 || shape.lanes < 2 || shape.row_block < shape.rows || shape.rows > 16 ||
      shape.vectors > 8 || shape.column_block < 1)
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
    if (statements[at].kind == StatementKind::loop) changed |= contract_one(work, function, step, statements, at);
    else changed |= contract_list(work, function, step, statements[at].body);
  }
  return changed;
}

}  // namespace

std::optional<Contraction> recognise_contraction(const Work& work, const Function& function, const std::string& id) {
  Function copy = function;
  const Statement* loop = find_loop(copy.body, id);
  if (!loop) return {};
  Contraction nest;
  LoopPath path = enclosing_loops(copy.body, id);
  // Every loop down to the one that holds the k loop must have independent iterations.
  while (true) {
    if (!loop->pragmas.empty() || !carried_by(work.program, copy, *loop, path).independent()) return {};
    const bool last = std::any_of(loop->body.begin(), loop->body.end(), [](const Statement& inner) {
      return inner.kind == StatementKind::loop && is_innermost(inner);
    });
    if (last) break;
    if (loop->body.size() != 1 || loop->body[0].kind != StatementKind::loop) return {};
    nest.rows.push_back(emptied(*loop));
    path.push_back(loop);
    loop = &loop->body[0];
  }
  if (nest.rows.empty()) return {};
  nest.column = emptied(*loop);
  if (!read_element(nest, loop->body) || !bounds_fit(nest)) return {};
  if (!factors_are_read_only(nest) || uses_locals(nest)) return {};
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
