#include "report/report_data.hpp"

#include <algorithm>
#include <cmath>

namespace noctune {
namespace {

double or_zero(double value) {
  return std::isfinite(value) ? value : 0;
}

Result<void> read_runs(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows = results.columns("runs", {"started", "finished"});
  if (!rows) return Failure(rows.error());
  out.runs = static_cast<long long>(rows->rows());
  for (std::size_t i = 0; i < rows->rows(); ++i)
    out.time.wall += std::max(0.0, or_zero(rows->numbers("finished")[i] - rows->numbers("started")[i]));
  return {};
}

Result<void> read_hotspots(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows = results.columns("hotspots", {"id",
                                                                "name",
                                                                "backend",
                                                                "entry",
                                                                "mep_status",
                                                                "t_ker",
                                                                "t_overall",
                                                                "s_data",
                                                                "batched",
                                                                "baseline_time",
                                                                "best_time",
                                                                "standalone_speedup",
                                                                "standalone_low",
                                                                "standalone_high",
                                                                "direct_speedup",
                                                                "integrated_speedup",
                                                                "verdict",
                                                                "best_candidate",
                                                                "rounds",
                                                                "reason"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    const auto number = [&](const char* name) { return rows->numbers(name)[i]; };
    const auto text = [&](const char* name) { return rows->texts(name)[i]; };
    ReportHotspot one;
    one.id = rows->integers("id")[i];
    one.best_candidate = rows->integers("best_candidate")[i];
    one.rounds = rows->integers("rounds")[i];
    one.batched = rows->integers("batched")[i];
    one.name = text("name");
    one.backend = text("backend");
    one.entry = text("entry");
    one.mep_status = text("mep_status");
    one.verdict = text("verdict");
    one.reason = text("reason");
    one.t_ker = number("t_ker");
    one.t_overall = number("t_overall");
    one.s_data = number("s_data");
    one.baseline_time = number("baseline_time");
    one.best_time = number("best_time");
    one.speedup = number("standalone_speedup");
    one.low = number("standalone_low");
    one.high = number("standalone_high");
    one.direct = number("direct_speedup");
    one.integrated = number("integrated_speedup");
    out.hotspots.push_back(std::move(one));
  }
  return {};
}

Result<void> read_candidates(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows =
      results.columns("candidates", {"id", "hotspot", "base", "round", "index", "repair_of", "call", "arm",
                                     "proposer", "kind", "strategies", "hypothesis", "flags"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    ReportCandidate one;
    one.id = rows->integers("id")[i];
    one.hotspot = rows->integers("hotspot")[i];
    one.base = rows->integers("base")[i];
    one.round = rows->integers("round")[i];
    one.index = rows->integers("index")[i];
    one.repair_of = rows->integers("repair_of")[i];
    one.call = rows->integers("call")[i];
    one.arm = rows->texts("arm")[i];
    one.proposer = rows->texts("proposer")[i];
    one.kind = rows->texts("kind")[i];
    one.strategies = rows->texts("strategies")[i];
    one.hypothesis = rows->texts("hypothesis")[i];
    one.flags = rows->texts("flags")[i];
    out.candidates.emplace(one.id, std::move(one));
  }
  return {};
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

Result<void> read_evaluations(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows =
      results.columns("evaluations", {"id", "group", "candidate", "purpose", "process", "reference",
                                      "verdict", "message", "build_seconds", "check_seconds", "time_seconds",
                                      "busy_seconds", "total_speedup", "total_low", "total_high"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    if (rows->integers("id")[i] != rows->integers("group")[i]) continue;
    out.time.build += or_zero(rows->numbers("build_seconds")[i]);
    out.time.check += or_zero(rows->numbers("check_seconds")[i]);
    out.time.time += or_zero(rows->numbers("time_seconds")[i]);
    out.time.busy += or_zero(rows->numbers("busy_seconds")[i]);
    const std::string& purpose = rows->texts("purpose")[i];
    if (purpose == "screen" || purpose == "check") take_screening(*rows, i, out);
    if (purpose == "confirm")
      out.confirmations.push_back({rows->integers("candidate")[i], rows->integers("process")[i],
                                   rows->texts("verdict")[i], rows->numbers("total_speedup")[i],
                                   rows->numbers("total_low")[i], rows->numbers("total_high")[i]});
  }
  return {};
}

Result<void> read_arms(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows =
      results.columns("arms", {"hotspot", "arm", "replicate", "verdict", "speedup", "low", "high",
                               "candidates", "calls", "tokens", "cost", "device_seconds"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    ReportArm one;
    one.hotspot = rows->integers("hotspot")[i];
    one.replicate = rows->integers("replicate")[i];
    one.candidates = rows->integers("candidates")[i];
    one.calls = rows->integers("calls")[i];
    one.tokens = rows->integers("tokens")[i];
    one.arm = rows->texts("arm")[i];
    one.verdict = rows->texts("verdict")[i];
    one.speedup = rows->numbers("speedup")[i];
    one.low = rows->numbers("low")[i];
    one.high = rows->numbers("high")[i];
    one.cost = or_zero(rows->numbers("cost")[i]);
    one.device_seconds = or_zero(rows->numbers("device_seconds")[i]);
    out.arms.push_back(std::move(one));
  }
  return {};
}

Result<void> read_calls(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows =
      results.columns("llm_calls", {"id", "hotspot", "arm", "purpose", "outcome", "reading", "tokens_in",
                                    "tokens_cached", "tokens_out", "attempts", "cost", "seconds"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    ReportCall one;
    one.id = rows->integers("id")[i];
    one.hotspot = rows->integers("hotspot")[i];
    one.tokens_in = rows->integers("tokens_in")[i];
    one.tokens_cached = rows->integers("tokens_cached")[i];
    one.tokens_out = rows->integers("tokens_out")[i];
    one.attempts = rows->integers("attempts")[i];
    one.arm = rows->texts("arm")[i];
    one.purpose = rows->texts("purpose")[i];
    one.outcome = rows->texts("outcome")[i];
    one.reading = rows->texts("reading")[i];
    one.cost = rows->numbers("cost")[i];
    one.seconds = rows->numbers("seconds")[i];
    out.calls.push_back(std::move(one));
  }
  return {};
}

Result<void> read_devices(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows =
      results.columns("devices", {"host", "backend", "name", "compiler", "compiler_version", "sandbox"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i)
    out.devices.push_back({rows->texts("host")[i], rows->texts("backend")[i], rows->texts("name")[i],
                           rows->texts("compiler")[i], rows->texts("compiler_version")[i],
                           rows->texts("sandbox")[i]});
  return {};
}

Result<void> read_cases(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows = results.columns("cases", {"hotspot", "name", "use", "sizes", "weight"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i)
    out.cases.push_back({rows->integers("hotspot")[i], rows->texts("name")[i], rows->texts("use")[i],
                         rows->texts("sizes")[i], rows->numbers("weight")[i]});
  return {};
}

Result<void> read_placements(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows =
      results.columns("placements", {"run", "candidate", "pairs", "application", "hotspots", "rule", "used",
                                     "verdict", "reason", "standalone", "ceiling", "speedup", "low", "high"});
  if (!rows) return {};  // written before there was such a table
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    ReportPlacement one;
    one.run = rows->integers("run")[i];
    one.candidate = rows->integers("candidate")[i];
    one.pairs = rows->integers("pairs")[i];
    one.application = rows->texts("application")[i];
    one.hotspots = rows->texts("hotspots")[i];
    one.rule = rows->texts("rule")[i];
    one.used = rows->texts("used")[i];
    one.verdict = rows->texts("verdict")[i];
    one.reason = rows->texts("reason")[i];
    one.standalone = rows->numbers("standalone")[i];
    one.ceiling = rows->numbers("ceiling")[i];
    one.speedup = rows->numbers("speedup")[i];
    one.low = rows->numbers("low")[i];
    one.high = rows->numbers("high")[i];
    out.placements.push_back(std::move(one));
  }
  return {};
}

}  // namespace

Result<ReportData> read_report_data(const ResultsFile& results) {
  ReportData out;
  out.path = results.path().string();
  out.campaign = results.attribute("campaign");
  out.status = results.attribute("status");
  out.started = results.attribute("started");
  out.finished = results.attribute("finished");
  out.job_id = results.attribute("job_id");
  out.version = results.attribute("noctune_version");
  for (const auto read : {read_runs, read_hotspots, read_candidates, read_evaluations, read_arms, read_calls,
                          read_devices, read_cases, read_placements})
    if (Result<void> done = read(results, out); !done) return Failure(done.error());
  return out;
}

}  // namespace noctune
