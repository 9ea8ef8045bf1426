#include "coordinator/load_hotspots.hpp"

#include <filesystem>

#include "base/files.hpp"
#include "base/json.hpp"
#include "coordinator/data_files.hpp"
#include "mep/case.hpp"
#include "mep/driver_sources.hpp"
#include "mep/signature.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

void check_signature(const HotspotConfig& hotspot, const MepSource& mep) {
  const std::string context = context_header(mep.spec, mep.context);
  const Result<Signature> signature = read_signature(mep.original, context, mep.spec.entry, mep.flags);
  if (!signature)
    throw UserError({hotspot.source + ": " + signature.error().problem, signature.error().reason,
                     signature.error().hint});
  if (const auto difference = signature_difference(*signature, mep.spec))
    throw UserError(
        {hotspot.source + ": the entry `" + mep.spec.entry + "` differs from its spec " + hotspot.mep_path,
         *difference, "bring the spec's params and the source's parameters into line"});
}

// Every case at its declared sizes: counts that are negative or endless show here, before anything runs.
void check_cases(const HotspotConfig& hotspot, const MepSpec& spec) {
  double weight = 0;
  for (const CaseSpec& one : spec.cases) weight += one.use == CaseUse::time ? one.weight : 0;
  if (!(weight > 0))
    throw UserError({hotspot.mep_path + ": cases",
                     "no case with use \"time\" and a weight above 0: nothing could be timed"});
  for (const CaseSpec& one : spec.cases) {
    std::map<std::string, long long> open;
    for (const std::string& name : auto_sizes(spec, one))
      for (const SizeSpec& size : spec.sizes)
        if (size.name == name) open[name] = size.value > 0 ? size.value : size.min;
    if (const Result<ResolvedCase> resolved = resolve_case(spec, one, open, 1); !resolved)
      throw UserError({hotspot.mep_path + ": " + resolved.error().problem, resolved.error().reason,
                       resolved.error().hint});
  }
}

// The user's invariants, beside the spec that names them.
std::string read_invariants(const HotspotConfig& hotspot, const MepSpec& spec) {
  if (spec.check.invariants.empty()) return {};
  const std::filesystem::path file =
      std::filesystem::path(hotspot.mep_path).parent_path() / spec.check.invariants;
  Result<std::string> text = read_file(file);
  if (!text)
    throw UserError({hotspot.mep_path + ": check.invariants: " + text.error().problem, text.error().reason,
                     "the path is relative to the spec; the file must define " + spec.entry + "_check"});
  return std::move(*text);
}

MepSource load_mep(const HotspotConfig& hotspot, const Campaign& campaign) {
  MepSource mep;
  mep.hotspot = hotspot.name;
  mep.original = value_or_throw(read_file(hotspot.source));
  mep.spec = read_mep_spec(value_or_throw(read_json(hotspot.mep_path)));
  locate_data_files(mep.spec, hotspot.mep_path);
  mep.flags = hotspot.flags.empty() ? campaign.platform.flags : hotspot.flags;
  if (!hotspot.entry.empty() && hotspot.entry != mep.spec.entry)
    throw UserError({campaign.config_path + ": hotspot " + hotspot.name,
                     "its entry is \"" + hotspot.entry + "\", but its spec " + hotspot.mep_path + " says \"" +
                         mep.spec.entry + "\"",
                     "leave `entry` out of the config, or correct one of the two"});
  if (!hotspot.context_path.empty()) mep.context = value_or_throw(read_file(hotspot.context_path));
  mep.check = read_invariants(hotspot, mep.spec);
  check_cases(hotspot, mep.spec);
  check_signature(hotspot, mep);
  return mep;
}

}  // namespace

std::vector<PrepareTask> load_hotspots(const Campaign& campaign) {
  std::vector<PrepareTask> tasks;
  for (const HotspotConfig& hotspot : campaign.hotspots)
    tasks.push_back(
        {load_mep(hotspot, campaign), campaign.mep, campaign.search, campaign.platform, campaign.limits});
  return tasks;
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
