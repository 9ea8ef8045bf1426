// All that is known of patterns, merged from any number of files: the same facts in any order, told once or
// several times, make the same state.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/pattern.hpp"

namespace noctune {

struct KnownPattern {
  Pattern pattern;  // its status is the one that the evidence gives
  std::vector<PatternEvidence> evidence;
  std::vector<PatternTrial> trials;
};

class PatternState {
 public:
  // Of two texts under one name the higher revision holds; of equal ones that which sorts first.
  void add(const Pattern& pattern);
  // Known by pattern, campaign, hotspot, platform, candidate and base; of two accounts the one that sorts
  // first holds. May come before its pattern.
  void add(const PatternEvidence& evidence);
  // Known by pattern, campaign, hotspot and slot; used holds before unused, an outcome before none.
  void add(const PatternTrial& trial);

  // The text under this name as it was written; null when there is none.
  const Pattern* find(const std::string& name) const;
  // By name. Evidence and trials whose pattern is nowhere are left out.
  std::vector<KnownPattern> patterns() const;

 private:
  struct Entry {
    std::map<std::string, PatternEvidence> evidence;
    std::map<std::string, PatternTrial> trials;
  };
  std::map<std::string, Pattern> written_;
  std::map<std::string, Entry> entries_;
};

}  // namespace noctune
