// A small made-up campaign: one hotspot won, one without a gain, one failed. For tests of the file and the
// report.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "store/recorder.hpp"

namespace noctune::example {

inline RunHeader header(const std::string& run_uuid = "") {
  RunHeader out;
  out.run_uuid = run_uuid;
  out.campaign = "example";
  out.config_json = R"({"search": {"rounds": 2}})";
  out.version = "0.1.0";
  out.job_id = "4711";
  out.decides = {{"search.repeats", "30"}, {"hotspots.a", "\"abc\""}};
  return out;
}

inline Candidate candidate(const std::string& source, const std::string& proposer = "rules") {
  Candidate out;
  out.source = source;
  out.proposer = proposer;
  out.arm = proposer == "rules" ? "rules" : "loop";
  out.sha = candidate_sha(out);
  return out;
}

inline TimingSummary timing(const std::string& case_name, double candidate_s, double reference_s) {
  TimingSummary out;
  out.case_name = case_name;
  out.trimmed_mean = out.median = out.minimum = candidate_s;
  out.reference_trimmed_mean = reference_s;
  out.speedup = reference_s / candidate_s;
  out.interval_low = 0.98 * out.speedup;
  out.interval_high = 1.02 * out.speedup;
  out.samples = {candidate_s, candidate_s * 1.01, candidate_s * 0.99};
  out.reference_samples = {reference_s, reference_s * 1.01, reference_s * 0.99};
  out.schedule = "abbaab";
  return out;
}

inline Evaluation timed(double candidate_s, double reference_s) {
  Evaluation out;
  out.verdict = Verdict::ok;
  out.started = 1.77e9;
  out.device = 1;
  out.seconds = {1.5, 0.5, 2.0, 0.25};
  out.check.passed = true;
  out.check.max_error = 1e-16;
  out.check.tolerance = 1e-10;
  out.binary_sha = std::string(64, 'b');
  out.timings = {timing("main", candidate_s, reference_s), timing("wide", 2 * candidate_s, 2 * reference_s)};
  out.speedup = out.timings.front().speedup;
  out.interval_low = out.timings.front().interval_low;
  out.interval_high = out.timings.front().interval_high;
  return out;
}

inline Evaluation failed(Verdict verdict, const std::string& message, const std::string& diagnostics) {
  Evaluation out;
  out.verdict = verdict;
  out.started = 1.77e9;
  out.device = 1;
  out.message = message;
  out.diagnostics = diagnostics;
  return out;
}

inline EvaluationContext context(long long hotspot, long long candidate, Purpose purpose, long long reference,
                                 const std::string& key) {
  EvaluationContext out;
  out.hotspot = hotspot;
  out.candidate = candidate;
  out.purpose = purpose;
  out.reference = reference;
  out.key = key;
  return out;
}

inline void record_gemm(Recorder& recorder) {
  HotspotRow row;
  row.name = "gemm";
  row.entry = "gemm";
  const long long gemm = recorder.hotspot(row);
  CaseRow size;
  size.hotspot = gemm;
  size.name = "main";
  size.sizes_json = R"({"n":512})";
  size.bytes = 6291456;
  recorder.case_(size);
  size.name = "wide";
  recorder.case_(size);

  const long long original = recorder.candidate(gemm, 0, 0, candidate("void gemm() {}", "original"));
  recorder.evaluation(context(gemm, original, Purpose::baseline, original, "gemm/0"), timed(0.004, 0.004));
  Candidate first = candidate("void gemm() { /* interchanged */ }");
  first.strategies = {"loop interchange"};
  first.kind = "memory access";
  first.base = original;
  first.params = {{"tile", "32"}, {"unroll", "4"}};
  const long long one = recorder.candidate(gemm, 1, 0, first);
  recorder.evaluation(context(gemm, one, Purpose::screen, original, "gemm/1"), timed(0.002, 0.004));
  Evaluation profile;
  profile.verdict = Verdict::ok;
  profile.diagnostics = "Bound by memory.";
  profile.profile = {{"dram_rate", 2.5e12, "B/s"}, {"class:memory", 0.9, "1"}};
  recorder.evaluation(context(gemm, one, Purpose::profile, one, "gemm/1/profile"), profile);
  Candidate bad = candidate("void gemm() { syntax error }");
  bad.strategies = {"broken"};
  bad.base = original;
  const long long two = recorder.candidate(gemm, 1, 1, bad);
  recorder.evaluation(
      context(gemm, two, Purpose::screen, original, "gemm/2"),
      failed(Verdict::build_failed, "the compiler refused it", "gemm.cpp:1: error: expected ';'"));
  Candidate second = candidate("void gemm() { /* interchanged, tiled */ }");
  second.strategies = {"loop interchange", "tiling"};
  second.base = one;
  const long long three = recorder.candidate(gemm, 2, 0, second);
  recorder.evaluation(context(gemm, three, Purpose::screen, one, "gemm/3"), timed(0.001, 0.002));
  recorder.evaluation(context(gemm, three, Purpose::confirm, original, "gemm/3/confirm"),
                      timed(0.00101, 0.00402));
  recorder.decision(gemm, "candidate 4 becomes the baseline of round 3", {{"candidates", {three}}});
  row.mep_status = MepStatus::complete;
  row.t_ker = 0.004;
  row.t_overall = 0.3;
  row.s_data = 6291456;
  row.batched = 0;
  row.baseline_time = 0.00402;
  row.best_time = 0.00101;
  row.standalone_speedup = 3.98;
  row.standalone_low = 3.9;
  row.standalone_high = 4.06;
  row.verdict = HotspotVerdict::faster;
  row.best_candidate = three;
  row.rounds = 2;
  recorder.hotspot(row);
}

inline void record(Recorder& recorder) {
  DeviceRow device;
  device.rank = 1;
  device.host = "node1";
  device.name = "Test CPU";
  device.compiler = "g++";
  device.compiler_version = "g++ 12.2.0";
  device.measure_cpus = "0-3";
  recorder.device(device);
  record_gemm(recorder);
  HotspotRow row;
  row.name = "stencil";
  row.entry = "stencil";
  row.mep_status = MepStatus::complete;
  row.baseline_time = 0.1;
  row.verdict = HotspotVerdict::indistinguishable;
  recorder.hotspot(row);
  row = {};
  row.name = "broken";
  row.entry = "broken";
  row.mep_status = MepStatus::failed;
  row.verdict = HotspotVerdict::failed;
  row.reason = "the original does not build";
  recorder.hotspot(row);
  recorder.row("ceilings", {{"device", 1}, {"name", "copy bandwidth"}, {"value", 2.5e10}, {"unit", "B/s"}});
  recorder.event(0, EventLevel::info, -1, "campaign done");
}

}  // namespace noctune::example
