// Read, choose, follow indices, decide contents, parameters and sizes, write the source: in this order, since
// each step needs what the earlier ones found.
#include "mep/completion/complete_by_rules.hpp"

#include <algorithm>

#include "mep/completion/completion_state.hpp"
#include "mep/completion/entry_params.hpp"
#include "mep/completion/extents.hpp"
#include "mep/completion/index_contents.hpp"
#include "mep/completion/isolate_source.hpp"
#include "mep/completion/launch_shape.hpp"
#include "mep/completion/loop_ranges.hpp"
#include "mep/completion/missing_names.hpp"
#include "mep/completion/sizes.hpp"
#include "mep/completion/text_words.hpp"
#include "mep/reading/read_source.hpp"
#include "model/mep_default_cases.hpp"
#include "model/mep_globals.hpp"

namespace noctune {
namespace {

// Numbers that the only call of a kernel passes, by parameter.
std::map<std::string, std::string> literals_of(const CompletionState& state) {
  std::map<std::string, std::string> out;
  if (state.schedule.region || state.chosen.launches.empty()) return out;
  const SourceLaunch& launch = state.chosen.launches.front();
  const std::vector<SourceParam>& params = state.schedule.uses.front().function->params;
  for (std::size_t i = 0; i < launch.args.size() && i < params.size(); ++i)
    if (is_number(launch.args[i])) out[params[i].name] = launch.args[i];
  return out;
}

// Members of structs by value that bounds name become sizes of the members' names.
void settle_members(CompletionState& state) {
  std::set<std::string> seen;
  const auto settle = [&](const Polynomial& polynomial) {
    for (const std::string& name : polynomial.names()) {
      const std::size_t dot = name.rfind('.');
      if (dot == std::string::npos || is_index_variable(name) || name.find("!max") != std::string::npos)
        continue;
      if (name.rfind("blockDim", 0) == 0 || name.rfind("gridDim", 0) == 0) continue;
      const std::string size = name.substr(dot + 1);
      state.settled[name] = Polynomial::of(size);
    }
  };
  for (const ArrayAccess& one : state.accesses.all) {
    if (one.range.high) settle(*one.range.high);
    settle(one.repeats);
  }
  for (const std::string& name : state.accesses.bounds) settle(Polynomial::of(name));
}

void plan_depth(CompletionState& state) {
  Polynomial deepest = 1;
  for (const Polynomial& one : state.accesses.depths) {
    const Polynomial depth = with_settled(one, state.settled);
    if (compare_typical(depth, deepest) > 0) deepest = depth;
  }
  for (const std::string& name : deepest.names()) {
    const std::size_t mark = name.find(".nnz");
    if (mark == std::string::npos) continue;
    // A row's share of the entries.
    if (const std::optional<Polynomial> share = deepest.over(Polynomial::of(name.substr(0, mark) + ".rows")))
      deepest = *share;
    state.spec().check.depth = "max(1, " + deepest.plain() + ")";
    return;
  }
  state.spec().check.depth = deepest.plain();
}

}  // namespace

Result<MepDraft> complete_by_rules(const CompletionInput& input) {
  CompletionState state;
  state.input = input;
  state.draft.by = "rules";
  state.spec().backend = input.backend;
  state.spec().defines = input.defines;
  state.facts = read_source(input.source, input.defines);
  for (SourceFunction& one : state.facts.functions) extend_to_bodies(one.loops, input.source);
  const Result<ChosenKernels> chosen = choose_kernels(state.input, state.facts);
  if (!chosen) return Failure(chosen.error());
  state.chosen = *chosen;
  state.needed = needed_functions(state.facts, state.chosen);
  state.schedule = plan_schedule(state.input, state.facts, state.chosen);
  state.draft.assumed = state.chosen.assumed;
  for (const std::string& sentence : state.schedule.assumed) state.assumed(sentence);
  const auto follow = [&] {
    state.accesses =
        collect_accesses(state.facts, state.input.source, state.schedule.uses, state.input.defines);
  };
  follow();
  if (const Result<void> good = supply_missing_names(state); !good) return Failure(good.error());
  follow();  // with the constants that were missing
  settle_members(state);
  settle_picking_scalars(state);
  plan_index_contents(state);
  const std::map<std::string, std::string> literals = literals_of(state);
  if (const Result<void> good = plan_params(state, literals); !good) return Failure(good.error());
  if (const Result<void> good = plan_launch_shapes(state); !good) return Failure(good.error());
  plan_depth(state);
  if (const Result<void> good = plan_sizes(state, literals); !good) return Failure(good.error());
  MepSpec& spec = state.spec();
  spec.entry = state.schedule.entry;
  spec.scope = state.schedule.region ? "region" : "kernel";
  spec.cases = default_cases(spec.sizes);
  lower_globals(spec);
  if (const Result<void> good = isolate_source(state); !good) return Failure(good.error());
  return std::move(state.draft);
}

}  // namespace noctune
