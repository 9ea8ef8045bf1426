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

void take_screening(const Hdf5Columns& rows, std::size_t i, ReportData& out) {
  const auto found = out.candidates.find(rows.integers("candidate")[i]);
  if (found == out.candidates.end()) return;
  ReportCandidate& one = found->second;
  const std::string& verdict = rows.texts("verdict")[i];
  // Our own trouble says nothing about a candidate that was judged at another time.
  if (verdict == "lost" && !one.verdict.empty()) return;
  one.verdict = verdict;
  one.message = rows.texts("message")[i];
  one.reference = rows.integers("reference")[i];
  one.speedup = rows.numbers("total_speedup")[i];
  one.low = rows.numbers("total_low")[i];
  one.high = rows.numbers("total_high")[i];
}

void take(const Hdf5Columns& rows, std::size_t i, ReportData& out) {
  ReportEvaluation one;
  one.id = rows.integers("id")[i];
  one.hotspot = rows.integers("hotspot")[i];
  one.candidate = rows.integers("candidate")[i];
  one.device = rows.integers("device")[i];
  one.purpose = rows.texts("purpose")[i];
  one.verdict = rows.texts("verdict")[i];
  one.started = rows.numbers("started")[i];
  one.build = or_zero(rows.numbers("build_seconds")[i]);
  one.check = or_zero(rows.numbers("check_seconds")[i]);
  one.time = or_zero(rows.numbers("time_seconds")[i]);
  one.busy = or_zero(rows.numbers("busy_seconds")[i]);
  one.speedup = rows.numbers("total_speedup")[i];
  out.time.build += one.build;
  out.time.check += one.check;
  out.time.time += one.time;
  out.time.busy += one.busy;
  if (one.purpose == "screen" || one.purpose == "check") take_screening(rows, i, out);
  if (one.purpose == "confirm")
    out.confirmations.push_back({one.candidate, rows.integers("process")[i], one.verdict,
                                 rows.numbers("total_speedup")[i], rows.numbers("total_low")[i],
                                 rows.numbers("total_high")[i]});
  out.evaluations.push_back(std::move(one));
}

Result<void> read_evaluations(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows = results.columns(
      "evaluations", {"id", "group", "hotspot", "candidate", "device", "purpose", "process", "reference",
                      "verdict", "message", "started", "build_seconds", "check_seconds", "time_seconds",
                      "busy_seconds", "total_speedup", "total_low", "total_high"});
  if (!rows) return Failure(rows.error());
  const std::vector<long long>&ids = rows->integers("id"), &groups = rows->integers("group");
  for (std::size_t i = 0; i < rows->rows(); ++i)
    if (ids[i] == groups[i]) take(*rows, i, out);
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
