// Cache tiling: loops of a permutable nest run tile by tile, so that what a tile touches stays in the cache.
#include "coordinator/rules/tile.hpp"

#include <algorithm>
#include <sstream>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/tile_end.hpp"
#include "coordinator/rules/tile_gain.hpp"

namespace noctune::rules {
namespace {

using Ids = std::vector<std::string>;

bool contains(const Ids& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

Ids split_ids(const std::string& text) {
  Ids ids;
  std::istringstream list(text);
  for (std::string id; std::getline(list, id, '+');) ids.push_back(id);
  return ids;
}

bool holds_tiles(const Statement& loop) {
  bool found = false;
  visit({loop}, [&](const Statement& statement) { found |= tile_end_of(statement).has_value(); });
  return found;
}

// The loops from `top` down to `last`, where each is all that the one before it does; else nothing.
LoopPath perfect_nest(const Function& function, const std::string& top, const std::string& last) {
  LoopPath nest;
  const Statement* loop = find_loop(const_cast<Statements&>(function.body), top);
  while (loop) {
    nest.push_back(loop);
    if (loop->id == last) return nest;
    const bool perfect = loop->body.size() == 1 && loop->body[0].kind == StatementKind::loop;
    loop = perfect ? &loop->body[0] : nullptr;
  }
  return {};
}

// --- legality ---

// Two accesses of one element keep their order when loops of the nest are cut into tiles: no loop may bring
// forward what another one puts off.
bool keep_order(const Access& a, const Access& b, const LoopPath& nest) {
  if (a.array != b.array || !a.write || (a.update && b.update)) return true;
  std::set<std::string> outer;
  bool forward = false, backward = false;
  int unknown = 0;
  for (const Statement* loop : nest) {
    const Relation relation = relation_of(a, b, *loop, outer);
    if (relation.kind == Relation::Kind::never) return true;
    unknown += relation.kind == Relation::Kind::unknown;
    forward |= relation.kind == Relation::Kind::exact && relation.distance > 0;
    backward |= relation.kind == Relation::Kind::exact && relation.distance < 0;
    outer.insert(loop->name);
  }
  return unknown + forward + backward <= 1;
}

bool is_permutable(const Work& work, const Function& function, const LoopPath& nest, const LoopPath& outer) {
  if (!is_analysable(work.program, function, nest.front()->body)) return false;
  if (writes_outer_scalar(nest.back()->body)) return false;
  LoopPath path = outer;
  path.push_back(nest.front());
  const std::vector<Access> all = accesses_of(nest.front()->body, path);
  return std::all_of(all.begin(), all.end(), [&](const Access& a) {
    return std::all_of(all.begin(), all.end(), [&](const Access& b) { return keep_order(a, b, nest); });
  });
}

// Tile loops need counters that can step past the end, and bounds that hold for the whole nest.
bool can_be_cut(const Statement& loop, const LoopPath& nest) {
  if (plain_type(loop.type).find("short") != std::string::npos) return false;
  const auto value = constant_of(loop.upper);
  if (!value && (!is_integer(loop.upper->type) || is_signed(loop.upper->type) != is_signed(loop.type)))
    return false;
  return std::none_of(nest.begin(), nest.end(), [&](const Statement* other) {
    return mentions(loop.lower, other->name) || mentions(loop.upper, other->name);
  });
}

bool is_legal(const Work& work, const Function& function, const LoopPath& nest, const Ids& chosen) {
  if (nest.size() < 2 || holds_tiles(*nest.front())) return false;
  for (const Statement* loop : nest) {
    if (!loop->pragmas.empty() || reads_memory(loop->lower) || reads_memory(loop->upper)) return false;
    if (contains(chosen, loop->id) && !can_be_cut(*loop, nest)) return false;
  }
  return is_permutable(work, function, nest, enclosing_loops(function.body, nest.front()->id));
}

// --- making the nest ---

// Splits loops until those named, from outside in, are perfectly nested.
bool isolate_all(Work& work, Function& function, const Ids& ids) {
  for (std::size_t i = ids.size() - 1; i-- > 0;)
    if (!isolate(work, function, ids[i], ids[i + 1])) return false;
  return true;
}

// The tile loops may as well stand further out, where that is legal too.
std::string highest_top(Work& work, Function& function, std::string top, const Ids& chosen) {
  for (;;) {
    const LoopPath above = enclosing_loops(function.body, top);
    if (above.empty()) return top;
    const std::string parent = above.back()->id;
    const Statements saved = function.body;
    if (!isolate(work, function, parent, top) ||
        !is_legal(work, function, perfect_nest(function, parent, chosen.back()), chosen)) {
      function.body = saved;
      return top;
    }
    top = parent;
  }
}

Statement tile_loop(Program& program, const Statement& loop, long long size) {
  Statement tiles =
      make_loop(loop.type, fresh_name(program, loop.name + "_tile"), loop.lower, upper_bound(loop), {});
  tiles.step = size * loop.step;
  tiles.id = new_id(program, tiles.name);
  return tiles;
}

void cut(Work& work, Function& function, const std::string& top, const Ids& chosen, long long size) {
  Statements tiles;
  for (const std::string& id : chosen) {
    Statement& loop = *find_loop(function.body, id);
    tiles.push_back(tile_loop(work.program, loop, size));
    const ExprPtr start = variable(tiles.back().name, loop.type);
    loop.upper = tile_end(start, tiles.back().step, upper_bound(loop));
    loop.inclusive = false;
    loop.lower = start;
  }
  Statement& place = *find_loop(function.body, top);
  tiles.front().comments.swap(place.comments);
  for (std::size_t i = tiles.size(); i-- > 0;) {
    tiles[i].body = {place};
    const Statement whole = tiles[i];
    place = whole;
  }
}

// `nest`: all loops from the first to the last chosen one. Leaves the function as it was where that is
// illegal.
bool tile_nest(Work& work, Function& function, const Ids& nest, const Ids& chosen, long long size) {
  const Statements saved = function.body;
  if (isolate_all(work, function, nest)) {
    const std::string top = highest_top(work, function, nest.front(), chosen);
    if (is_legal(work, function, perfect_nest(function, top, chosen.back()), chosen)) {
      cut(work, function, top, chosen, size);
      return true;
    }
  }
  function.body = saved;
  return false;
}

// --- which loops ---

bool tile_named(Work& work, Function& function, const Ids& chosen, long long size) {
  const Statement* first = find_loop(function.body, chosen.front());
  if (!first || !find_loop(function.body, chosen.back())) return false;
  Ids nest;
  for (const Statement* loop : enclosing_loops(function.body, chosen.back())) nest.push_back(loop->id);
  nest.push_back(chosen.back());
  const auto begin = std::find(nest.begin(), nest.end(), chosen.front());
  nest.erase(nest.begin(), begin);
  Ids in_order;
  for (const std::string& id : nest)
    if (contains(chosen, id)) in_order.push_back(id);
  return in_order == chosen && tile_nest(work, function, nest, chosen, size);
}

int depth_of(const Statement& loop) {
  int deepest = 0;
  for (const Statement& statement : loop.body)
    if (statement.kind == StatementKind::loop) deepest = std::max(deepest, depth_of(statement));
  return deepest + 1;
}

// The loop and those inside, as long as one goes deeper than its neighbours, which may be split off then.
Ids deepest_loops(const Statement& top) {
  Ids ids = {top.id};
  for (const Statement* loop = &top; loop;) {
    const Statement* deepest = nullptr;
    int depth = 0, count = 0;
    for (const Statement& statement : loop->body) {
      const int mine = statement.kind == StatementKind::loop ? depth_of(statement) : 0;
      count = mine > depth ? 1 : count + (mine > 0 && mine == depth);
      if (mine > depth) deepest = &statement;
      depth = std::max(depth, mine);
    }
    loop = count == 1 ? deepest : nullptr;
    if (loop) ids.push_back(loop->id);
  }
  return ids;
}

Ids loops_to_cut(const Work& work, const LoopPath& nest, long long size) {
  Ids ids;
  for (const Statement* loop : nest) {
    const bool longer = trips_of(work.program, *loop) > static_cast<double>(size);
    if (longer && can_be_cut(*loop, nest)) ids.push_back(loop->id);
  }
  return ids;
}

// Tiles the deepest nest under the loop that gains from it; returns the loops that were cut.
Ids tile_below(Work& work, Function& function, const std::string& id, long long size) {
  const Statement* top = find_loop(function.body, id);
  if (!top || holds_tiles(*top)) return {};
  const Statements saved = function.body;
  for (Ids nest = deepest_loops(*top); nest.size() > 1; nest.pop_back()) {
    if (isolate_all(work, function, nest)) {
      const LoopPath loops = perfect_nest(function, nest.front(), nest.back());
      const bool gains = gains_from_tiles(work, loops, enclosing_loops(function.body, nest.front()));
      const Ids chosen = gains ? loops_to_cut(work, loops, size) : Ids{};
      if (!chosen.empty()) {
        Ids upto = nest;
        while (upto.back() != chosen.back()) upto.pop_back();
        if (tile_nest(work, function, upto, chosen, size)) return chosen;
      }
    }
    function.body = saved;
  }
  return {};
}

std::vector<Ids> tile_all(Work& work, const Step& step, long long size) {
  std::vector<Ids> bands;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    for (const std::string& id : loop_ids(function.body)) {
      if (!wants(step, id)) continue;
      const Ids chosen = tile_below(work, function, id, size);
      if (chosen.empty()) continue;
      bands.push_back(chosen);
      function.changed = true;
    }
  }
  return bands;
}

}  // namespace

std::vector<std::string> tile_bands(const Work& work, long long size) {
  Work trial = work;
  std::vector<std::string> bands;
  for (const Ids& ids : tile_all(trial, {}, size)) {
    std::string text;
    for (const std::string& id : ids) text += (text.empty() ? "" : "+") + id;
    bands.push_back(text);
  }
  return bands;
}

bool tile(Work& work, const Step& step) {
  const long long size = step.integer("size", 64);
  if (size < 2 || size > 65536) return false;
  const Ids chosen = split_ids(step.text("loops", ""));
  if (chosen.empty()) return !tile_all(work, step, size).empty();
  if (!wants(step, chosen.front())) return false;
  bool changed = false;
  for (Function& function : work.program.functions)
    if (is_open(function) && tile_named(work, function, chosen, size)) function.changed = changed = true;
  return changed;
}

}  // namespace noctune::rules
