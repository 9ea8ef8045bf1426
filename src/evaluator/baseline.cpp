#include "evaluator/baseline.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "evaluator/case_sizing.hpp"
#include "evaluator/input_probes.hpp"
#include "evaluator/learning.hpp"
#include "evaluator/mutations.hpp"
#include "evaluator/noise.hpp"
#include "evaluator/poison_probe.hpp"
#include "evaluator/policy.hpp"
#include "evaluator/sanitizing.hpp"
#include "evaluator/timing.hpp"
#include "model/backend.hpp"

namespace noctune {
namespace {

// One MEP on its way from spec to report. Each step fills the report or refuses, and says why.
class Baselining {
 public:
  Baselining(std::shared_ptr<Workbench> bench, double llc_bytes)
      : bench_(std::move(bench)), llc_bytes_(llc_bytes) {}

  Task<Baselined> run() {
    out_.baseline.started = wall_seconds();
    for (int i = 0; i < check_seeds; ++i) out_.report.seeds.push_back(random_u64());
    bool good = co_await build();
    if (good) good = co_await size();
    if (good) good = co_await sanitize();
    if (good) good = co_await poison();
    if (good) good = co_await learn();
    if (good) good = co_await probe();
    if (good) good = co_await probe_defects();
    if (good) good = co_await measure();
    if (good) {
      out_.report.usable = true;
      out_.baseline.verdict = Verdict::ok;
    } else {
      out_.baseline.verdict = out_.report.failure;
      out_.baseline.message = out_.report.message;
      out_.baseline.diagnostics = out_.report.diagnostics;
    }
    co_return std::move(out_);
  }

 private:
  bool refuse(Refusal why) {
    out_.report.failure = why.verdict;
    out_.report.message = std::move(why.message);
    out_.report.diagnostics = std::move(why.diagnostics);
    return false;
  }

  const MepSpec& spec() const { return bench_->task().mep.spec; }

  Task<bool> build() {
    if (runs_on_gpu(spec().backend) && !spec().check.invariants.empty())
      co_return refuse(
          {Verdict::build_failed,
           "check.cpp judges outputs on the host, which GPU backends do not offer in this version; leave "
           "check.invariants out",
           {}});
    const Built built = co_await bench_->build();
    out_.baseline.seconds.build = built.seconds + bench_->original().seconds;
    if (built.verdict != Verdict::ok) co_return refuse({built.verdict, built.message, built.diagnostics});
    const PluginBinary& binary = bench_->original().binary;
    if (const auto why = binary_objection(binary, spec().entry, binary.undefined))
      co_return refuse({Verdict::build_failed, "the original " + *why, {}});
    out_.report.undefined_symbols = binary.undefined;
    out_.report.build_seconds = bench_->original().seconds;
    out_.baseline.binary_sha = binary.code_sha;
    co_return true;
  }

  Task<bool> size() {
    CasesSized sized = co_await size_cases(bench_, out_.report, llc_bytes_);
    out_.report = std::move(sized.report);
    if (sized.refused) co_return refuse(*sized.refused);
    if (Result<void> adopted = bench_->adopt(out_.report); !adopted)
      co_return refuse({Verdict::run_failed, adopted.error().text(), {}});
    co_return true;
  }

  Task<bool> sanitize() {
    Sanitized found = co_await examine_by_sanitizers(bench_, out_.report);
    out_.report.sanitizers = std::move(found.sanitizers);
    for (std::string& note : found.notes) out_.report.notes.push_back(std::move(note));
    out_.baseline.seconds.check += found.seconds;
    if (found.refused) co_return refuse(*found.refused);
    co_return true;
  }

  Task<bool> poison() {
    const Stopwatch watch;
    const Step bad = co_await probe_poison(bench_, bench_->run_limit(0));
    out_.baseline.seconds.check += watch.seconds();
    if (bad) co_return refuse(*bad);
    co_return true;
  }

  Task<bool> learn() {
    Learnt learnt = co_await learn_outputs(bench_, out_.report);
    out_.report = std::move(learnt.report);
    out_.baseline.seconds.check += learnt.check_seconds;
    if (learnt.refused) co_return refuse(*learnt.refused);
    co_return true;
  }

  Task<bool> probe() {
    InputProbes found = co_await probe_inputs(bench_, out_.report);
    for (std::string& note : found.notes) out_.report.notes.push_back(std::move(note));
    if (found.refused) co_return refuse(*found.refused);
    co_return true;
  }

  Task<bool> probe_defects() {
    MutationResult found = co_await probe_mutations(bench_, out_.report);
    out_.null_probe = std::move(found.null_probe);
    for (std::string& note : found.notes) out_.report.notes.push_back(std::move(note));
    if (found.refused)
      co_return refuse({found.verdict, std::move(found.message), std::move(found.diagnostics)});
    co_return true;
  }

  Task<bool> measure() {
    const Stopwatch watch;
    DeviceNoise noise = co_await measure_noise(bench_, out_.report.tolerances);
    out_.report.call_seconds = std::max(out_.report.call_seconds, noise.call_seconds);
    if (noise.verdict != Verdict::ok)
      co_return refuse({noise.verdict, "the original, timed against itself: " + noise.message, {}});
    out_.baseline.spread = out_.report.spread = noise.spread;
    out_.baseline.timings = std::move(noise.timings);
    for (const TimingSummary& timing : out_.baseline.timings)
      out_.report.baseline_seconds = std::max(out_.report.baseline_seconds, timing.reference_trimmed_mean);
    combine_timings(out_.baseline);
    out_.baseline.check.passed = true;
    out_.baseline.check.deterministic = out_.report.deterministic;
    out_.baseline.seconds.time = watch.seconds();
    co_return true;
  }

  std::shared_ptr<Workbench> bench_;
  double llc_bytes_;
  Baselined out_;
};

}  // namespace

Task<Baselined> baseline_mep(std::shared_ptr<Workbench> bench, double last_level_cache_bytes) {
  Baselining baselining(std::move(bench), last_level_cache_bytes);
  Baselined out = co_await baselining.run();
  co_return out;
}

}  // namespace noctune
