#include "report/report_measurements.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace noctune {
namespace {

double or_zero(double value) {
  return std::isfinite(value) ? value : 0;
}

// The columns by reference: looking them up by name for every row would take longer than reading them.
class EvaluationRows {
 public:
  explicit EvaluationRows(const Hdf5Columns& rows) : rows_(rows) {}

  void take(std::size_t i, ReportData& out) const {
    if (id_[i] != group_[i]) return;  // a further case of the evaluation before
    ReportEvaluation one;
    one.id = id_[i];
    one.hotspot = hotspot_[i];
    one.candidate = candidate_[i];
    one.device = device_[i];
    one.purpose = purpose_[i];
    one.verdict = verdict_[i];
    one.started = started_[i];
    one.build = or_zero(build_[i]);
    one.check = or_zero(check_[i]);
    one.time = or_zero(time_[i]);
    one.busy = or_zero(busy_[i]);
    one.speedup = speedup_[i];
    out.time.build += one.build;
    out.time.check += one.check;
    out.time.time += one.time;
    out.time.busy += one.busy;
    if (one.purpose == "screen" || one.purpose == "check") take_screening(i, out);
    if (one.purpose == "confirm")
      out.confirmations.push_back({one.candidate, process_[i], one.verdict, speedup_[i], low_[i], high_[i]});
    out.evaluations.push_back(std::move(one));
  }

 private:
  void take_screening(std::size_t i, ReportData& out) const {
    const auto found = out.candidates.find(candidate_[i]);
    if (found == out.candidates.end()) return;
    ReportCandidate& one = found->second;
    // Our own trouble says nothing about a candidate that was judged at another time.
    if (verdict_[i] == "lost" && !one.verdict.empty()) return;
    one.verdict = verdict_[i];
    one.message = message_[i];
    one.reference = reference_[i];
    one.speedup = speedup_[i];
    one.low = low_[i];
    one.high = high_[i];
  }

  using Integers = const std::vector<long long>&;
  using Numbers = const std::vector<double>&;
  using Texts = const std::vector<std::string>&;
  const Hdf5Columns& rows_;
  Integers id_ = rows_.integers("id"), group_ = rows_.integers("group"), hotspot_ = rows_.integers("hotspot"),
           candidate_ = rows_.integers("candidate"), device_ = rows_.integers("device"),
           process_ = rows_.integers("process"), reference_ = rows_.integers("reference");
  Texts purpose_ = rows_.texts("purpose"), verdict_ = rows_.texts("verdict"),
        message_ = rows_.texts("message");
  Numbers started_ = rows_.numbers("started"), build_ = rows_.numbers("build_seconds"),
          check_ = rows_.numbers("check_seconds"), time_ = rows_.numbers("time_seconds"),
          busy_ = rows_.numbers("busy_seconds"), speedup_ = rows_.numbers("total_speedup"),
          low_ = rows_.numbers("total_low"), high_ = rows_.numbers("total_high");
};

Result<void> read_evaluations(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> columns = results.columns(
      "evaluations", {"id", "group", "hotspot", "candidate", "device", "purpose", "process", "reference",
                      "verdict", "message", "started", "build_seconds", "check_seconds", "time_seconds",
                      "busy_seconds", "total_speedup", "total_low", "total_high"});
  if (!columns) return Failure(columns.error());
  const EvaluationRows rows(*columns);
  out.evaluations.reserve(columns->rows());
  for (std::size_t i = 0; i < columns->rows(); ++i) rows.take(i, out);
  return {};
}

Result<void> read_ceilings(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows = results.columns("ceilings", {"device", "name", "value", "unit"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    ReportCeiling one{rows->integers("device")[i], rows->texts("name")[i], rows->texts("unit")[i],
                      rows->numbers("value")[i]};
    const auto known = std::find_if(
        out.ceilings.begin(), out.ceilings.end(),
        [&](const ReportCeiling& other) { return other.device == one.device && other.name == one.name; });
    // A resumed campaign measures them again; the best is what the device can do.
    if (known == out.ceilings.end())
      out.ceilings.push_back(std::move(one));
    else
      known->value = std::max(known->value, one.value);
  }
  return {};
}

// The class of bottleneck is stored as a metric "class:memory" whose value is the confidence.
Result<void> read_bottlenecks(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows = results.columns("profiles", {"evaluation", "metric"});
  if (!rows) return Failure(rows.error());
  constexpr std::string_view prefix = "class:";
  std::unordered_map<long long, std::string> classes;
  for (std::size_t i = 0; i < rows->rows(); ++i)
    if (const std::string& metric = rows->texts("metric")[i]; metric.starts_with(prefix))
      classes[rows->integers("evaluation")[i]] = metric.substr(prefix.size());
  if (classes.empty()) return {};
  for (const ReportEvaluation& one : out.evaluations) {
    const auto found = classes.find(one.id);
    const auto candidate = out.candidates.find(one.candidate);
    if (found != classes.end() && candidate != out.candidates.end())
      candidate->second.bottleneck = found->second;
  }
  return {};
}

Result<void> read_pattern_uses(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> names = results.columns("patterns", {"id", "name"});
  if (!names) return Failure(names.error());
  std::unordered_map<long long, std::string> by_id;
  for (std::size_t i = 0; i < names->rows(); ++i) by_id[names->integers("id")[i]] = names->texts("name")[i];
  const Result<Hdf5Columns> rows = results.columns(
      "pattern_evidence", {"pattern", "hotspot", "candidate", "verdict", "log_ratio", "gain"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    const auto name = by_id.find(rows->integers("pattern")[i]);
    if (name == by_id.end()) continue;
    out.pattern_uses.push_back({rows->integers("hotspot")[i], rows->integers("candidate")[i], name->second,
                                rows->texts("verdict")[i], or_zero(rows->numbers("log_ratio")[i]),
                                rows->integers("gain")[i] == 1});
  }
  return {};
}

}  // namespace

Result<void> read_measurements(const ResultsFile& results, ReportData& out) {
  for (const auto read : {read_evaluations, read_ceilings, read_bottlenecks, read_pattern_uses})
    if (Result<void> done = read(results, out); !done) return done;
  return {};
}

}  // namespace noctune
