#include "coordinator/patterns/campaign_patterns.hpp"

#include "coordinator/patterns/features.hpp"
#include "coordinator/patterns/rule_patterns.hpp"

namespace noctune {

Result<void> CampaignPatterns::add_rule_patterns() {
  for (const Pattern& pattern : learnt_rule_patterns(library_.patterns()))
    if (const auto kept = library_.add(pattern); !kept) return Failure(kept.error());
  return {};
}

KernelFeatures CampaignPatterns::features(const PatternSubject& subject, const Candidate& version) {
  const std::string key = subject.task.mep.hotspot + "/" + version.sha;
  const auto found = features_.find(key);
  if (found != features_.end() && !version.sha.empty()) return found->second;
  return features_[key] = features_of(subject.task, subject.report, subject.device, version.source);
}

std::map<std::string, double> CampaignPatterns::priors(const PatternSubject& subject,
                                                       const Candidate& original) {
  return rule_priors(library_.patterns(), features(subject, original),
                     platform_name(subject.task, subject.device));
}

std::vector<Offer> CampaignPatterns::offers(const PatternSubject& subject, const Candidate& version,
                                            std::size_t most) {
  return offered(library_.patterns(), features(subject, version), platform_name(subject.task, subject.device),
                 patterns_used(version), most);
}

Result<std::vector<PatternTrial>> CampaignPatterns::note_trials(const PatternSubject& subject,
                                                                const std::string& slot,
                                                                const std::vector<Offer>& offers,
                                                                const std::set<std::string>& used,
                                                                const std::string& outcome) {
  std::vector<PatternTrial> trials;
  for (const Offer& offer : offers) {
    PatternTrial one{offer.pattern.name, campaign_, subject.task.mep.hotspot, slot, false, ""};
    one.used = used.count(one.pattern) > 0;
    if (one.used) one.outcome = outcome;
    if (const auto kept = library_.add_trial(one); !kept) return Failure(kept.error());
    trials.push_back(std::move(one));
  }
  return trials;
}

Result<std::vector<PatternEvidence>> CampaignPatterns::learn(const PatternSubject& subject,
                                                             const std::vector<Attempt>& attempts) {
  CreditContext context;
  context.campaign = campaign_;
  context.hotspot = subject.task.mep.hotspot;
  context.platform = platform_name(subject.task, subject.device);
  context.features = [&](const Candidate& base) { return features(subject, base); };
  std::vector<PatternEvidence> fresh;
  for (PatternEvidence& one : evidence_from(attempts, context)) {
    if (!learnt_.insert(one.hotspot + "\n" + one.pattern + "\n" + one.candidate + "\n" + one.base).second)
      continue;
    if (const auto kept = library_.add(one); !kept) return Failure(kept.error());
    fresh.push_back(std::move(one));
  }
  return fresh;
}

}  // namespace noctune
