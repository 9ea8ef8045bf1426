#include "coordinator/load_hotspots.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.hpp"
#include "base/json.hpp"
#include "coordinator/data_files.hpp"
#include "coordinator/mep_check.hpp"
#include "evaluator/gpu/gpu_libraries.hpp"
#include "mep/completion/complete_by_rules.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

// A file beside the spec that the spec asks for.
std::string read_beside(const HotspotConfig& hotspot, const std::string& key, const std::string& name,
                        const std::string& what) {
  const std::filesystem::path file = std::filesystem::path(hotspot.mep_path).parent_path() / name;
  Result<std::string> text = read_file(file);
  if (!text)
    throw UserError({hotspot.mep_path + ": " + key + ": " + text.error().problem, text.error().reason,
                     "the path is relative to the spec; the file must define " + what});
  return std::move(*text);
}

void add_companions(const HotspotConfig& hotspot, MepSource& mep) {
  const std::string& invariants = mep.spec.check.invariants;
  if (!invariants.empty())
    mep.check = read_beside(hotspot, "check.invariants", invariants, mep.spec.entry + "_check");
  const bool generates = std::any_of(mep.spec.data.begin(), mep.spec.data.end(),
                                     [](const DataSpec& data) { return data.gen == "code"; });
  if (generates)
    mep.inputs = read_beside(hotspot, "data", "inputs.cpp", "the generators that the spec names");
}

// What the campaign and the hotspot allow, each once and in one order: it counts for nothing which says it.
std::vector<std::string> libraries_of(const HotspotConfig& hotspot, const Campaign& campaign) {
  std::set<std::string> names(campaign.platform.allow_libraries.begin(),
                              campaign.platform.allow_libraries.end());
  names.insert(hotspot.allow_libraries.begin(), hotspot.allow_libraries.end());
  std::vector<std::string> out(names.begin(), names.end());
  if (const auto known = allowed_libraries(campaign.platform.backend, out); !known)
    throw UserError(
        {campaign.config_path + ": hotspot " + hotspot.name + ": allow_libraries: " + known.error().problem,
         known.error().reason, known.error().hint});
  return out;
}

MepSource load_mep(const HotspotConfig& hotspot, const Campaign& campaign) {
  MepSource mep;
  mep.hotspot = hotspot.name;
  mep.spec = read_mep_spec(value_or_throw(read_json(hotspot.mep_path)));
  mep.spec.backend = campaign.platform.backend;
  locate_data_files(mep.spec, hotspot.mep_path);
  mep.original = value_or_throw(with_entry_once(mep.spec, value_or_throw(read_file(hotspot.source))));
  mep.flags = hotspot.flags.empty() ? campaign.platform.flags : hotspot.flags;
  mep.libraries = libraries_of(hotspot, campaign);
  if (!hotspot.entry.empty() && hotspot.entry != mep.spec.entry)
    throw UserError({campaign.config_path + ": hotspot " + hotspot.name,
                     "its entry is \"" + hotspot.entry + "\", but its spec " + hotspot.mep_path + " says \"" +
                         mep.spec.entry + "\"",
                     "leave `entry` out of the config, or correct one of the two"});
  if (!hotspot.context_path.empty()) mep.context = value_or_throw(read_file(hotspot.context_path));
  add_companions(hotspot, mep);
  value_or_throw(check_cases(mep.spec, hotspot.mep_path));
  value_or_throw(check_signature(mep, hotspot.source, hotspot.mep_path));
  return mep;
}

CompletionInput completion_input(const HotspotConfig& hotspot, const Campaign& campaign) {
  CompletionInput out;
  out.hotspot = hotspot.name;
  out.file = hotspot.source;
  out.source = value_or_throw(read_file(hotspot.source));
  // Declarations that the source lacks; completing decides what of them is context and what is K(0)'s.
  if (!hotspot.context_path.empty())
    out.source = value_or_throw(read_file(hotspot.context_path)) + "\n" + out.source;
  out.backend = campaign.platform.backend;
  out.kernels = hotspot.kernels;
  if (!hotspot.call_site_path.empty()) out.call_site = value_or_throw(read_file(hotspot.call_site_path));
  out.defines = hotspot.defines;
  return out;
}

// The rules' draft as a MEP whose signature agrees, or why there is none. `known`: what the campaign says of
// it.
Result<MepSource> by_rules(OpenMep& open, const Completer& completer, const MepSource& known) {
  Result<MepDraft> draft = completer(open.input);
  if (!draft) return Failure(draft.error());
  open.draft = std::move(*draft);
  Result<MepSource> mep = lowered(*open.draft, open.input.hotspot, open.input.backend);
  if (!mep) return mep;
  mep->flags = known.flags;
  mep->libraries = known.libraries;
  if (Result<void> agrees = check_signature(*mep, open.input.file, "as the rules completed it"); !agrees)
    return Failure(agrees.error());
  return mep;
}

LoadedHotspot load(const HotspotConfig& hotspot, const Campaign& campaign, const Completer& completer) {
  LoadedHotspot out;
  out.task = {{}, campaign.mep, campaign.search, campaign.platform, campaign.limits};
  if (!hotspot.mep_path.empty()) {
    out.task.mep = load_mep(hotspot, campaign);
    return out;
  }
  const auto completes = [&](const char* who) {
    return std::find(hotspot.complete.begin(), hotspot.complete.end(), who) != hotspot.complete.end();
  };
  out.task.mep.hotspot = hotspot.name;
  out.task.mep.flags = hotspot.flags.empty() ? campaign.platform.flags : hotspot.flags;
  out.task.mep.libraries = libraries_of(hotspot, campaign);
  out.open = OpenMep{completion_input(hotspot, campaign), {}, {}, completes("model")};
  if (!completes("rules")) return out;
  if (Result<MepSource> mep = by_rules(*out.open, completer, out.task.mep))
    out.task.mep = std::move(*mep);
  else
    out.open->refusal = mep.error();
  return out;
}

// Nothing could ever be tuned: the input is at fault, and this is the time to say so.
void refuse_if_hopeless(const std::vector<LoadedHotspot>& all, const std::string& config) {
  std::string reasons;
  for (const LoadedHotspot& one : all) {
    if (one.has_mep() || one.open->by_model) return;
    reasons += (reasons.empty() ? "" : "\n  ") + one.open->refusal->text();
  }
  if (all.size() == 1) throw UserError(*all.front().open->refusal);
  throw UserError({config + ": none of its hotspots has a MEP or can be completed by rules", "\n  " + reasons,
                   "give one of them what it lacks, or a spec by \"mep\""});
}

}  // namespace

Completer rules_completer() {
  return complete_by_rules;
}

std::vector<LoadedHotspot> load_hotspots(const Campaign& campaign, const Completer& completer) {
  std::vector<LoadedHotspot> all;
  for (const HotspotConfig& hotspot : campaign.hotspots) all.push_back(load(hotspot, campaign, completer));
  refuse_if_hopeless(all, campaign.config_path);
  return all;
}

const PrepareTask& task_with_mep(const LoadedHotspot& loaded) {
  if (loaded.has_mep()) return loaded.task;
  const Error why = loaded.open->refusal.value_or(
      Error{loaded.open->input.hotspot + " has no MEP yet", "rules are not to complete it"});
  throw UserError({why.problem, why.reason,
                   why.hint + (why.hint.empty() ? "" : "; or ") +
                       "let `noctune mep` complete it with the model, and name what it writes by \"mep\""});
}

Candidate original_of(const PrepareTask& task) {
  Candidate out;
  out.source = task.mep.original;
  out.proposer = "original";
  out.kind = "original";
  out.sha = candidate_sha(out);
  return out;
}

}  // namespace noctune
