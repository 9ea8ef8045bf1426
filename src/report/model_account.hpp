// What the model's calls came to, and how the arms compare: plain numbers and their text.
#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"
#include "report/report_data.hpp"

namespace noctune {

// One arm over all hotspots.
struct ArmSummary {
  std::string arm;
  int hotspots = 0, replicates = 0, gains = 0;
  // Geometric mean over the hotspots of the mean over replicates; without a gain counts as 1. The 95 %
  // interval is Student's t on the hotspots' log speed-ups; unknown with fewer than two.
  double speedup = 1, low = 0, high = 0;
  // The first arm's speed-up over this one's, by hotspot: above 1 where the first is better.
  double lead = 1, lead_low = 0, lead_high = 0;
  long long candidates = 0, calls = 0, tokens = 0;
  double cost = 0, device_seconds = 0;
};
// In the order in which the arms ran.
std::vector<ArmSummary> compare_arms(const ReportData& data);

// How far the model's first answers came, and what repairs mended.
struct FirstTries {
  int asked = 0;        // versions asked for
  int well_formed = 0;  // could be read, mended mechanically or not
  int built = 0, equivalent = 0, faster = 0;
  int repairs = 0, repaired = 0;  // versions written to mend another; that passed every gate
};
FirstTries first_tries(const ReportData& data);

// Empty where no model was asked, or only one arm ran.
std::string arms_text(const ReportData& data, const ReportOptions& options);
std::string model_text(const ReportData& data, const ReportOptions& options);

}  // namespace noctune
