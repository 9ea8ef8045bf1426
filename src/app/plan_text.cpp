#include "app/plan_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/topology.hpp"

namespace noctune {
namespace {

// Typical seconds of the steps of one evaluation on a small C++ kernel, for the forecast only.
constexpr double build_s = 0.6, check_s = 0.6, start_s = 0.3;

double timing_seconds(const Campaign& campaign) {
  const double sample_s = campaign.mep.t_min_ms * 2e-3 + 10e-3;  // call, restore, flush
  return start_s + 2 * campaign.search.repeats * sample_s;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

std::string plan_text(const Campaign& campaign, const std::vector<PrepareTask>& tasks) {
  std::string out =
      "Campaign " + campaign.name + " (" + campaign.config_path + ")\n" + campaign.resolved_json + "\n";
  out += "Hotspots\n";
  for (const PrepareTask& task : tasks) {
    out += "  " + task.mep.hotspot + ": " + task.mep.spec.entry + "(";
    for (std::size_t i = 0; i < task.mep.spec.params.size(); ++i)
      out += (i ? ", " : "") + task.mep.spec.params[i].type + " " + task.mep.spec.params[i].name;
    out += ")\n    built with " + task.platform.compiler + " " + joined(task.mep.flags) + "; cases";
    for (const CaseSpec& one : task.mep.spec.cases) out += " " + one.name;
    out += "\n";
  }
  return out;
}

std::string pinning_text(const std::vector<DeviceFacts>& devices) {
  std::string out = "Pinning map\n";
  for (const DeviceFacts& device : devices) {
    out += "  rank " + std::to_string(device.rank) + " on " + device.host + " (" + device.name +
           "): measures on cpus " + cpu_list(device.measured_cpus) + ", builds on cpus " +
           cpu_list(device.build_cpus) +
           (device.shares_token ? ", in turns with the node's other work" : "") + "\n    " +
           (device.problem.empty() ? device.compiler : "cannot be used: " + device.problem) + "\n";
  }
  return out;
}

std::string forecast_text(const Campaign& campaign, const std::vector<PrepareTask>& tasks, int evaluators) {
  const double hotspots = static_cast<double>(tasks.size());
  const double candidates = campaign.search.rounds * campaign.search.candidates * hotspots;
  const double pairs = campaign.search.confirm_top * campaign.search.confirm_pairs * hotspots;
  const double timing = timing_seconds(campaign);
  const double seconds =
      (candidates * (build_s + check_s + timing) + (pairs + 3 * hotspots) * timing) / std::max(1, evaluators);
  return "Forecast, at most: " + fixed(candidates, 0) + " candidates and " + fixed(pairs, 0) +
         " confirming process pairs, no model calls, no cost; about " + duration_text(seconds) + " on " +
         std::to_string(evaluators) + " evaluator" + (evaluators == 1 ? "" : "s") +
         " (kernels at t_min, small sources; usually ends earlier, by `patience`)\n";
}

}  // namespace noctune
