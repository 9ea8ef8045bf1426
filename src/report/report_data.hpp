// A results file as the report needs it: plain rows, read once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/results_file.hpp"

namespace noctune {

struct ReportHotspot {
  long long id = -1, best_candidate = -1, rounds = -1, batched = -1;
  std::string name, backend, entry, mep_status, verdict, reason;
  double t_ker = 0, t_overall = 0, s_data = 0;
  double baseline_time = 0, best_time = 0, speedup = 0, low = 0, high = 0, direct = 0, integrated = 0;
  double share = 1;  // of the application's run time
};

struct ReportCandidate {
  long long id = -1, hotspot = -1, base = -1, round = -1, index = -1, repair_of = -1, call = -1;
  std::string arm, proposer, kind, strategies, hypothesis, flags, patterns, source_sha;
  // Of its latest screening; empty while it has none.
  std::string verdict, message;
  long long reference = -1;
  double speedup = 0, low = 0, high = 0;
  std::string bottleneck;  // of its latest profile: "memory"; empty while it has none
};

struct ReportConfirmation {
  long long candidate = -1, process = -1;
  std::string verdict;
  double speedup = 0, low = 0, high = 0;
};

// One arm of one hotspot.
struct ReportArm {
  long long hotspot = -1, replicate = 0, candidates = 0, calls = 0, tokens = 0;
  std::string arm, verdict;
  double speedup = 1, low = 1, high = 1, cost = 0, device_seconds = 0;
};

struct ReportCall {
  long long id = -1, hotspot = -1, tokens_in = 0, tokens_cached = 0, tokens_out = 0, attempts = 0;
  std::string arm, purpose, outcome, reading;
  double cost = 0, seconds = 0;
  double sent = 0;  // since 1970-01-01 UTC; NaN in files of earlier versions
};

struct ReportDevice {
  long long id = -1, rank = -1;
  std::string host, backend, name, compiler, compiler_version, sandbox;
  std::string uuid, measure_cpus, build_cpus, driver;
};

struct ReportCase {
  long long hotspot = -1;
  std::string name, use, sizes;
  double weight = 1;
  double bytes = 0, flops = 0;  // of one call; NaN: not declared
};

// One run of the program; a resumed campaign has several.
struct ReportRun {
  long long id = -1;
  double started = 0, finished = 0;  // seconds since 1970
  std::string status;
};

struct ReportCeiling {
  long long device = -1;
  std::string name, unit;
  double value = 0;
};

// One candidate through the gates on one device: when, how long each gate took, and how it ended.
struct ReportEvaluation {
  long long id = -1, hotspot = -1, candidate = -1, device = -1;
  std::string purpose, verdict;
  double started = 0, build = 0, check = 0, time = 0, busy = 0;  // seconds; unknown durations are 0
  double speedup = 0;  // over its reference; NaN where it was not timed
};

// One measured use of a pattern.
struct ReportPatternUse {
  long long hotspot = -1, candidate = -1;
  std::string pattern, verdict;
  double log_ratio = 0;
  bool gain = false;
};

// One attempt to put winners back into their application.
struct ReportPlacement {
  long long run = -1, candidate = -1, pairs = 0;
  std::string application, hotspots, rule, flags, used, use_reason, verdict, reason;
  std::string profiler;
  double standalone = 0, ceiling = 0, speedup = 0, low = 0, high = 0;  // 0 or not a number: not known
  double kernel_seconds = 0, kernel_seconds_patched = 0;               // likewise
};

// Seconds of device time, over the whole campaign.
struct ReportTime {
  double build = 0, check = 0, time = 0;
  double busy = 0;  // any of them; they overlap
  double wall = 0;  // of the runs, one after the other
};

struct ReportData {
  std::string path, campaign, uuid, status, started, finished, job_id, version;
  std::string currency;  // of the price table; empty without one
  std::vector<ReportRun> runs;
  std::vector<ReportHotspot> hotspots;
  std::map<long long, ReportCandidate> candidates;
  // Hotspot -> verdict -> versions proposed; "not evaluated" for those without a verdict.
  std::map<long long, std::map<std::string, int>> outcomes;
  std::vector<ReportConfirmation> confirmations;
  std::vector<ReportArm> arms;
  std::vector<ReportCall> calls;
  std::vector<ReportDevice> devices;
  std::vector<ReportCase> cases;
  std::vector<ReportCeiling> ceilings;
  std::vector<ReportEvaluation> evaluations;
  std::vector<ReportPatternUse> pattern_uses;
  std::vector<ReportPlacement> placements;
  ReportTime time;
};

Result<ReportData> read_report_data(const ResultsFile& results);

}  // namespace noctune
