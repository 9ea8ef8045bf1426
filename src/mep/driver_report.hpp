// What a driver process answered. Read the report file after the child has exited, then parse it with the
// nonce of its command. A stream that is truncated, forged or foreign is an Error: missing evidence is
// failure. The views inside point into the bytes that were parsed; keep those alive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "model/element_type.hpp"

namespace noctune {

struct OutputBlob {
  int param = 0;  // position in the spec's params
  ElementType element = ElementType::f64;
  std::string_view bytes;
};

struct CheckRunReport {
  int index = 0;  // of the command's runs
  bool guards_ok = false;
  std::string guard_message;  // "C: 8 bytes changed behind its end, the first 0 bytes away"
  bool inputs_ok = false;
  std::string input_message;        // "A was changed although its role is in"
  double seconds = 0;               // of the calls, untuned: no warm-up
  std::vector<OutputBlob> outputs;  // of every compared parameter, in order
};

// What the user's check says of one run's outputs.
struct JudgedRun {
  bool holds = false;
  std::string why;  // in the check's own words, whatever bytes those are
};

struct ProbeReport {
  double first_call_seconds = 0;
  double seconds_per_call = 0;  // lower quartile of the later calls
  int calls = 0;                // later calls
  double setup_seconds = 0;
  double generate_seconds = 0;  // allocating and filling one argument set
  double overall_seconds = 0;   // the process from its start to here
  double data_bytes = 0, scratch_bytes = 0;
  double fastest_seconds = 0, slowest_seconds = 0;  // of several values of the inputs, each one's best call
};

struct Sample {
  double seconds = 0;  // of the whole batch
  int order = 0;       // position in the schedule
  int input_set = 0;   // argument set of its first call
  long long involuntary_switches = 0;
  double started = 0;       // seconds of the monotonic clock
  double clock_hz = -1;     // of the device meanwhile; negative = not known, as the driver leaves it
  long long throttle = -1;  // why it slowed itself down, bits of NVML; negative = not known
};

// Outputs of one call inside a timed sample. The reference's: a CheckRun with `resolved` = cases[case_index],
// `seed`, the normal variant, `poison` and `calls`.
struct VerifiedOutputs {
  int sample = 0;
  int case_index = 0;
  std::uint64_t seed = 0;
  std::uint64_t poison = 0;
  int calls = 1;
  std::vector<OutputBlob> outputs;
};

// What stands for one output of one sample (runtime/sketch.hpp).
struct OutputSketch {
  double sum = 0, squares = 0;  // over finite elements: with random signs, and squared
  std::uint64_t bits = 0;       // of integers, and of what is not finite
};

struct TimeReport {
  std::vector<Sample> samples;  // this side's, in order
  int batch = 1;
  int input_sets = 1;         // argument sets in memory
  bool restored = true;       // false: calls of one batch shared buffers, so in-out data was fed back
  double warmup_seconds = 0;  // spent warming up
  int warmup_calls = 0;
  double setup_seconds = 0;       // median of the calls to <entry>_setup
  double timed_wall_seconds = 0;  // sum over samples by a second clock
  double scratch_bytes = 0;
  bool guards_ok = false, inputs_ok = false;  // after the last sample
  std::string guard_message, input_message;
  std::optional<VerifiedOutputs> verified;
  std::vector<OutputSketch> sketches;         // by sample, then compared output
  std::vector<double> solo_samples;           // of the whole batch, before the peer had loaded its plugin
  std::vector<double> own_turns, peer_turns;  // seconds by the kernel's clock: fills, sweeps and calls
};

// The GPU that the driver ran on.
struct GpuReport {
  std::string name, architecture, pci_address;
  long long l2_bytes = 0, memory_bytes = 0;
  int multiprocessors = 0, warp_size = 0;
};

enum class DriverFault { none, plugin, driver, peer };  // whose fault `error` is

struct DriverReport {
  std::string entry;
  int threads = 0;          // of the driver's OpenMP team
  double load_seconds = 0;  // of the plugin
  bool arithmetic_changed =
      false;  // loading it changed rounding or flush-to-zero; the driver changed that back
  std::optional<GpuReport> gpu;
  std::vector<CheckRunReport> runs;
  std::vector<JudgedRun> judged;  // by run
  std::optional<ProbeReport> probe;
  std::optional<TimeReport> time;
  bool ended = false;  // the driver came to its end; implied by success without `error`
  DriverFault fault = DriverFault::none;
  std::string error;                     // what the driver refused, e.g. a missing entry
  bool arithmetic_left_changed = false;  // its calls left another rounding or flush-to-zero behind
  int leftover_threads = 0;  // of the plugin's own, still alive at the end; -1 = could not be counted
};

// On success either `ended` is true and all that was asked is there, or `error` says what went wrong.
Result<DriverReport> parse_report(std::string_view bytes, std::uint64_t nonce);

}  // namespace noctune
