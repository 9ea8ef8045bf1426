// What the coordinator hands to the recorder: one struct per kind of row, with defaults for what is unknown.
// Unknown numbers are NaN, unknown ids and counts -1; times are seconds, sizes bytes.
#pragma once

#include <limits>
#include <string>

#include "model/campaign_decides_json.hpp"
#include "model/chat.hpp"
#include "model/evaluation.hpp"

namespace noctune {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Who made the MEP, or that there is none. `complete` and `failed` are what earlier versions wrote.
enum class MepStatus { pending, complete, failed, user, rules, model, refused };
// `pending` while it is being tuned; the others are the outcome of the final confirmation.
enum class HotspotVerdict { pending, faster, indistinguishable, slower, failed };
enum class EventLevel { debug, info, warning, error };

const char* to_text(MepStatus status);
const char* to_text(HotspotVerdict verdict);
const char* to_text(EventLevel level);

// Known by name: writing it again updates the row. A `pending` row never replaces one that has its verdict.
struct HotspotRow {
  std::string name;
  std::string backend = "openmp";
  std::string entry;
  double share = unknown;  // of the application's run time
  MepStatus mep_status = MepStatus::pending;
  double t_ker = unknown;               // one call of the original's entry
  double t_overall = unknown;           // one whole driver process
  double s_data = unknown;              // bytes of all buffers
  long long batched = -1;               // 1: one sample is several calls; 0: one call
  double baseline_time = unknown;       // K(0) in the final confirmation: trimmed mean, first time case
  double best_time = unknown;           // the winner there
  double standalone_speedup = unknown;  // weighted geometric mean over the time cases, confirmed
  double standalone_low = unknown;      // 95 % interval
  double standalone_high = unknown;
  double direct_speedup = unknown;      // of the direct arm
  double integrated_speedup = unknown;  // inside the application
  HotspotVerdict verdict = HotspotVerdict::pending;
  long long best_candidate = -1;
  long long rounds = -1;  // finished
  std::string reason;     // why it stopped or failed, one line
};

// Known by (hotspot, name).
struct CaseRow {
  long long hotspot = -1;
  std::string name;
  std::string use = "time";  // time, check, report
  double weight = 1;
  std::string sizes_json;                   // resolved sizes, {"n": 1024}
  double bytes = unknown, flops = unknown;  // per call of the entry
};

// Known by (host, uuid, rank).
struct DeviceRow {
  long long rank = -1;
  std::string host;
  std::string backend = "openmp";
  std::string name;  // "AMD EPYC 7763", "NVIDIA A100"
  std::string uuid, pci;
  std::string measure_cpus, build_cpus;  // lists such as "0-7,16"
  std::string compiler, compiler_version, driver;
  std::string sandbox;  // level reached
};

// Why and against what a candidate was evaluated.
struct EvaluationContext {
  long long hotspot = -1;
  long long candidate = -1;
  Purpose purpose = Purpose::screen;
  long long reference = -1;  // candidate it was timed against
  long long process = 0;     // fresh process pair, counted from 0
  std::string key;           // (candidate, MEP, cases, platform, settings, purpose, process): resume
};

// A slot's model calls in earlier runs: what was answered or failed at a known cost, and what was sent
// without an answer, which may have been paid for.
struct SpentCall {
  std::string hotspot;
  double cost = 0;
  long long tokens = 0, requests = 0;
  int unanswered = 0;  // times
  long long prompt_bytes = 0;
  int max_output_tokens = 0;
};

// What one arm made of one hotspot. Known by (hotspot, arm, replicate).
struct ArmRow {
  long long hotspot = -1;
  std::string arm;
  long long replicate = 0;
  HotspotVerdict verdict = HotspotVerdict::pending;
  long long best_candidate = -1;
  double speedup = unknown, low = unknown, high = unknown;  // over K(0), confirmed; 1 without a gain
  long long candidates = 0;                                 // tried
  long long calls = 0, tokens = 0;                          // of the model, prompt and reply
  double cost = 0;                                          // in the price table's currency
  double device_seconds = 0;                                // screening alone
};

// One run of the program. An empty run_uuid is made up.
struct RunHeader {
  std::string run_uuid;
  std::string campaign;     // name
  std::string config_json;  // resolved
  std::string version;      // of Noctune
  std::string job_id;
  int job_restarts = 0;  // how often the batch system has started the job again
  Decisive decides;      // the settings that must not change while the results grow
};

}  // namespace noctune
