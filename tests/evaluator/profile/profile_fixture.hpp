// Recorded output and invented facts for the tests of profiles.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "base/files.hpp"
#include "evaluator/profile/hints.hpp"
#include "evaluator/profile/ncu_csv.hpp"
#include "places.hpp"

namespace noctune {

// A file of tests/evaluator/profile/data. Those named h200 were recorded; those of rocprof, rocprofv3 and
// hipprof were written by hand after the documented formats.
inline std::string profile_data(const std::string& name) {
  const auto text = read_file(std::string(NOCTUNE_SOURCE_DIR) + "/tests/evaluator/profile/data/" + name);
  EXPECT_TRUE(text) << name;
  return text.value_or("");
}

inline KernelRows recorded_rows() {
  const auto rows = read_ncu_csv(profile_data("ncu-h200-all-metrics.csv"));
  EXPECT_TRUE(rows) << rows.error().text();
  return rows.value_or(KernelRows{});
}

// Counted facts without any fact.
inline ProfileFacts counted() {
  ProfileFacts facts;
  facts.source = ProfileSource::counters;
  facts.confidence = 1;
  facts.tool = "ncu";
  return facts;
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace noctune
