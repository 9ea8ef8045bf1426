// The bound of a loop that runs through one tile: for (i = t; i < (last - t > size ? t + size : last); ++i).
// Tiles are recognised by this form alone, so rules that change a bound lose what was known about it.
#pragma once

#include <optional>
#include <string>

#include "coordinator/rules/statement.hpp"

namespace noctune::rules {

struct TileEnd {
  std::string counter;  // of the loop over tiles: t
  long long size = 0;
  ExprPtr whole;  // where the loop ended before it was cut into tiles
};

// t + size may exceed the type's range only where it is not taken.
ExprPtr tile_end(const ExprPtr& tile, long long size, const ExprPtr& whole);
std::optional<TileEnd> tile_end_of(const Statement& loop);

}  // namespace noctune::rules
