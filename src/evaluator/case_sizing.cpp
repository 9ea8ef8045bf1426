#include "evaluator/case_sizing.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "mep/sizing.hpp"
#include "mep/sizing_text.hpp"

namespace noctune {
namespace {

constexpr double notable_spread = 1.3;  // of times over inputs: less is the machine's own noise

struct Probed {
  SizingProbe probe;
  double fastest = 0;  // seconds, of the inputs tried; the slowest is in `probe`
};

std::string place_of(const ResolvedCase& resolved) {
  const std::string sizes = resolved.sizes_text();
  return "case \"" + resolved.name + "\"" + (sizes.empty() ? "" : " (" + sizes + ")");
}

// "x alone has 125000000000 elements, 1000 GB"
std::string largest_buffer(const ResolvedCase& resolved) {
  const auto by_bytes = [](const ArgPlan& a, const ArgPlan& b) { return a.bytes() < b.bytes(); };
  const auto most = std::max_element(resolved.args.begin(), resolved.args.end(), by_bytes);
  if (most == resolved.args.end() || !most->pointer) return {};
  return most->name + " alone has " + std::to_string(most->count) + " elements, " + bytes_text(most->bytes());
}

// An entry without one element of output does nothing that can be checked.
bool has_output(const ResolvedCase& resolved) {
  return std::any_of(resolved.args.begin(), resolved.args.end(),
                     [](const ArgPlan& arg) { return arg.compared() && arg.count > 0; });
}

// Another seed makes another structure, not only other values.
bool has_structure(const ResolvedCase& resolved) {
  return std::any_of(resolved.args.begin(), resolved.args.end(), [](const ArgPlan& arg) {
    return arg.init.kind == InitSpec::Kind::joint || arg.init.kind == InitSpec::Kind::permutation;
  });
}

class CaseSizing {
 public:
  CaseSizing(std::shared_ptr<Workbench> bench, MepReport report, double llc_bytes)
      : bench_(std::move(bench)), llc_bytes_(llc_bytes) {
    out_.report = std::move(report);
  }

  Task<CasesSized> run() {
    const auto& declared = spec().cases;
    std::vector<SizedCase> sized(declared.size());
    bool good = true;
    for (const bool timed : {false, true})
      for (std::size_t i = 0; i < declared.size() && good; ++i) {
        if ((declared[i].use == CaseUse::time) != timed) continue;
        const std::optional<SizedCase> done = co_await size_case(declared[i]);
        good = done.has_value();
        if (done) sized[i] = *done;
      }
    if (good) out_.report.cases = std::move(sized);
    co_return std::move(out_);
  }

 private:
  bool refuse(Verdict verdict, std::string message, std::string diagnostics = {}) {
    out_.refused = Refusal{verdict, std::move(message), std::move(diagnostics)};
    return false;
  }

  const MepSpec& spec() const { return bench_->task().mep.spec; }

  SizingLimits limits() const {
    const MepLimits& given = bench_->task().mep_limits;
    SizingLimits out;
    out.t_min_s = given.t_min_ms * 1e-3;
    out.t_max_s = given.t_max_s;
    out.s_max_bytes = given.s_max_mb * 1e6;
    out.llc_bytes = llc_bytes_;
    return out;
  }

  // Only cases for timing leave sizes to sizing.
  std::vector<SizeSpec> open_sizes(const CaseSpec& wanted) const {
    std::vector<SizeSpec> open;
    if (wanted.use != CaseUse::time) return open;
    for (const std::string& name : auto_sizes(spec(), wanted))
      for (const SizeSpec& size : spec().sizes)
        if (size.name == name) open.push_back(size);
    return open;
  }

  Task<std::optional<SizedCase>> size_case(CaseSpec wanted) {
    std::optional<SizingResult> sized = co_await choose(wanted, out_.report.seeds[0]);
    if (!sized) co_return std::nullopt;
    const Result<ResolvedCase> resolved = resolve_case(spec(), wanted, sized->sizes, out_.report.seeds[0]);
    if (!resolved) {
      refuse(Verdict::run_failed, resolved.error().text());
      co_return std::nullopt;
    }
    if (!has_output(*resolved)) {
      refuse(Verdict::wrong_result,
             place_of(*resolved) +
                 ": no output has an element, so nothing can be checked; give the "
                 "parameters that the entry writes the role out or inout, and a count");
      co_return std::nullopt;
    }
    if (wanted.use == CaseUse::time && has_structure(*resolved)) {
      const bool good = co_await try_other_structure(wanted, *sized);
      if (!good) co_return std::nullopt;
    }
    co_return kept(wanted, *sized, *resolved);
  }

  // Sizing by probes with inputs of one structure seed.
  Task<std::optional<SizingResult>> choose(CaseSpec wanted, std::uint64_t seed) {
    const std::vector<SizeSpec> open = open_sizes(wanted);
    auto bytes_at = [this, wanted, seed, open](const Sizing::Sizes& sizes) -> Result<double> {
      const Result<ResolvedCase> resolved = resolve_case(spec(), wanted, sizes, seed);
      if (!resolved) return Failure(resolved.error());
      // What somebody declared may count as it likes; sizing itself goes no further than int.
      const bool grown = std::any_of(open.begin(), open.end(), [&](const SizeSpec& size) {
        return size.value <= 0 || sizes.at(size.name) > size.value;
      });
      if (const Result<void> fits = countable(*resolved); grown && !fits) return Failure(fits.error());
      return resolved->data_bytes;
    };
    Sizing sizing(open, limits(), bytes_at);
    while (!sizing.done()) {
      const Result<ResolvedCase> resolved = resolve_case(spec(), wanted, sizing.sizes(), seed);
      if (!resolved) {
        refuse(Verdict::run_failed, resolved.error().text());
        co_return std::nullopt;
      }
      const std::optional<Probed> probed = co_await probe(*resolved);
      if (!probed) co_return std::nullopt;
      fastest_by_sizes_[resolved->sizes] = probed->fastest;
      sizing.tell(probed->probe);
    }
    const SizingResult& result = sizing.result();
    const bool tolerated = wanted.use == CaseUse::report && result.bound == SizeBound::t_max;
    if (result.refused && !tolerated) {
      refuse_sizes(wanted, result, seed);
      co_return std::nullopt;
    }
    co_return result;
  }

  void refuse_sizes(const CaseSpec& wanted, const SizingResult& result, std::uint64_t seed) {
    const Result<ResolvedCase> resolved = resolve_case(spec(), wanted, result.sizes, seed);
    if (!resolved) {
      refuse(Verdict::run_failed, resolved.error().text());
    } else if (result.bound == SizeBound::t_max) {
      refuse(Verdict::run_timeout,
             "the original, run alone at " + place_of(*resolved) + ": " + result.sentence);
    } else if (result.bound == SizeBound::s_max) {
      const std::string largest = largest_buffer(*resolved);
      refuse(Verdict::run_failed, place_of(*resolved) + ": " + result.sentence +
                                      (largest.empty() ? "" : "; " + largest) +
                                      "; give smaller sizes, or more room by --set mep.s_max_mb=...");
    } else {
      refuse(Verdict::run_failed, result.sentence);
    }
  }

  Task<std::optional<Probed>> probe(ResolvedCase resolved) {
    ProbeRun asked;
    asked.resolved = resolved;
    asked.seed = resolved.seed;
    const double limit = bench_->task().mep_limits.t_max_s;
    const DriverRun run = co_await bench_->run(bench_->original().file, std::move(asked), limit);
    Probed out;
    out.probe.s_data_bytes = resolved.data_bytes;
    if (run.outcome.end == ChildOutcome::End::deadline) {
      out.probe.t_ker_s = out.probe.t_overall_s = out.fastest = run.outcome.seconds;
      out.probe.stopped = true;
      co_return out;
    }
    out_.refused = refused_run(run, "at " + place_of(resolved));
    if (!out_.refused && !run.report->probe) refuse(Verdict::lost, "a probe of the original left no times");
    if (out_.refused) co_return std::nullopt;
    const ProbeReport& found = *run.report->probe;
    out.probe.t_ker_s = found.slowest_seconds;
    out.probe.t_overall_s = found.overall_seconds;
    out.probe.s_data_bytes = found.data_bytes + found.scratch_bytes;
    out.fastest = found.fastest_seconds;
    co_return out;
  }

  // The chosen sizes on another structure; where that is too much, it decides the sizes.
  Task<bool> try_other_structure(CaseSpec wanted, SizingResult& sized) {
    const std::uint64_t seed = out_.report.seeds[1];
    const Result<ResolvedCase> resolved = resolve_case(spec(), wanted, sized.sizes, seed);
    if (!resolved) co_return refuse(Verdict::run_failed, resolved.error().text());
    const std::optional<Probed> probed = co_await probe(*resolved);
    if (!probed) co_return false;
    double& fastest = fastest_by_sizes_[resolved->sizes];
    if (probed->probe.stopped || probed->probe.t_overall_s > limits().t_max_s) {
      const std::optional<SizingResult> again = co_await choose(wanted, seed);
      if (!again) co_return false;
      sized = *again;
      co_return true;
    }
    fastest = std::min(fastest, probed->fastest);
    SizingProbe& worst = sized.measured;
    worst.t_ker_s = std::max(worst.t_ker_s, probed->probe.t_ker_s);
    worst.t_overall_s = std::max(worst.t_overall_s, probed->probe.t_overall_s);
    worst.s_data_bytes = std::max(worst.s_data_bytes, probed->probe.s_data_bytes);
    co_return true;
  }

  SizedCase kept(const CaseSpec& wanted, const SizingResult& sized, const ResolvedCase& resolved) {
    const bool timed = wanted.use == CaseUse::time;
    SizedCase out;
    out.name = wanted.name;
    out.use = wanted.use;
    out.weight = wanted.weight;
    out.sizes = resolved.sizes;
    out.batch = timed ? sized.batch : 1;
    out.data_bytes = static_cast<long long>(resolved.data_bytes);
    out.flops = resolved.flops;
    out.bytes = resolved.bytes;
    if (timed) say_spread(sized, resolved, out);
    if (timed && sized.measured.t_ker_s >= out_.report.t_ker) take(sized, resolved, out);
    if (const Result<void> fits = countable(resolved); !fits)
      out_.report.notes.push_back(fits.error().text());
    return out;
  }

  // The report's numbers are those of the longest case.
  void take(const SizingResult& sized, const ResolvedCase& resolved, const SizedCase& out) {
    MepReport& report = out_.report;
    report.t_ker = sized.measured.t_ker_s;
    report.t_overall = sized.measured.t_overall_s;
    report.s_data = static_cast<long long>(sized.measured.s_data_bytes);
    report.s_data_computed = static_cast<long long>(resolved.data_bytes);
    report.batched = out.batch > 1;
    report.message = sized.sentence;
  }

  // A time that depends on the data: sizes follow from the slowest inputs, the calls of a sample from the
  // fastest, so that no sample falls below T_min.
  void say_spread(const SizingResult& sized, const ResolvedCase& resolved, SizedCase& out) {
    const double slowest = sized.measured.t_ker_s, fastest = fastest_by_sizes_[resolved.sizes];
    const double t_min = limits().t_min_s;
    if (!(fastest > 0) || slowest < notable_spread * fastest) return;
    out_.report.data_spread = std::max(out_.report.data_spread, slowest / fastest);
    if (fastest < t_min) out.batch = std::max(out.batch, static_cast<int>(std::ceil(1.1 * t_min / fastest)));
    out_.report.notes.push_back("T_ker depends on the data: " + seconds_text(fastest) + " to " +
                                seconds_text(slowest) + " on the inputs tried at " + place_of(resolved) +
                                "; the sizes follow from the slowest");
  }

  std::shared_ptr<Workbench> bench_;
  double llc_bytes_;
  std::map<std::map<std::string, long long>, double> fastest_by_sizes_;
  CasesSized out_;
};

}  // namespace

Task<CasesSized> size_cases(std::shared_ptr<Workbench> bench, MepReport report,
                            double last_level_cache_bytes) {
  CaseSizing sizing(std::move(bench), std::move(report), last_level_cache_bytes);
  CasesSized out = co_await sizing.run();
  co_return out;
}

}  // namespace noctune
