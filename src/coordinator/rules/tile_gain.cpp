#include "coordinator/rules/tile_gain.hpp"

#include <algorithm>
#include <cstdlib>

namespace noctune::rules {
namespace {

constexpr long long line_bytes = 64;

using Bytes = std::map<std::string, long long>;

// Size of an element, by array.
Bytes element_bytes(const Statements& statements) {
  Bytes bytes;
  visit_expressions(statements, [&](const ExprPtr& expr) {
    visit(expr, [&](const Expr& part) {
      if (part.kind != ExprKind::index) return;
      const bool half = part.type == "float" || part.type == "int" || part.type == "unsigned int";
      bytes[part.args[0]->text] = half ? 4 : 8;
    });
  });
  return bytes;
}

// Trips of the loops inside the given one, by counter.
std::map<std::string, double> trips_inside(const Program& program, const Access& access,
                                           const Statement& loop) {
  std::map<std::string, double> trips;
  const auto at = std::find(access.loops.begin(), access.loops.end(), &loop);
  if (at == access.loops.end()) return trips;
  for (auto level = at + 1; level != access.loops.end(); ++level)
    if (mentions(access.subscript, (*level)->name)) trips[(*level)->name] = trips_of(program, **level);
  return trips;
}

// Counters with a common stride, as in i + di, add up; others multiply.
double elements_inside(const Program& program, const Access& access, const Statement& loop) {
  const auto trips = trips_inside(program, access, loop);
  const auto subscript = polynomial_of(access.subscript);
  std::map<Monomial, double> spans;
  double elements = 1;
  for (const auto& [counter, count] : trips) {
    if (!subscript) elements *= count;
    if (!subscript) continue;
    for (const auto& [monomial, coefficient] : subscript->terms()) {
      Monomial stride = monomial;
      const auto found = std::find(stride.begin(), stride.end(), counter);
      if (found == stride.end()) continue;
      stride.erase(found);
      spans[stride] += count;
    }
  }
  for (const auto& [stride, span] : spans) elements *= span;
  return elements;
}

// What one iteration of the loop touches.
double bytes_of_iteration(const Program& program, const std::vector<Access>& all, const Bytes& bytes,
                          const Statement& loop) {
  std::map<std::string, double> arrays;
  for (const Access& access : all) {
    double& most = arrays[access.array];
    const double size = static_cast<double>(bytes.at(access.array));
    most = std::max(most, elements_inside(program, access, loop) * size);
  }
  double total = 0;
  for (const auto& [array, size] : arrays) total += size;
  return total;
}

// Later iterations of the loop come back to what one of them touches.
bool reuses_data(const Program& program, const std::vector<Access>& all, const Statement& loop) {
  for (const Access& a : all) {
    if (elements_inside(program, a, loop) <= 1) continue;
    if (!mentions(a.subscript, loop.name)) return true;
    for (const Access& b : all) {
      if (b.array != a.array) continue;
      const Relation relation = relation_of(a, b, loop);
      if (relation.kind == Relation::Kind::exact && relation.distance != 0) return true;
    }
  }
  return false;
}

enum class Walk { fixed, along, across };

// How the access moves through memory with the counter: not at all, within cache lines, or from line to line.
Walk walk_of(const Access& access, const std::string& counter, const Bytes& bytes) {
  const auto stride = stride_in(access.subscript, counter);
  const auto step = stride ? stride->as_constant() : std::nullopt;
  if (!step) return Walk::across;
  if (*step == 0) return Walk::fixed;
  return std::llabs(*step) * bytes.at(access.array) < line_bytes ? Walk::along : Walk::across;
}

// One array is walked along its rows where another is walked down its columns, and the other way round.
bool walks_transposed(const std::vector<Access>& all, const Bytes& bytes, const Statement& loop,
                      const Statement& innermost) {
  bool down = false, right = false;
  for (const Access& access : all) {
    const Walk inner = walk_of(access, innermost.name, bytes), outer = walk_of(access, loop.name, bytes);
    down |= inner == Walk::across && outer == Walk::along;
    right |= inner == Walk::along && outer == Walk::across;
  }
  return down && right;
}

}  // namespace

double trips_of(const Program& program, const Statement& loop) {
  Statement empty = loop;
  empty.body.clear();
  return work_of(program, empty);
}

bool gains_from_tiles(const Work& work, const LoopPath& band, const LoopPath& outer) {
  LoopPath path = outer;
  path.push_back(band.front());
  const std::vector<Access> all = accesses_of(band.front()->body, path);
  const Bytes bytes = element_bytes(band.front()->body);
  const Statement& innermost = *band.back();
  const auto cache = static_cast<double>(work.l1_bytes);
  const double lines = trips_of(work.program, innermost) * static_cast<double>(line_bytes);
  return std::any_of(band.begin(), band.end(), [&](const Statement* loop) {
    if (loop != &innermost && lines > cache && walks_transposed(all, bytes, *loop, innermost)) return true;
    return reuses_data(work.program, all, *loop) &&
           bytes_of_iteration(work.program, all, bytes, *loop) > cache;
  });
}

}  // namespace noctune::rules
