#include "coordinator/inheritance.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "coordinator/patterns/credit.hpp"
#include "coordinator/patterns/features.hpp"
#include "coordinator/patterns/pattern_rows.hpp"
#include "coordinator/patterns/ranking.hpp"
#include "coordinator/patterns/rule_patterns.hpp"

namespace noctune {
namespace {

std::string effect_text(const Effect& effect, const char* where) {
  if (effect.uses == 0) return {};
  return fixed(std::exp(effect.mean), 2) + "x " + where + ", gains in " + std::to_string(effect.gains) +
         " of " + std::to_string(effect.uses) + " uses";
}

std::string evidence_text(const Offer& offer) {
  const std::string here = effect_text(offer.here, "on kernels like this one");
  const std::string elsewhere = effect_text(offer.elsewhere, "elsewhere");
  std::string out = here.empty() || elsewhere.empty() ? here + elsewhere : here + "; " + elsewhere;
  if (offer.pattern.status == PatternStatus::draft) out += out.empty() ? "a draft" : "; a draft";
  return out;
}

}  // namespace

Inheritance::Inheritance(PatternLibrary& library, Recorder& recorder, std::string campaign,
                         DeviceFacts device)
    : library_(library), recorder_(recorder), campaign_(std::move(campaign)), device_(std::move(device)) {
  for (const Pattern& pattern : learnt_rule_patterns(library_.patterns())) (void)library_.add(pattern);
  for (const KnownPattern& known : library_.patterns()) row_of(known.pattern);
}

long long Inheritance::row_of(const Pattern& pattern) {
  return rows_[pattern.name] = recorder_.row("patterns", pattern_row(pattern));
}

KernelFeatures Inheritance::features(const ArmGround& ground, const std::string& source) const {
  return features_of(ground.task, ground.mep, device_, source);
}

std::string Inheritance::platform(const ArmGround& ground) const {
  return platform_name(ground.task, device_);
}

std::map<std::string, double> Inheritance::rule_priors(const ArmGround& ground) const {
  return noctune::rule_priors(library_.patterns(), features(ground, ground.original.source),
                              platform(ground));
}

PatternDesk Inheritance::desk(const ArmGround& ground) {
  PatternDesk out;
  out.features = [this, ground](const Candidate& base) { return features(ground, base.source); };
  out.offer = [this, ground](const Candidate& base) { return offer(ground, base); };
  out.name_of = [this](const std::string& id) {
    for (const auto& [name, row] : rows_)
      if (std::to_string(row) == id) return name;
    return std::string();
  };
  out.tried = [this, ground](const std::string& slot, long long call,
                             const std::vector<OfferedPattern>& shown, const std::vector<std::string>& used) {
    tried(ground, slot, call, shown, used);
  };
  out.learnt = [this, ground](std::vector<Pattern> drafts) { learnt(ground, std::move(drafts)); };
  return out;
}

std::vector<OfferedPattern> Inheritance::offer(const ArmGround& ground, const Candidate& base) {
  std::vector<OfferedPattern> out;
  for (const Offer& one :
       offered(library_.patterns(), features(ground, base.source), platform(ground), patterns_used(base)))
    out.push_back({row_of(one.pattern), one.pattern, evidence_text(one)});
  return out;
}

void Inheritance::tried(const ArmGround& ground, const std::string& slot, long long call,
                        const std::vector<OfferedPattern>& shown, const std::vector<std::string>& used) {
  for (const OfferedPattern& one : shown) {
    PatternTrial trial;
    trial.pattern = one.pattern.name;
    trial.campaign = campaign_;
    trial.hotspot = ground.task.mep.hotspot;
    trial.slot = slot;
    trial.used = std::find(used.begin(), used.end(), std::to_string(one.id)) != used.end();
    (void)library_.add_trial(trial);  // the campaign's own file has it in any case
    recorder_.row("pattern_trials", trial_row(trial, one.id, ground.hotspot, call));
  }
}

void Inheritance::learnt(const ArmGround& ground, std::vector<Pattern> drafts) {
  for (Pattern& draft : drafts) {
    draft.drafted_on = ground.task.mep.hotspot;
    if (const Result<std::string> name = library_.add(draft)) {
      draft.name = *name;
      row_of(draft);
    }
  }
}

void Inheritance::learn(const ArmGround& ground, const std::vector<Attempt>& attempts) {
  CreditContext context;
  context.campaign = campaign_;
  context.hotspot = ground.task.mep.hotspot;
  context.platform = platform(ground);
  context.features = [&](const Candidate& base) { return features(ground, base.source); };
  std::map<std::string, long long> ids;
  for (const Attempt& attempt : attempts) ids[attempt.candidate.sha] = attempt.candidate.id;
  for (const PatternEvidence& one : evidence_from(attempts, context)) {
    const auto row = rows_.find(one.pattern);
    if (row == rows_.end()) continue;  // a change that no pattern stands for
    (void)library_.add(one);
    const EvidenceIds where{row->second, ground.hotspot, ids[one.candidate], ids[one.base]};
    recorder_.row("pattern_evidence", evidence_row(one, where));
  }
  for (const Pattern& pattern : learnt_rule_patterns(library_.patterns())) (void)library_.add(pattern);
}

}  // namespace noctune
