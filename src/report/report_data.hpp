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
};

struct ReportCandidate {
  long long id = -1, hotspot = -1, base = -1, round = -1, index = -1, repair_of = -1, call = -1;
  std::string arm, proposer, kind, strategies, hypothesis, flags;
  // Of its latest screening; empty while it has none.
  std::string verdict, message;
  long long reference = -1;
  double speedup = 0, low = 0, high = 0;
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
};

struct ReportDevice {
  std::string host, backend, name, compiler, compiler_version, sandbox;
};

struct ReportCase {
  long long hotspot = -1;
  std::string name, use, sizes;
  double weight = 1;
};

// One attempt to put winners back into their application.
struct ReportPlacement {
  long long run = -1, candidate = -1, pairs = 0;
  std::string application, hotspots, rule, flags, used, use_reason, verdict, reason;
  double standalone = 0, ceiling = 0, speedup = 0, low = 0, high = 0;  // 0 or not a number: not known
};

// Seconds of device time, over the whole campaign.
struct ReportTime {
  double build = 0, check = 0, time = 0;
  double busy = 0;  // any of them; they overlap
  double wall = 0;  // of the runs, one after the other
};

struct ReportData {
  std::string path, campaign, status, started, finished, job_id, version;
  long long runs = 0;
  std::vector<ReportHotspot> hotspots;
  std::map<long long, ReportCandidate> candidates;
  std::vector<ReportConfirmation> confirmations;
  std::vector<ReportArm> arms;
  std::vector<ReportCall> calls;
  std::vector<ReportDevice> devices;
  std::vector<ReportCase> cases;
  std::vector<ReportPlacement> placements;
  ReportTime time;
};

Result<ReportData> read_report_data(const ResultsFile& results);

}  // namespace noctune
