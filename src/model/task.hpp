// What the coordinator asks of an evaluator and what it answers: plain data, sent as JSON (CBOR) messages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/campaign.hpp"
#include "model/evaluation.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

// The most that a device was measured to do.
struct Ceiling {
  std::string name;  // "read 8 MB", "fp64 FMA", "empty launch"
  double value = 0;
  std::string unit;  // "B/s", "flop/s", "s"
  double bytes = 0;  // of the working set, for memory
};

// The GPU of an evaluator; all of it empty where the backend needs none.
struct GpuFacts {
  std::string uuid;          // as CUDA_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES take it; empty = it has none
  std::string pci;           // "0000:65:00.0"
  std::string architecture;  // compute capability "9.0", or "gfx90a"
  std::string driver;        // version
  long long memory_bytes = 0;
  int multiprocessors = 0;  // 0 = unknown
  int index = -1;           // among the GPUs that the rank may open
  int minor = -1;           // of its device file
  bool mig = false;         // a MIG instance
  std::string shared;  // "in turns with rank 3; also by process 1234": for people; empty = by nobody else
};

// One place where candidates run: a share of a node's processors, with a GPU where the backend needs one.
struct DeviceFacts {
  int rank = 0;
  int pid = 0;  // of the rank, by which some launchers name who died
  std::string host;
  std::string name;  // model of the GPU, else of the processor
  std::string backend = "openmp";
  GpuFacts gpu;
  std::vector<int> measured_cpus;  // measured processes run here
  std::vector<int> build_cpus;     // compilers and checks run here
  bool shares_token = false;       // builds pause while any rank of the node measures
  std::string compiler;            // first line of its --version
  std::string sandbox_level;
  std::string sandbox_missing;  // restrictions that are not in force, and why; empty = none
  long long l1_bytes = 0, l2_bytes = 0, last_level_cache_bytes = 0;
  int vector_bytes = 16;
  std::vector<Ceiling> ceilings;
  std::string problem;  // why this device cannot be used; empty = it can
};

// A MEP as text, so that any node can build it.
struct MepSource {
  std::string hotspot;
  MepSpec spec;
  std::string context;   // context.hpp; generated from the spec when the user gives none
  std::string original;  // K(0)
  std::string check;     // check.cpp, the user's invariants; empty where the spec names none
  std::string inputs;    // inputs.cpp, generators that the spec names; empty = none
  std::vector<std::string> flags;
  std::vector<std::string> libraries;  // of the vendor that versions may use: "cublas"; K(0) is linked alike
  std::string sha() const;
};

// A case as sizing left it.
struct SizedCase {
  std::string name;
  CaseUse use = CaseUse::time;
  double weight = 1;
  std::map<std::string, long long> sizes;
  int batch = 1;
  long long data_bytes = 0;
  double flops = 0, bytes = 0;  // per call; 0 = not stated
};

// How far each output of each case may be from K(0)'s.
struct OutputTolerance {
  std::string case_name, param;
  double tolerance = 0;   // norm-wise, relative
  double band = 0;        // K(0)'s own noise: run to run, and under a one-ulp change of the inputs
  double base_error = 0;  // K(0) against its own build in double precision; 0 where there is none
  std::string reason;     // what decided the tolerance, for people
};

// A completed, sized and baselined MEP; everything an evaluator must know to judge candidates like another
// did.
struct MepReport {
  bool usable = false;
  Verdict failure = Verdict::ok;  // why not, in the words of a candidate's verdict
  std::string message;            // refusal, or what sizing decided, for people
  std::string diagnostics;        // compiler or run-time output
  std::vector<SizedCase> cases;
  std::vector<OutputTolerance> tolerances;
  std::vector<std::uint64_t> seeds;  // of the input sets, drawn at random, secret to candidates
  bool deterministic = true;
  double t_ker = 0, t_overall = 0;  // seconds: one call, one whole measurement
  long long s_data = 0;             // bytes, as the driver measured them: buffers and scratch
  long long s_data_computed = 0;    // bytes of the buffers alone, from the spec
  double data_spread = 1;           // slowest over fastest call of K(0) on several inputs of one size
  bool batched = false;
  double build_seconds = 0, call_seconds = 0;  // of K(0): limits for candidates grow from these
  double spread = 0;  // standard deviation of log ratios of K(0) against itself in fresh process pairs
  double baseline_seconds = 0;                 // trimmed mean of the heaviest time case
  std::vector<std::string> undefined_symbols;  // that K(0) itself needs: no candidate is refused for these
  bool double_reference = false;               // a build of K(0) in double precision judges as well
  bool leaves_threads = false;      // K(0) itself does, so candidates may: threads that outlive it,
  bool changes_arithmetic = false;  // another rounding or flush-to-zero
  std::string sanitizers;           // that examined K(0): "address, undefined"; empty = none, a note says why
  std::vector<std::string> notes;   // what completing the MEP found out, for people
};

// The case whose time the report gives; nothing where no case is timed.
const SizedCase* heaviest_case(const MepReport& report);

struct PrepareTask {
  MepSource mep;
  MepLimits mep_limits;
  SearchSettings search;
  PlatformSettings platform;
  LimitSettings limits;
};

// What completing a MEP found; the evaluations are those of K(0) itself.
struct Baselined {
  MepReport report;
  Evaluation baseline;    // K(0) against itself: times, spread
  Evaluation null_probe;  // the version that does nothing, which must fail
};

struct EvaluationTask {
  PrepareTask setup;
  MepReport report;
  Candidate candidate;
  Candidate reference;
  Purpose purpose = Purpose::screen;
  int process = 0;                                  // which fresh process pair of a confirmation
  std::map<std::string, long long> known_binaries;  // machine code -> candidate id
};

}  // namespace noctune
