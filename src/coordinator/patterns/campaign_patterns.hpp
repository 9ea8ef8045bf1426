// The library as one campaign uses it: what to offer to a version of a hotspot, and what was learnt from its
// attempts. Use it from one thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "coordinator/patterns/credit.hpp"
#include "coordinator/patterns/pattern_library.hpp"
#include "coordinator/patterns/ranking.hpp"

namespace noctune {

// A hotspot on the device that times it.
struct PatternSubject {
  PrepareTask task;
  MepReport report;
  DeviceFacts device;
};

class CampaignPatterns {
 public:
  CampaignPatterns(PatternLibrary library, std::string campaign)
      : library_(std::move(library)), campaign_(std::move(campaign)) {}

  // Adds the rules' patterns that the library lacks, and what its evidence narrows. Once, before the first
  // hotspot.
  Result<void> add_rule_patterns();

  KernelFeatures features(const PatternSubject& subject, const Candidate& version);
  // For the rules' proposer on this hotspot; empty without evidence.
  std::map<std::string, double> priors(const PatternSubject& subject, const Candidate& original);
  // For a prompt that starts from `version`: what is in it already is left out.
  std::vector<Offer> offers(const PatternSubject& subject, const Candidate& version, std::size_t most = 5);
  // Notes what was offered in a slot, and which of it the answer used (names outside the offer are ignored).
  Result<std::vector<PatternTrial>> note_trials(const PatternSubject& subject, const std::string& slot,
                                                const std::vector<Offer>& offers,
                                                const std::set<std::string>& used,
                                                const std::string& outcome = {});
  // Evidence from attempts that ended since the last call for this hotspot; in the library by then.
  Result<std::vector<PatternEvidence>> learn(const PatternSubject& subject,
                                             const std::vector<Attempt>& attempts);

  PatternLibrary& library() { return library_; }

 private:
  PatternLibrary library_;
  std::string campaign_;
  std::map<std::string, KernelFeatures> features_;  // by hotspot and version
  std::set<std::string> learnt_;                    // by hotspot, pattern, version, base
};

}  // namespace noctune
