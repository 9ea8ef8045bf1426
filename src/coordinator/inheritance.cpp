#include "coordinator/inheritance.hpp"

#include <cmath>

#include "base/text.hpp"
#include "coordinator/patterns/features.hpp"
#include "coordinator/patterns/pattern_rows.hpp"
#include "coordinator/patterns/rule_patterns.hpp"

namespace noctune {
namespace {

std::string effect_text(const Effect& effect, const char* where) {
  if (effect.uses == 0) return {};
  return fixed(std::exp(effect.mean), 2) + "x " + where + ", gains in " + std::to_string(effect.gains) +
         " of " + std::to_string(effect.uses) + " uses";
}

}  // namespace

OfferedPattern offered_pattern(long long id, const Offer& offer) {
  const std::string here = effect_text(offer.here, "on kernels like this one");
  const std::string elsewhere = effect_text(offer.elsewhere, "elsewhere");
  std::string evidence = here.empty() || elsewhere.empty() ? here + elsewhere : here + "; " + elsewhere;
  if (offer.pattern.status == PatternStatus::draft) evidence += evidence.empty() ? "a draft" : "; a draft";
  return {id, offer.pattern, evidence};
}

Inheritance::Inheritance(CampaignPatterns& patterns, Recorder& recorder, DeviceFacts device)
    : patterns_(patterns),
      recorder_(recorder),
      device_(std::move(device)),
      at_start_(patterns.library().patterns()) {
  for (const KnownPattern& known : at_start_) row_of(known.pattern);
}

PatternSubject Inheritance::subject(const ArmGround& ground) const {
  return {ground.task, ground.mep, device_};
}

long long Inheritance::row_of(const Pattern& pattern) {
  return rows_[pattern.name] = recorder_.row("patterns", pattern_row(pattern));
}

std::string Inheritance::name_of(const std::string& id) const {
  for (const auto& [name, row] : rows_)
    if (std::to_string(row) == id) return name;
  return {};
}

std::map<std::string, double> Inheritance::rule_priors(const ArmGround& ground) const {
  const KernelFeatures features = features_of(ground.task, ground.mep, device_, ground.original.source);
  return noctune::rule_priors(at_start_, features, platform_name(ground.task, device_));
}

PatternDesk Inheritance::desk(const ArmGround& ground) {
  PatternDesk out;
  out.features = [this, ground](const Candidate& base) { return patterns_.features(subject(ground), base); };
  out.offer = [this, ground](const Candidate& base) { return offer(ground, base); };
  out.name_of = [this](const std::string& id) { return name_of(id); };
  out.tried = [this, ground](const std::string& slot, long long call,
                             const std::vector<OfferedPattern>& shown, const std::vector<std::string>& used) {
    tried(ground, slot, call, shown, used);
  };
  out.learnt = [this, ground](std::vector<Pattern> drafts) { learnt(ground, std::move(drafts)); };
  return out;
}

std::vector<OfferedPattern> Inheritance::offer(const ArmGround& ground, const Candidate& base) {
  std::vector<OfferedPattern> out;
  for (const Offer& one : patterns_.offers(subject(ground), base))
    out.push_back(offered_pattern(row_of(one.pattern), one));
  return out;
}

// A library that cannot be written keeps what it is told in memory, and the results file has it in any case.
void Inheritance::tried(const ArmGround& ground, const std::string& slot, long long call,
                        const std::vector<OfferedPattern>& shown, const std::vector<std::string>& used) {
  std::vector<Offer> offers;
  std::set<std::string> names;
  for (const OfferedPattern& one : shown) offers.push_back({one.pattern, {}, {}});
  for (const std::string& id : used) names.insert(name_of(id));
  const auto trials = patterns_.note_trials(subject(ground), slot, offers, names);
  if (!trials) return;
  for (std::size_t i = 0; i < trials->size(); ++i)
    recorder_.row("pattern_trials", trial_row((*trials)[i], shown[i].id, ground.hotspot, call));
}

void Inheritance::learnt(const ArmGround& ground, std::vector<Pattern> drafts) {
  for (Pattern& draft : drafts) {
    draft.drafted_on = ground.task.mep.hotspot;
    const Result<std::string> name = patterns_.library().add(draft);
    if (!name) continue;
    draft.name = *name;
    row_of(draft);
  }
}

void Inheritance::learn(const ArmGround& ground, const std::vector<Attempt>& attempts) {
  std::map<std::string, long long> ids;
  for (const Attempt& attempt : attempts) ids[attempt.candidate.sha] = attempt.candidate.id;
  const auto fresh = patterns_.learn(subject(ground), attempts);
  if (!fresh) return;
  for (const PatternEvidence& one : *fresh) {
    const auto row = rows_.find(one.pattern);
    const EvidenceIds where{row == rows_.end() ? -1 : row->second, ground.hotspot, ids[one.candidate],
                            ids[one.base]};
    recorder_.row("pattern_evidence", evidence_row(one, where));
  }
  (void)patterns_.add_rule_patterns();
}

}  // namespace noctune
