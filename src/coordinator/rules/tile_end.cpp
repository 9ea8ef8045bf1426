#include "coordinator/rules/tile_end.hpp"

#include "coordinator/rules/polynomial.hpp"

namespace noctune::rules {

ExprPtr tile_end(const ExprPtr& tile, long long size, const ExprPtr& whole) {
  const ExprPtr rest = binary("-", whole, tile, tile->type);
  const ExprPtr full = binary(">", rest, number(size), "bool");
  return node(ExprKind::select, "", tile->type, {full, plus(tile, size), whole});
}

std::optional<TileEnd> tile_end_of(const Statement& loop) {
  if (loop.kind != StatementKind::loop || loop.inclusive || loop.upper->kind != ExprKind::select) return {};
  if (loop.lower->kind != ExprKind::variable || loop.upper->args[1]->kind != ExprKind::binary) return {};
  const auto size = constant_of(loop.upper->args[1]->args[1]);
  const ExprPtr& whole = loop.upper->args[2];
  if (!size || *size < 1 || !same(loop.upper, tile_end(loop.lower, *size, whole))) return {};
  return TileEnd{loop.lower->text, *size, whole};
}

}  // namespace noctune::rules
