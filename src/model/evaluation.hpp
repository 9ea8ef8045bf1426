// Candidates and what measuring them found. Plain data; the flow and the store read it, the evaluator fills
// it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace noctune {

enum class Verdict {
  ok,
  duplicate,
  rejected,
  build_failed,
  build_timeout,
  run_failed,
  run_timeout,
  wrong_result,
  unstable,
  lost
};
const char* to_text(Verdict verdict);
Verdict verdict_from(const std::string& text);

// Why an evaluation was made.
enum class Purpose { baseline, screen, check, confirm, profile, null_kernel };
const char* to_text(Purpose purpose);  // null_kernel is "null"
Purpose purpose_from(const std::string& text);

// A proposed version: source, defines and flags; everything else says where it came from.
struct Candidate {
  long long id = 0;  // row in /candidates, given by the store
  std::string source;
  std::vector<std::string> extra_flags;  // value-preserving, beyond the campaign's
  std::string proposer;                  // "original", "rules", "model", "user"
  std::string kind;  // mechanism: "parallelism", "memory access", "tiling", "compiler", ...
  std::vector<std::string> strategies;        // names of the changes, in order of application
  std::map<std::string, std::string> params;  // tunable values: tile sizes, unroll factors
  std::string hypothesis;                     // one sentence: why this should be faster
  std::vector<std::string> patterns;          // names of the patterns it says it used
  std::string arm = "loop";                   // loop, direct, sampling, rules
  int replicate = 0;                          // of the arm
  long long base = 0;                         // candidate it was derived from
  long long repair_of = 0;                    // failed candidate that it mends; 0 = none
  long long call = 0;                         // model call that wrote it; 0 = none
  std::string prompt_template;                // of that call, name and version
  double predicted_gain = 0;                  // speed-up that its proposer expects; 0 = not said
  std::string sha;                            // SHA-256 of source + flags: its identity
};
std::string candidate_sha(const Candidate& candidate);

// A device's own words about each sample of a side; empty where nobody asked it. Negative = it does not tell.
struct DeviceReadings {
  std::vector<double> clocks;     // Hz
  std::vector<double> throttles;  // why it slowed itself down: bits of the vendor's library, whole numbers
};

// Screening against the round baseline on one case, from two processes that pass a turn token.
struct TimingSummary {
  std::string case_name;
  double weight = 1;
  int batch = 1;                                     // entry calls per sample
  double trimmed_mean = 0, median = 0, minimum = 0;  // candidate, seconds per call
  double reference_trimmed_mean = 0;                 // round baseline in the same run
  double speedup = 0, interval_low = 0, interval_high = 0;
  std::vector<double> samples, reference_samples;  // seconds per call, in order of measurement
  DeviceReadings device, reference_device;
  std::string schedule;   // order of the turns: 'a' the reference, 'b' the candidate;
                          // capitals: the kernel switched to other work meanwhile
  double solo_ratio = 0;  // reference beside the candidate over reference alone, medians; 0 = unknown
  double drift = 0;       // log ratio of the reference's second to its first half
  int disturbed = 0;      // samples of both sides during which the kernel switched to other work
};

struct CheckSummary {
  bool passed = false;
  double max_error = 0;  // largest norm-wise error over outputs, relative
  double tolerance = 0;  // the bound it was held to
  std::string worst_output;
  bool deterministic = true;
  int calls = 0;  // that were compared
};

struct StageSeconds {
  double build = 0, check = 0, time = 0, wait = 0;
  double busy = 0;  // the device had anything to do, since its last answer: no overlap
};

// The most of each over the kernels of a GPU version, as its compiler reports it.
struct CompiledNeeds {
  long long registers = 0;     // a thread
  long long shared_bytes = 0;  // a block
  long long spill_bytes = 0;   // a thread, stores and loads
};

// One quantity of a profile; what is unknown has none.
struct ProfileMetric {
  std::string metric;
  double value = 0;
  std::string unit;  // "1" = a share or a number
};

struct Evaluation {
  Verdict verdict = Verdict::lost;
  std::string message;      // for people: what happened and where
  std::string diagnostics;  // compiler or run-time output, capped; of a profile, its guidance
  std::string binary_sha;   // of the plugin's machine code
  CompiledNeeds needs;
  std::vector<ProfileMetric> profile;
  std::vector<TimingSummary> timings;
  CheckSummary check;
  StageSeconds seconds;
  double started = 0;  // wall-clock seconds since the epoch
  int device = 0;      // row in /devices
  double speedup = 0;  // weighted geometric mean over time cases, against the reference
  double interval_low = 0, interval_high = 0;
  double energy = 0, reference_energy = 0;  // J per call beyond those of the idle device; 0 = not measured
  double spread = 0;  // of K(0) against itself in fresh process pairs, on the device that timed this
};

}  // namespace noctune
