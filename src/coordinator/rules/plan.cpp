#include "coordinator/rules/plan.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "coordinator/rules/gpu/gpu_plan.hpp"
#include "coordinator/rules/prior_order.hpp"
#include "coordinator/rules/recipe.hpp"
#include "coordinator/rules/step_list.hpp"
#include "coordinator/rules/tile_sweep.hpp"

namespace noctune::rules {
namespace {

// Keeps the steps that find something to change, in their order.
Steps applicable(const Work& original, const Steps& wanted) {
  Work work = original;
  Steps kept;
  for (const Step& step : wanted)
    if (find_rule(step.rule)->apply(work, step)) kept.push_back(step);
  return kept;
}

// --- openings ---

using gpu::Opening;

// One strong combination per kind of kernel first, then simpler ones that isolate a mechanism.
const std::vector<Opening>& openings() {
  static const std::vector<Opening> list = {
      {"inline;localise;contract;parallel;simd;restrict", {"contract"}},
      {"inline;localise;expand;contract;parallel;simd;restrict", {"contract"}},
      {"inline;tabulate;rows;fuse;localise;partials;team;hoist;jam(rows=4);parallel;peel;unroll;hoist;simd;"
       "restrict;"
       "flags(set=math)",
       {"partials", "team", "parallel"}},
      {"inline;rows;localise;team;parallel;simd", {"team", "parallel"}},
      {"localise;simd;flags(set=math)", {"localise", "simd", "flags"}},
      {"inline;tabulate;rows;fuse;localise;partials;team;hoist;parallel;peel;simd;flags(set=math)",
       {"partials", "team", "parallel"}},
      {"inline;tabulate;localise;partials;hoist;jam(rows=4);parallel;simd;flags(set=math)",
       {"partials", "parallel"}},
      {"parallel", {"parallel"}},
      {"tabulate;restrict", {"tabulate"}},
      {"inline;localise;hoist;peel;unroll;simd;restrict;flags(set=math)", {"peel", "unroll", "hoist"}},
      {"restrict;flags(set=math)", {"restrict", "flags"}},
      {"flags(set=unroll)", {"flags"}},
      {"flags(set=wide)", {"flags"}},
      {tiled_opening, {"tile"}},
  };
  return list;
}

std::vector<std::string> opening_recipes(const Work& original, const Priors& priors) {
  std::vector<std::string> recipes;
  std::vector<std::optional<double>> scores;
  bool contracts = false;
  for (const Opening& opening : original.gpu ? gpu::openings() : openings()) {
    // Packed register tiles are the better tiles.
    if (contracts && opening.recipe == tiled_opening) continue;
    const Steps steps = applicable(original, steps_of(opening.recipe));
    const bool fits = std::any_of(opening.needs.begin(), opening.needs.end(),
                                  [&](const std::string& rule) { return uses(steps, rule); });
    if (fits) {
      recipes.push_back(to_text(steps));
      scores.push_back(score_of_any(steps, opening.needs, priors));
    }
    contracts |= uses(steps, "contract");
  }
  return in_order_of(recipes, scores);
}

// --- variations ---

bool has_flag_set(const Steps& steps, const std::string& set) {
  return std::any_of(steps.begin(), steps.end(),
                     [&](const Step& step) { return step.rule == "flags" && step.text("set", "") == set; });
}

std::vector<Steps> register_tile_variations(const Steps& best) {
  std::vector<Steps> list;
  if (uses(best, "contract")) {
    for (const auto& [rows, vectors] : std::vector<std::pair<const char*, const char*>>{
             {"12", "2"}, {"6", "4"}, {"4", "3"}, {"14", "2"}, {"6", "2"}})
      list.push_back(with_params(best, "contract", {{"rows", rows}, {"vectors", vectors}}));
    for (const auto& [block, panels] : std::vector<std::pair<const char*, const char*>>{
             {"128", "8"}, {"32", "4"}, {"64", "4"}, {"192", "8"}})
      list.push_back(with_params(best, "contract", {{"block", block}, {"panels", panels}}));
  } else if (uses(best, "jam")) {
    for (const char* rows : {"2", "8", "6"}) list.push_back(with_params(best, "jam", {{"rows", rows}}));
    list.push_back(without(best, "jam"));
  } else {
    std::vector<std::string> before = {"parallel", "peel", "simd", "restrict", "flags"};
    if (uses(best, "tile")) before.erase(before.begin());
    for (const char* rows : {"4", "2", "8"})
      list.push_back(with(best, std::string("jam(rows=") + rows + ")", before));
  }
  return list;
}

std::vector<Steps> thread_variations(const Steps& best) {
  std::vector<Steps> list;
  if (!uses(best, "parallel") && !uses(best, "team") && !uses(best, "partials") && !uses(best, "contract"))
    list.push_back(with(best, "parallel", {"peel", "unroll", "simd", "restrict", "flags"}));
  for (const char* rule : {"parallel", "team", "partials"}) {
    if (!uses(best, rule)) continue;
    list.push_back(with_params(best, rule, {{"schedule", "static"}}));
    list.push_back(with_params(best, rule, {{"schedule", "dynamic"}, {"chunk", "8"}}));
    list.push_back(with_params(best, rule, {{"schedule", "guided"}}));
    list.push_back(with_params(best, rule, {{"schedule", "dynamic"}, {"chunk", "64"}}));
    if (std::string(rule) != "partials") list.push_back(with_params(best, rule, {{"collapse", "2"}}));
  }
  return list;
}

std::vector<Steps> compiler_variations(const Steps& best) {
  std::vector<Steps> list;
  for (const char* set : {"wide", "unroll", "math", "prefetch"})
    if (!has_flag_set(best, set)) list.push_back(with(best, std::string("flags(set=") + set + ")", {}));
  if (!uses(best, "restrict")) list.push_back(with(best, "restrict", {"flags"}));
  return list;
}

std::vector<Steps> structure_variations(const Steps& best) {
  std::vector<Steps> list;
  if (!uses(best, "simd")) list.push_back(with(best, "simd", {"restrict", "flags"}));
  if (!uses(best, "hoist"))
    list.push_back(with(best, "hoist", {"partials", "jam", "parallel", "simd", "restrict", "flags"}));
  if (!uses(best, "localise"))
    list.push_back(with(
        best, "localise",
        {"hoist", "expand", "contract", "partials", "team", "jam", "parallel", "simd", "restrict", "flags"}));
  if (!uses(best, "rows"))
    list.push_back(with(best, "rows",
                        {"fuse", "tile", "localise", "hoist", "partials", "team", "jam", "parallel", "simd",
                         "restrict", "flags"}));
  for (const char* rule : {"unroll", "peel", "simd", "hoist", "fuse", "rows", "tabulate", "partials"})
    if (uses(best, rule)) list.push_back(without(best, rule));
  return list;
}

// One of each kind in turn, so that a round tries different mechanisms.
std::vector<Steps> variations(const Work& original, const Steps& best, const std::vector<RuleOutcome>& tried,
                              const Priors& priors) {
  const std::vector<std::vector<Steps>> kinds =
      original.gpu ? gpu::variations(best)
                   : std::vector<std::vector<Steps>>{
                         register_tile_variations(best), compiler_variations(best), thread_variations(best),
                         structure_variations(best), cache_variations(original, best, tried)};
  std::vector<Steps> mixed;
  for (std::size_t i = 0;; ++i) {
    bool any = false;
    for (const std::vector<Steps>& kind : kinds)
      if (i < kind.size()) {
        mixed.push_back(kind[i]);
        any = true;
      }
    if (!any) break;
  }
  std::vector<std::optional<double>> scores;
  for (const Steps& steps : mixed) scores.push_back(score_of_change(best, steps, priors));
  return in_order_of(mixed, scores);
}

// Steps that occur in failed recipes and in no good one.
std::set<std::string> suspects(const std::vector<RuleOutcome>& tried) {
  std::set<std::string> bad, good;
  for (const RuleOutcome& outcome : tried) {
    if (outcome.verdict == Verdict::lost || outcome.verdict == Verdict::duplicate) continue;
    std::set<std::string>& side = outcome.verdict == Verdict::ok ? good : bad;
    for (const Step& step : steps_of(outcome.recipe)) side.insert(to_text(step));
  }
  for (const std::string& step : good) bad.erase(step);
  return bad;
}

bool is_suspect(const std::string& recipe, const std::set<std::string>& bad) {
  const Steps steps = steps_of(recipe);
  return std::any_of(steps.begin(), steps.end(),
                     [&](const Step& step) { return bad.count(to_text(step)) > 0; });
}

using Taker = std::function<bool(const std::string&)>;

// False once the taker has enough.
bool offer(const Work& original, const std::vector<Steps>& list, const Taker& take) {
  for (const Steps& steps : list) {
    const Steps kept = applicable(original, steps);
    if (!kept.empty() && !take(to_text(kept))) return false;
  }
  return true;
}

// Variations of the best; every third place goes to the strongest opening that is still untried.
bool offer_around_best(const Work& original, const std::string& best, const std::vector<std::string>& first,
                       const std::vector<RuleOutcome>& tried, const Priors& priors, const Taker& take) {
  std::set<std::string> known;
  for (const RuleOutcome& outcome : tried) known.insert(outcome.recipe);
  std::vector<std::string> untried;
  for (const std::string& recipe : first)
    if (!known.count(recipe)) untried.push_back(recipe);
  std::size_t next = 0, place = 0;
  for (const Steps& steps : variations(original, steps_of(best), tried, priors)) {
    if (++place % 3 == 0 && next < untried.size() && !take(untried[next++])) return false;
    if (!offer(original, {steps}, take)) return false;
  }
  while (next < untried.size())
    if (!take(untried[next++])) return false;
  return true;
}

// Openings, the variations of the best, and at the end the variations of all openings.
bool offer_all(const Work& original, const std::string& best, const std::vector<RuleOutcome>& tried,
               const Priors& priors, const Taker& take) {
  const std::vector<std::string> first = opening_recipes(original, priors);
  if (best.empty()) {
    for (const std::string& recipe : first)
      if (!take(recipe)) return false;
  } else if (!offer_around_best(original, best, first, tried, priors, take)) {
    return false;
  }
  for (const std::string& recipe : first)
    if (!offer(original, variations(original, steps_of(recipe), tried, priors), take)) return false;
  return true;
}

}  // namespace

void plan(const Work& original, const std::string& best_recipe, const std::vector<RuleOutcome>& tried,
          const Priors& priors, const Taker& take) {
  const std::set<std::string> bad = suspects(tried);
  // What failed comes again only when nothing else is left.
  for (const bool suspect : {false, true}) {
    const bool more = offer_all(original, best_recipe, tried, priors, [&](const std::string& recipe) {
      return is_suspect(recipe, bad) != suspect || take(recipe);
    });
    if (!more || bad.empty()) return;
  }
}

}  // namespace noctune::rules
