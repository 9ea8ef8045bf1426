// Performance pattern inheritance of a campaign: offers what the library knows, records what was offered,
// used and measured, and passes on what was learnt at once to every hotspot that is still being tuned.
#pragma once

#include <map>
#include <string>

#include "coordinator/model_proposer.hpp"
#include "coordinator/patterns/pattern_library.hpp"
#include "store/recorder.hpp"

namespace noctune {

class Inheritance {
 public:
  Inheritance(PatternLibrary& library, Recorder& recorder, std::string campaign, DeviceFacts device);

  PatternDesk desk(const ArmGround& ground);
  // Effects of the rules' strategies on kernels like this one, for their order.
  std::map<std::string, double> rule_priors(const ArmGround& ground) const;
  // Evidence from attempts that have ended. What was learnt before is not counted again.
  void learn(const ArmGround& ground, const std::vector<Attempt>& attempts);

 private:
  KernelFeatures features(const ArmGround& ground, const std::string& source) const;
  std::string platform(const ArmGround& ground) const;
  std::vector<OfferedPattern> offer(const ArmGround& ground, const Candidate& base);
  void tried(const ArmGround& ground, const std::string& slot, long long call,
             const std::vector<OfferedPattern>& shown, const std::vector<std::string>& used);
  void learnt(const ArmGround& ground, std::vector<Pattern> drafts);
  long long row_of(const Pattern& pattern);

  PatternLibrary& library_;
  Recorder& recorder_;
  std::string campaign_;
  DeviceFacts device_;
  std::map<std::string, long long> rows_;  // of patterns, by name
};

}  // namespace noctune
