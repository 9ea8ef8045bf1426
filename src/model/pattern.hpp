// Performance patterns: a change that was measured to help, and when it applies.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace noctune {

// Machine-checkable facts about a hotspot on its platform, by name: "backend" -> "openmp", "dtype" -> "f64",
// "loop_depth" -> "3", "stencil" -> "yes", "bottleneck" -> "memory".
using KernelFeatures = std::map<std::string, std::string>;

enum class PatternStatus { draft, admitted, retired };
const char* to_text(PatternStatus status);
PatternStatus pattern_status_from(const std::string& text);

struct Pattern {
  std::string name;                         // unique: letters, digits and hyphens
  std::string category;                     // mechanism, as a candidate's kind
  std::map<std::string, std::string> when;  // every entry must hold: feature -> value, "a|b" or ">=3"
  std::string what;                         // the change, schematic
  std::string pitfalls;
  PatternStatus status = PatternStatus::draft;
  std::string drafted_on;  // hotspot whose rounds it was written from; empty: none in particular
  int revision = 0;        // of two texts under one name the higher holds
};

// One measured use. Credit comes only from a version that makes this one change to its base.
struct PatternEvidence {
  std::string pattern;
  std::string campaign, hotspot;
  std::string platform;  // backend, device, compiler
  KernelFeatures features;
  double log_ratio = 0;         // ln(base time / candidate time); 0 where it failed
  std::string verdict;          // of the gates
  bool gain = false;            // saves more time than the noise where it was measured
  std::string candidate, base;  // SHA-256 of the versions with the pattern and without: the same
                                // measurement, told again by a resumed run, counts once
};

// One offer of a pattern, and what came of it.
struct PatternTrial {
  std::string pattern;
  std::string campaign, hotspot;
  std::string slot;  // which call or move it was offered to; unique within the hotspot
  bool used = false;
  std::string outcome;  // verdict of the version that used it; empty: unknown or unused
};

}  // namespace noctune
