#include "report/model_account.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "evaluator/statistics.hpp"
#include "report/report_style.hpp"
#include "report/text_table.hpp"

namespace noctune {
namespace {

std::vector<std::string> arm_names(const ReportData& data) {
  std::vector<std::string> out;
  for (const ReportArm& row : data.arms)
    if (std::find(out.begin(), out.end(), row.arm) == out.end()) out.push_back(row.arm);
  return out;
}

// Mean log speed-up over the replicates, by hotspot.
std::map<long long, double> logs_of(const ReportData& data, const std::string& arm) {
  std::map<long long, std::vector<double>> all;
  for (const ReportArm& row : data.arms)
    if (row.arm == arm) all[row.hotspot].push_back(row.speedup > 0 ? std::log(row.speedup) : 0);
  std::map<long long, double> out;
  for (const auto& [hotspot, logs] : all) {
    double sum = 0;
    for (const double one : logs) sum += one;
    out[hotspot] = sum / static_cast<double>(logs.size());
  }
  return out;
}

struct Mean {
  double value = 1, low = 0, high = 0;
};

Mean mean_of(const std::vector<double>& logs) {
  Mean out;
  if (logs.empty()) return out;
  double sum = 0;
  for (const double one : logs) sum += one;
  out.value = std::exp(sum / static_cast<double>(logs.size()));
  if (logs.size() < 2) return out;
  const StudentResult t = student_t(logs);
  out.low = std::exp(t.low);
  out.high = std::exp(t.high);
  return out;
}

std::string interval_or_dash(double low, double high) {
  return high > 0 ? interval(low, high) : "-";
}

std::string share(int part, int whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

// A duplicate's fate is that of the version it equals, which is counted there.
bool passed_build(const std::string& verdict) {
  return !verdict.empty() && verdict != "rejected" && verdict != "build_failed" &&
         verdict != "build_timeout" && verdict != "lost" && verdict != "duplicate";
}

bool equivalent(const std::string& verdict) {
  return verdict == "ok" || verdict == "unstable";
}

}  // namespace

std::vector<ArmSummary> compare_arms(const ReportData& data) {
  std::vector<ArmSummary> out;
  std::map<long long, double> first;
  for (const std::string& name : arm_names(data)) {
    const std::map<long long, double> logs = logs_of(data, name);
    if (out.empty()) first = logs;
    ArmSummary one;
    one.arm = name;
    one.hotspots = static_cast<int>(logs.size());
    std::vector<double> values, leads;
    for (const auto& [hotspot, log] : logs) {
      values.push_back(log);
      if (first.contains(hotspot)) leads.push_back(first[hotspot] - log);
    }
    const Mean mean = mean_of(values), lead = mean_of(leads);
    one.speedup = mean.value;
    one.low = mean.low;
    one.high = mean.high;
    one.lead = lead.value;
    one.lead_low = lead.low;
    one.lead_high = lead.high;
    std::set<long long> replicates;
    for (const ReportArm& row : data.arms) {
      if (row.arm != name) continue;
      replicates.insert(row.replicate);
      one.gains += row.verdict == "faster";
      one.candidates += row.candidates;
      one.calls += row.calls;
      one.tokens += row.tokens;
      one.cost += row.cost;
      one.device_seconds += row.device_seconds;
    }
    one.replicates = static_cast<int>(replicates.size());
    out.push_back(one);
  }
  return out;
}

FirstTries first_tries(const ReportData& data) {
  FirstTries out;
  for (const ReportCall& call : data.calls) {
    if (call.purpose != "write" || call.outcome == "sent") continue;
    ++out.asked;
    out.well_formed += call.reading.starts_with("as asked") || call.reading.starts_with("mended");
  }
  for (const auto& [id, one] : data.candidates) {
    if (one.proposer != "model") continue;
    if (one.repair_of > 0) {
      ++out.repairs;
      out.repaired += one.verdict == "ok";
      continue;
    }
    const auto call = std::find_if(data.calls.begin(), data.calls.end(),
                                   [&](const ReportCall& other) { return other.id == one.call; });
    if (call == data.calls.end() || call->purpose != "write") continue;  // of a second answer
    out.built += passed_build(one.verdict);
    out.equivalent += equivalent(one.verdict);
    out.faster += one.verdict == "ok" && one.low > 1;
  }
  return out;
}

std::string arms_text(const ReportData& data, const ReportOptions& options) {
  const std::vector<ArmSummary> arms = compare_arms(data);
  if (arms.size() < 2) return {};
  TextTable table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right,
                   Align::right, Align::right, Align::right});
  table.add({"arm", "faster", "speed-up", "95 % interval", arms.front().arm + " / it", "95 % interval",
             "versions", "calls", "devices"});
  for (const ArmSummary& one : arms)
    table.add({one.arm, share(one.gains, one.hotspots * one.replicates), factor(one.speedup),
               interval_or_dash(one.low, one.high), factor(one.lead),
               interval_or_dash(one.lead_low, one.lead_high), std::to_string(one.candidates),
               std::to_string(one.calls), duration_text(one.device_seconds)});
  const auto width = static_cast<std::size_t>(options.width);
  return emphasised("Arms", options) + "\n" + table.text(2, std::max<std::size_t>(width, 110)) + "  " +
         wrapped(
             "Geometric means over hotspots; a hotspot without a gain counts as 1. Intervals: Student's t "
             "over the "
             "hotspots' log speed-ups, so they tell of other hotspots like these, not of noise. Each arm "
             "searched "
             "and measured for itself.",
             width - 2, 2) +
         "\n";
}

std::string model_text(const ReportData& data, const ReportOptions& options) {
  if (data.calls.empty()) return {};
  std::map<std::string, int> outcomes;
  long long in = 0, out_tokens = 0, cached = 0, requests = 0;
  double cost = 0;
  for (const ReportCall& call : data.calls) {
    ++outcomes[call.outcome];
    in += std::max(0LL, call.tokens_in);
    cached += std::max(0LL, call.tokens_cached);
    out_tokens += std::max(0LL, call.tokens_out);
    requests += std::max(0LL, call.attempts);
    cost += std::isfinite(call.cost) ? call.cost : 0;
  }
  std::string ends;
  for (const auto& [outcome, count] : outcomes)
    ends += (ends.empty() ? "" : ", ") + std::to_string(count) + " " + outcome;
  const FirstTries tries = first_tries(data);
  std::string out = emphasised("Model", options) + "\n  " + std::to_string(data.calls.size()) + " calls (" +
                    ends + "), " + std::to_string(requests) + " requests sent\n  " + std::to_string(in) +
                    " prompt tokens, " + std::to_string(cached) + " of them cached; " +
                    std::to_string(out_tokens) + " reply tokens; cost " + fixed(cost, 4) + "\n";
  if (tries.asked > 0)
    out += "  first tries: " + share(tries.well_formed, tries.asked) + " well-formed, " +
           share(tries.built, tries.asked) + " built, " + share(tries.equivalent, tries.asked) +
           " equivalent, " + share(tries.faster, tries.asked) + " faster\n";
  if (tries.repairs > 0) out += "  repairs: " + share(tries.repaired, tries.repairs) + " passed every gate\n";
  return out;
}

}  // namespace noctune
