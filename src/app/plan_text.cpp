#include "app/plan_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/topology.hpp"
#include "coordinator/campaign_run.hpp"
#include "llm/price.hpp"
#include "model/c_type.hpp"

namespace noctune {
namespace {

// Typical seconds of the steps of one evaluation on a small C++ kernel, for the forecast only.
constexpr double build_s = 0.6, check_s = 0.6, start_s = 0.3;

double timing_seconds(const Campaign& campaign) {
  const double sample_s = campaign.mep.t_min_ms * 2e-3 + 10e-3;  // call, restore, flush
  return start_s + 2 * campaign.search.repeats * sample_s;
}

// What a call is likely to take; prompts and answers of kernels of some 50 lines.
constexpr double call_tokens_in = 4500, call_tokens_out = 4000, call_s = 90;
constexpr double failing = 0.3;  // of first versions, so that many repairs are asked for

// Model calls of one arm on one hotspot, once.
double calls_of(const Campaign& campaign, const std::string& arm) {
  const SearchSettings& s = campaign.search;
  const bool model =
      std::find(campaign.proposers.begin(), campaign.proposers.end(), "model") != campaign.proposers.end();
  const double loop = s.rounds * (1 + s.candidates * (1 + failing * std::min(1, s.repairs))) + 1;
  if (arm == "direct") return 1;
  if (arm == "sampling") return loop;
  return arm == "loop" && model ? loop : 0;
}

std::string calls_text(const Campaign& campaign, double hotspots, double seconds_per_candidate) {
  double calls = 0;
  if (!campaign.model.provider.empty())
    for (const std::string& arm : campaign.arms)
      calls += hotspots * campaign.replicates * calls_of(campaign, arm);
  if (calls == 0) return "No model calls, no cost\n";
  TokenUsage usage;
  usage.in = static_cast<long long>(calls * call_tokens_in);
  usage.out = static_cast<long long>(calls * call_tokens_out);
  std::string out = "Model: about " + fixed(calls, 0) + " calls, " +
                    fixed(1e-6 * static_cast<double>(usage.in), 2) + " million prompt and " +
                    fixed(1e-6 * static_cast<double>(usage.out), 2) + " million reply tokens";
  const std::string model = campaign.model.models.empty() ? std::string() : campaign.model.models.front();
  if (price_of(campaign.model.prices, model) != nullptr)
    out += ", " + fixed(cost_of(campaign.model.prices, model, usage), 2) + " " +
           campaign.model.prices.currency + " at the prices of " + campaign.model.prices.date;
  else if (campaign.model.provider != "replay")
    out += ", cost unknown (no price for \"" + model + "\")";
  const double fed = campaign.model.concurrency / call_s * seconds_per_candidate;
  return out + "; " + std::to_string(campaign.model.concurrency) + " calls at once of " + fixed(call_s, 0) +
         " s each keep about " + fixed(std::max(0.1, fed), 1) + " evaluators busy\n";
}

std::string open_text(const LoadedHotspot& one) {
  const std::string why = one.open->refusal ? one.open->refusal->text() : "rules are not to complete it";
  return "  " + one.task.mep.hotspot + ": no MEP yet: " + why + "\n    " +
         (one.open->by_model ? "the model will be asked to complete it\n"
                             : "it will be refused; the others go on\n");
}

}  // namespace

std::string plan_text(const Campaign& campaign, const std::vector<LoadedHotspot>& hotspots) {
  std::string out =
      "Campaign " + campaign.name + " (" + campaign.config_path + ")\n" + campaign.resolved_json + "\n";
  out += "Hotspots\n";
  for (const LoadedHotspot& one : hotspots) {
    const PrepareTask& task = one.task;
    if (!one.has_mep()) {
      out += open_text(one);
      continue;
    }
    out += "  " + task.mep.hotspot + ": " + task.mep.spec.entry + "(";
    for (std::size_t i = 0; i < task.mep.spec.params.size(); ++i)
      out += (i ? ", " : "") + declared(task.mep.spec.params[i].type, task.mep.spec.params[i].name);
    out += ")\n    built with " + task.platform.compiler + " " + joined(task.mep.flags, " ") + "; cases";
    for (const CaseSpec& chosen : task.mep.spec.cases) out += " " + chosen.name;
    out += one.open ? "\n    completed by rules; noctune mep shows what was understood and assumed\n" : "\n";
  }
  return out;
}

std::string pinning_text(const std::vector<DeviceFacts>& devices) {
  std::string out = "Pinning map\n";
  for (const DeviceFacts& device : devices) {
    const GpuFacts& gpu = device.gpu;
    out += "  rank " + std::to_string(device.rank) + " on " + device.host + ", process " +
           std::to_string(device.pid) + " (" + device.name + (gpu.uuid.empty() ? "" : ", " + gpu.uuid) +
           (gpu.pci.empty() ? "" : ", at " + gpu.pci) + "): measures on cpus " +
           cpu_list(device.measured_cpus) + ", builds on cpus " + cpu_list(device.build_cpus) +
           (device.shares_token ? ", in turns with the node's other work" : "") +
           (gpu.shared.empty() ? "" : "; the GPU is used " + gpu.shared) + "\n    " +
           (device.problem.empty() ? device.compiler : "cannot be used: " + device.problem) + "\n";
  }
  return out;
}

std::string forecast_text(const Campaign& campaign, const std::vector<LoadedHotspot>& loaded,
                          int evaluators) {
  const double hotspots =
      static_cast<double>(std::count_if(loaded.begin(), loaded.end(), [](const LoadedHotspot& one) {
        return one.has_mep() || one.open->by_model;
      }));
  const double candidates = static_cast<double>(most_versions(campaign)) * hotspots;
  const double pairs = campaign.search.confirm_top * campaign.search.confirm_pairs * hotspots *
                       static_cast<double>(campaign.arms.size()) * campaign.replicates;
  const double timing = timing_seconds(campaign);
  const double seconds =
      (candidates * (build_s + check_s + timing) + (pairs + 3 * hotspots) * timing) / std::max(1, evaluators);
  return "Forecast, at most, repairs apart: " + fixed(candidates, 0) + " candidates and " + fixed(pairs, 0) +
         " confirming process pairs; about " + duration_text(seconds) + " on " + std::to_string(evaluators) +
         " evaluator" + (evaluators == 1 ? "" : "s") +
         " (kernels at t_min, small sources; usually ends earlier, by `patience`)\n" +
         calls_text(campaign, hotspots, seconds / std::max(1.0, candidates));
}

}  // namespace noctune
