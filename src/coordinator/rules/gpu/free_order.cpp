#include "coordinator/rules/gpu/free_order.hpp"

#include <algorithm>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/gpu/loop_guard.hpp"

namespace noctune::rules::gpu {
namespace {

struct Uses {
  std::set<std::string> stored, read, added;  // arrays
  std::vector<ExprPtr> elements;              // all that are stored or read
  std::set<std::string> calls;
  bool understood = true;
};

// x, x + 3, &x[i]
std::string array_behind(const ExprPtr& place) {
  if (place->kind == ExprKind::variable) return place->text;
  const bool address = place->kind == ExprKind::unary && place->text == "&";
  const bool inner = address || place->kind == ExprKind::index || place->text == "+";
  return inner ? array_behind(place->args[0]) : std::string();
}

void note_reads(const ExprPtr& expr, Uses& uses) {
  rewrite(expr, [&](const ExprPtr& part) {
    if (part->kind == ExprKind::call) uses.calls.insert(part->text);
    if (part->kind != ExprKind::index) return part;
    uses.read.insert(array_behind(part));
    uses.elements.push_back(part);
    return part;
  });
}

void note_atomic(const Statement& statement, Uses& uses) {
  const ExprPtr& call = statement.value;
  uses.understood &= call && call->text == "atomicAdd" && call->args.size() == 2;
  if (!uses.understood) return;
  const ExprPtr& place = call->args[0];
  uses.added.insert(array_behind(place));
  note_reads(call->args[1], uses);
  if (place->kind == ExprKind::unary && place->args[0]->kind == ExprKind::index)
    note_reads(place->args[0]->args[1], uses);
  else
    uses.understood &= !reads_memory(place);
}

Uses uses_in(const Statements& body) {
  Uses uses;
  visit(body, [&](const Statement& statement) {
    if (statement.kind == StatementKind::text) return note_atomic(statement, uses);
    for (const ExprPtr& expr : {statement.value, statement.target, statement.lower, statement.upper})
      if (expr) note_reads(expr, uses);
    if (statement.kind == StatementKind::assign && statement.target->kind == ExprKind::index)
      uses.stored.insert(array_behind(statement.target));
  });
  return uses;
}

// c * counter + d with d from 0 to c - 1, up to what is the same everywhere.
bool belong_to_iterations(const std::vector<ExprPtr>& elements, const std::string& array,
                          const Statement& loop) {
  std::optional<Polynomial> first;
  long long low = 0, high = 0, step = 0;
  for (const ExprPtr& element : elements) {
    if (array_behind(element) != array) continue;
    const ExprPtr subscript = substitute(element->args[1], places_in(loop.body));
    const auto place = polynomial_of(subscript);
    const auto stride = stride_in(subscript, loop.name);
    const auto by = stride ? stride->as_constant() : std::nullopt;
    if (!place || !by || *by < 1 || (first && *by != step)) return false;
    if (!first) first = place;
    step = *by;
    const auto apart = (*place - *first).as_constant();
    if (!apart) return false;
    low = std::min(low, *apart);
    high = std::max(high, *apart);
  }
  return high - low < step;
}

}  // namespace

bool has_free_order(const Function& kernel, const Statement& loop, const std::set<std::string>& pure_calls) {
  const Uses uses = uses_in(loop.body);
  const bool changes = !uses.stored.empty() || !uses.added.empty();
  if (!uses.understood || (changes && !kernel.distinct)) return false;
  if (!std::includes(pure_calls.begin(), pure_calls.end(), uses.calls.begin(), uses.calls.end()))
    return false;
  for (const std::string& array : uses.added)
    if (array.empty() || uses.stored.count(array) || uses.read.count(array)) return false;
  return std::all_of(uses.stored.begin(), uses.stored.end(), [&](const std::string& array) {
    return !array.empty() && belong_to_iterations(uses.elements, array, loop);
  });
}

}  // namespace noctune::rules::gpu
