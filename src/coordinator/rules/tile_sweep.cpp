#include "coordinator/rules/tile_sweep.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "coordinator/rules/tile.hpp"

namespace noctune::rules {
namespace {

constexpr long long smallest = 8, largest = 512, first = 64;

// Tiles come before whatever gives the loops to threads and vector units, and before sums leave their arrays.
const std::vector<std::string>& after_tiles() {
  static const std::vector<std::string> rules = {"localise", "expand",   "contract", "partials", "team",
                                                 "hoist",    "jam",      "parallel", "peel",     "unroll",
                                                 "simd",     "restrict", "flags"};
  return rules;
}

// The best speed-up by tile size; 0 where the version failed.
std::map<long long, double> speedup_by_size(const std::vector<RuleOutcome>& tried) {
  std::map<long long, double> best;
  for (const RuleOutcome& outcome : tried)
    for (const Step& step : steps_of(outcome.recipe)) {
      if (step.rule != "tile" || outcome.verdict == Verdict::lost || outcome.verdict == Verdict::duplicate)
        continue;
      double& speedup = best[step.integer("size", first)];
      speedup = std::max(speedup, outcome.verdict == Verdict::ok ? outcome.speedup : 0);
    }
  return best;
}

std::optional<long long> fastest_size(const std::map<long long, double>& speedups) {
  const auto fastest = std::max_element(speedups.begin(), speedups.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  if (fastest == speedups.end() || fastest->second == 0) return {};
  return fastest->first;
}

// Two sizes that are slower than what goes without them are enough.
bool tiles_lose(const std::vector<RuleOutcome>& tried) {
  double fastest = 0;
  for (const RuleOutcome& outcome : tried)
    if (outcome.verdict == Verdict::ok) fastest = std::max(fastest, outcome.speedup);
  const auto speedups = speedup_by_size(tried);
  return speedups.size() >= 2 && std::all_of(speedups.begin(), speedups.end(),
                                             [&](const auto& entry) { return entry.second < 0.9 * fastest; });
}

std::string tile_step(long long size) {
  return "tile(size=" + std::to_string(size) + ")";
}

Steps resized(const Steps& steps, long long size) {
  return with_params(steps, "tile", {{"size", std::to_string(size)}});
}

// Rows that run side by side hide the tiles from the threads, so they come after those.
std::vector<Steps> tiled_versions(const Steps& best, long long size) {
  const Steps plain = without(best, "jam");
  std::vector<Steps> list = {with(plain, tile_step(size), after_tiles())};
  for (const Step& step : best)
    if (step.rule == "jam")
      list.push_back(with(list[0], "jam(rows=" + step.text("rows", "4") + ")",
                          {"peel", "unroll", "simd", "restrict", "flags"}));
  return list;
}

// The loops that tiles of this size would cut, at their place in the recipe.
std::vector<std::string> bands_in(const Work& original, const Steps& steps, long long size) {
  Work work = original;
  for (const Step& step : steps) {
    if (step.rule == "tile") break;
    find_rule(step.rule)->apply(work, step);
  }
  return tile_bands(work, size);
}

// Of nests of three loops and more: tiles over the two innermost ones alone.
std::vector<Steps> inner_bands(const Work& original, const Steps& best, long long size) {
  std::vector<Steps> list;
  for (const std::string& band : bands_in(original, best, size)) {
    const std::size_t last = band.rfind('+');
    const std::size_t inner = last == std::string::npos ? last : band.rfind('+', last - 1);
    if (inner != std::string::npos)
      list.push_back(with_params(best, "tile", {{"loops", band.substr(inner + 1)}}));
  }
  return list;
}

}  // namespace

const char* const tiled_opening =
    "inline;tabulate;rows;fuse;tile(size=64);localise;partials;team;hoist;parallel;simd;flags(set=math)";

std::vector<long long> tile_sizes(const std::vector<RuleOutcome>& tried) {
  std::vector<long long> sizes = {64, 32, 128, 16};
  const auto fastest = fastest_size(speedup_by_size(tried));
  if (!fastest) return sizes;
  for (const long long beyond : {*fastest / 2, *fastest * 2})
    if (beyond >= smallest && beyond <= largest && !std::count(sizes.begin(), sizes.end(), beyond))
      sizes.push_back(beyond);
  const auto distance = [&](long long size) {
    return static_cast<double>(std::max(size, *fastest)) / static_cast<double>(std::min(size, *fastest));
  };
  std::stable_sort(sizes.begin(), sizes.end(),
                   [&](long long a, long long b) { return distance(a) < distance(b); });
  return sizes;
}

std::vector<Steps> cache_variations(const Work& original, const Steps& best,
                                    const std::vector<RuleOutcome>& tried) {
  if (uses(best, "contract")) return {};
  std::vector<Steps> list;
  if (!uses(best, "tile")) {
    if (tiles_lose(tried)) return {};
    for (const long long size : tile_sizes(tried))
      for (const Steps& steps : tiled_versions(best, size))
        if (!bands_in(original, steps, size).empty()) list.push_back(steps);
    return list;
  }
  for (const long long size : tile_sizes(tried)) list.push_back(resized(best, size));
  const long long size = fastest_size(speedup_by_size(tried)).value_or(first);
  for (const Steps& steps : inner_bands(original, best, size)) list.push_back(steps);
  list.push_back(without(best, "tile"));
  return list;
}

}  // namespace noctune::rules
