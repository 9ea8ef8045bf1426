// What was learnt, as text for people and as JSON for programs: every pattern with its conditions, its
// uses and its effect, then those that were offered and never used.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/pattern.hpp"
#include "report/report.hpp"

namespace noctune {

struct PatternLine {
  Pattern pattern;
  int uses = 0, gains = 0;
  double effect = 0;                          // shrunk mean of log ratios
  std::set<std::string> hotspots, platforms;  // of its uses
  int offers = 0, taken = 0;
  std::set<std::string> offered_on;
};

struct PatternsPage {
  std::string source;   // the folder or the results file
  std::string hotspot;  // what is counted is of this one alone; empty: of all
  std::vector<PatternLine> lines;
  std::vector<std::string> problems;  // what was left out
};

std::string patterns_text(const PatternsPage& page, const ReportOptions& options);
Json patterns_json(const PatternsPage& page);

}  // namespace noctune
