#include "report/report_data.hpp"

#include <algorithm>
#include <cmath>

#include "base/json.hpp"
#include "report/report_measurements.hpp"

namespace noctune {
namespace {

double or_zero(double value) {
  return std::isfinite(value) ? value : 0;
}

std::string currency_of(const ResultsFile& results) {
  std::string config = results.attribute("config");
  if (config.empty())
    if (const Result<std::string> stored = results.text(results.attribute("config_sha"))) config = *stored;
  const Json root = Json::parse(config, nullptr, false);
  const Json::json_pointer place("/model/prices/currency");
  if (root.is_discarded() || !root.is_object() || !root.contains(place)) return {};
  return root[place].is_string() ? root[place].get<std::string>() : std::string();
}

Result<void> read_runs(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows = results.columns("runs", {"id", "started", "finished", "status"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    out.runs.push_back({rows->integers("id")[i], rows->numbers("started")[i], rows->numbers("finished")[i],
                        rows->texts("status")[i]});
    out.time.wall += std::max(0.0, or_zero(rows->numbers("finished")[i] - rows->numbers("started")[i]));
  }
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
                                                                "share",
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
    one.share = number("share");
    out.hotspots.push_back(std::move(one));
  }
  return {};
}

Result<void> read_candidates(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows = results.columns(
      "candidates", {"id", "hotspot", "base", "round", "index", "repair_of", "call", "arm", "proposer",
                     "kind", "strategies", "hypothesis", "flags", "patterns", "source_sha"});
  if (!rows) return Failure(rows.error());
  // By reference: looking them up for every row would take longer than reading them.
  const std::vector<long long>&id = rows->integers("id"), &hotspot = rows->integers("hotspot"),
                         &base = rows->integers("base"), &round = rows->integers("round"),
                         &index = rows->integers("index"), &repair_of = rows->integers("repair_of"),
                         &call = rows->integers("call");
  const std::vector<std::string>&arm = rows->texts("arm"), &proposer = rows->texts("proposer"),
        &kind = rows->texts("kind"), &strategies = rows->texts("strategies"),
        &hypothesis = rows->texts("hypothesis"), &flags = rows->texts("flags"),
        &patterns = rows->texts("patterns"), &source_sha = rows->texts("source_sha");
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    ReportCandidate one;
    one.id = id[i];
    one.hotspot = hotspot[i];
    one.base = base[i];
    one.round = round[i];
    one.index = index[i];
    one.repair_of = repair_of[i];
    one.call = call[i];
    one.arm = arm[i];
    one.proposer = proposer[i];
    one.kind = kind[i];
    one.strategies = strategies[i];
    one.hypothesis = hypothesis[i];
    one.flags = flags[i];
    one.patterns = patterns[i];
    one.source_sha = source_sha[i];
    out.candidates.insert_or_assign(out.candidates.end(), one.id, std::move(one));
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
                                    "tokens_cached", "tokens_out", "attempts", "cost", "seconds", "sent"});
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
    one.sent = rows->numbers("sent")[i];
    out.calls.push_back(std::move(one));
  }
  return {};
}

Result<void> read_devices(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows =
      results.columns("devices", {"id", "rank", "host", "backend", "name", "compiler", "compiler_version",
                                  "sandbox", "uuid", "measure_cpus", "build_cpus", "driver"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    const auto text = [&](const char* name) { return rows->texts(name)[i]; };
    out.devices.push_back({rows->integers("id")[i], rows->integers("rank")[i], text("host"), text("backend"),
                           text("name"), text("compiler"), text("compiler_version"), text("sandbox"),
                           text("uuid"), text("measure_cpus"), text("build_cpus"), text("driver")});
  }
  return {};
}

Result<void> read_cases(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows =
      results.columns("cases", {"hotspot", "name", "use", "sizes", "weight", "bytes", "flops"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i)
    out.cases.push_back({rows->integers("hotspot")[i], rows->texts("name")[i], rows->texts("use")[i],
                         rows->texts("sizes")[i], rows->numbers("weight")[i], rows->numbers("bytes")[i],
                         rows->numbers("flops")[i]});
  return {};
}

void count_outcomes(ReportData& out) {
  for (const auto& [id, candidate] : out.candidates)
    if (candidate.proposer != "original")
      ++out.outcomes[candidate.hotspot][candidate.verdict.empty() ? "not evaluated" : candidate.verdict];
}

Result<void> read_placements(const ResultsFile& results, ReportData& out) {
  const Result<Hdf5Columns> rows =
      results.columns("placements", {"run", "candidate", "pairs", "application", "hotspots", "rule", "used",
                                     "verdict", "reason", "standalone", "ceiling", "speedup", "low", "high",
                                     "profiler", "kernel_seconds", "kernel_seconds_patched"});
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
    one.profiler = rows->texts("profiler")[i];
    one.kernel_seconds = rows->numbers("kernel_seconds")[i];
    one.kernel_seconds_patched = rows->numbers("kernel_seconds_patched")[i];
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
  out.uuid = results.attribute("campaign_uuid");
  out.currency = currency_of(results);
  for (const auto read : {read_runs, read_hotspots, read_candidates, read_measurements, read_arms, read_calls,
                          read_devices, read_cases, read_placements})
    if (Result<void> done = read(results, out); !done) return Failure(done.error());
  count_outcomes(out);
  return out;
}

}  // namespace noctune
