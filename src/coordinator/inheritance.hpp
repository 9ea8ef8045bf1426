// Performance pattern inheritance in a campaign: what the library offers goes to its proposers, what was
// offered, used and measured goes to the results, and what was learnt goes at once to every hotspot still
// being tuned.
#pragma once

#include <map>
#include <string>

#include "coordinator/model_proposer.hpp"
#include "coordinator/patterns/campaign_patterns.hpp"
#include "store/recorder.hpp"

namespace noctune {

// A pattern as a prompt shows it, with what was measured of it in words.
OfferedPattern offered_pattern(long long id, const Offer& offer);

class Inheritance {
 public:
  Inheritance(CampaignPatterns& patterns, Recorder& recorder, DeviceFacts device);

  PatternDesk desk(const ArmGround& ground);
  // Effects of the rules' strategies on kernels like this one, for their order. By what was known when the
  // campaign began: the order must be the same when it is resumed.
  std::map<std::string, double> rule_priors(const ArmGround& ground) const;
  // Evidence from attempts that have ended; what was learnt before is not counted again.
  void learn(const ArmGround& ground, const std::vector<Attempt>& attempts);

 private:
  PatternSubject subject(const ArmGround& ground) const;
  std::vector<OfferedPattern> offer(const ArmGround& ground, const Candidate& base);
  void tried(const ArmGround& ground, const std::string& slot, long long call,
             const std::vector<OfferedPattern>& shown, const std::vector<std::string>& used);
  void learnt(const ArmGround& ground, std::vector<Pattern> drafts);
  std::string name_of(const std::string& id) const;
  long long row_of(const Pattern& pattern);

  CampaignPatterns& patterns_;
  Recorder& recorder_;
  DeviceFacts device_;
  std::vector<KnownPattern> at_start_;
  std::map<std::string, long long> rows_;  // of patterns, by name
};

}  // namespace noctune
