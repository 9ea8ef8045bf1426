// A campaign in a few numbers. Every form of the report (terminal, HTML, CSV, T4) takes them from here, so
// that they agree.
#pragma once

#include <string>
#include <vector>

#include "report/report_data.hpp"

namespace noctune {

// Of speed-ups, original / best; NaN where there are none.
struct SpeedupStatistics {
  int count = 0;
  double geometric_mean = 0, median = 0;
};

struct CampaignSummary {
  int hotspots = 0;
  int improved = 0, unchanged = 0, failed = 0, unfinished = 0;  // add up to `hotspots`
  SpeedupStatistics finished;           // of all that ended; failed and unchanged ones count as 1
  SpeedupStatistics faster;             // of the improved ones alone
  const ReportHotspot* best = nullptr;  // of the improved ones, in the data given; null without one
  const ReportHotspot* worst = nullptr;
  double wall_s = 0;      // of the runs, one after the other
  double gpu_hours = 0;   // wall time x GPUs
  double core_hours = 0;  // wall time x processors of the devices that are no GPUs
  double busy_hours = 0;  // devices at work
  long long evaluations = 0, candidates = 0;
  long long calls = 0, tokens = 0;  // of the model
  double cost = 0;                  // in the currency of the price table
};

// `data` must outlive what is returned.
CampaignSummary summarise(const ReportData& data);

// The factor that a hotspot counts with: its confirmed speed-up where it is faster, else 1.
double counted_speedup(const ReportHotspot& hotspot);

// The processors in a list such as "0-3,8".
std::vector<int> processors_in(const std::string& list);

// "3 h 12 min on 8 GPUs" as numbers for people: "25.6 GPU-hours"; empty where none were used.
std::string resource_text(const CampaignSummary& summary);

// "1.2345 USD"; "-" where no call was made.
std::string cost_text(const CampaignSummary& summary, const std::string& currency);

}  // namespace noctune
