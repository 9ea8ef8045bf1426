#include "report/campaign_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

#include "base/text.hpp"
#include "evaluator/statistics.hpp"
#include "model/backend.hpp"

namespace noctune {
namespace {

constexpr double seconds_per_hour = 3600;
constexpr int most_processors = 1 << 16;  // a damaged list must not fill the memory

bool is_improved(const ReportHotspot& hotspot) {
  return hotspot.verdict == "faster" && hotspot.speedup > 0 && std::isfinite(hotspot.speedup);
}

SpeedupStatistics statistics_of(const std::vector<double>& speedups) {
  SpeedupStatistics out;
  out.count = static_cast<int>(speedups.size());
  const double none = std::numeric_limits<double>::quiet_NaN();
  out.geometric_mean = speedups.empty() ? none : geometric_mean(speedups);
  out.median = speedups.empty() ? none : median(speedups);
  return out;
}

void count_hotspot(const ReportHotspot& hotspot, CampaignSummary& out) {
  if (hotspot.verdict == "pending" || hotspot.verdict == "none") {
    ++out.unfinished;
  } else if (hotspot.verdict == "failed") {
    ++out.failed;
  } else if (is_improved(hotspot)) {
    ++out.improved;
    if (!out.best || hotspot.speedup > out.best->speedup) out.best = &hotspot;
    if (!out.worst || hotspot.speedup < out.worst->speedup) out.worst = &hotspot;
  } else {
    ++out.unchanged;
  }
}

void count_devices(const ReportData& data, CampaignSummary& out) {
  const double hours = data.time.wall / seconds_per_hour;
  std::set<std::string> gpus;
  std::map<std::string, std::set<int>> processors;  // ranks of a node may share some
  for (const ReportDevice& device : data.devices) {
    if (runs_on_gpu(device.backend)) {
      gpus.insert(device.host + " " + (device.uuid.empty() ? std::to_string(device.id) : device.uuid));
      continue;
    }
    std::set<int>& those = processors[device.host];
    for (const std::string& list : {device.measure_cpus, device.build_cpus})
      for (const int one : processors_in(list)) those.insert(one);
  }
  out.gpu_hours = hours * static_cast<double>(gpus.size());
  for (const auto& [host, those] : processors) out.core_hours += hours * static_cast<double>(those.size());
  out.busy_hours = data.time.busy / seconds_per_hour;
}

void count_calls(const ReportData& data, CampaignSummary& out) {
  for (const ReportCall& call : data.calls) {
    ++out.calls;
    out.tokens += std::max(0LL, call.tokens_in) + std::max(0LL, call.tokens_out);
    out.cost += std::isfinite(call.cost) ? call.cost : 0;
  }
}

}  // namespace

double counted_speedup(const ReportHotspot& hotspot) {
  return is_improved(hotspot) ? hotspot.speedup : 1;
}

std::vector<int> processors_in(const std::string& list) {
  std::vector<int> out;
  const char* at = list.c_str();
  while (*at) {
    char* end = nullptr;
    const long first = std::strtol(at, &end, 10);
    if (end == at) break;
    long last = first;
    if (*end == '-') {
      at = end + 1;
      last = std::strtol(at, &end, 10);
      if (end == at) break;
    }
    if (first < 0 || last >= most_processors) break;
    for (long one = first; one <= last; ++one) out.push_back(static_cast<int>(one));
    at = *end == ',' ? end + 1 : end;
    if (at == end && *at) break;
  }
  return out;
}

CampaignSummary summarise(const ReportData& data) {
  CampaignSummary out;
  out.hotspots = static_cast<int>(data.hotspots.size());
  std::vector<double> finished, faster;
  for (const ReportHotspot& hotspot : data.hotspots) {
    count_hotspot(hotspot, out);
    if (hotspot.verdict != "pending" && hotspot.verdict != "none")
      finished.push_back(counted_speedup(hotspot));
    if (is_improved(hotspot)) faster.push_back(hotspot.speedup);
  }
  out.finished = statistics_of(finished);
  out.faster = statistics_of(faster);
  out.wall_s = data.time.wall;
  out.evaluations = static_cast<long long>(data.evaluations.size());
  for (const auto& [id, candidate] : data.candidates) out.candidates += candidate.proposer != "original";
  count_devices(data, out);
  count_calls(data, out);
  return out;
}

std::string resource_text(const CampaignSummary& summary) {
  std::string out;
  if (summary.gpu_hours > 0) out = fixed(summary.gpu_hours, 2) + " GPU-hours";
  if (summary.core_hours > 0) out += (out.empty() ? "" : ", ") + fixed(summary.core_hours, 2) + " core-hours";
  return out;
}

std::string cost_text(const CampaignSummary& summary, const std::string& currency) {
  if (summary.calls == 0) return "-";
  return fixed(summary.cost, 4) + (currency.empty() ? "" : " " + currency);
}

}  // namespace noctune
