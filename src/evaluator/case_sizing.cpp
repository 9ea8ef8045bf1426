#include "evaluator/case_sizing.hpp"

#include "mep/sizing.hpp"

namespace noctune {
namespace {

class CaseSizing {
 public:
  CaseSizing(std::shared_ptr<Workbench> bench, MepReport report, double llc_bytes)
      : bench_(std::move(bench)), llc_bytes_(llc_bytes) {
    out_.report = std::move(report);
  }

  Task<CasesSized> run() {
    for (const CaseSpec& wanted : spec().cases) {
      const bool sized = co_await size_case(wanted);
      if (!sized) break;
    }
    co_return std::move(out_);
  }

 private:
  bool refuse(Verdict verdict, std::string message, std::string diagnostics = {}) {
    out_.refused = Refusal{verdict, std::move(message), std::move(diagnostics)};
    return false;
  }

  const MepSpec& spec() const { return bench_->task().mep.spec; }

  SizingLimits sizing_limits() const {
    const MepLimits& limits = bench_->task().mep_limits;
    SizingLimits out;
    out.t_min_s = limits.t_min_ms * 1e-3;
    out.t_max_s = limits.t_max_s;
    out.s_max_bytes = limits.s_max_mb * 1e6;
    out.llc_bytes = llc_bytes_;
    return out;
  }

  Task<bool> size_case(CaseSpec wanted) {
    std::vector<SizeSpec> open;
    for (const std::string& name : auto_sizes(spec(), wanted))
      for (const SizeSpec& size : spec().sizes)
        if (size.name == name) open.push_back(size);
    const std::uint64_t seed = out_.report.seeds[0];
    auto bytes_at = [this, wanted, seed](const Sizing::Sizes& sizes) {
      const Result<ResolvedCase> resolved = resolve_case(spec(), wanted, sizes, seed);
      return resolved ? resolved->data_bytes : -1.0;
    };
    Sizing sizing(wanted.use == CaseUse::time ? open : std::vector<SizeSpec>(), sizing_limits(), bytes_at);
    while (!sizing.done()) {
      Result<ResolvedCase> resolved = resolve_case(spec(), wanted, sizing.sizes(), seed);
      if (!resolved) co_return refuse(Verdict::run_failed, resolved.error().text());
      const std::optional<SizingProbe> probe = co_await probe_case(*resolved);
      if (!probe) co_return false;
      sizing.tell(*probe);
    }
    const SizingResult& sized = sizing.result();
    if (sized.refused && wanted.use == CaseUse::time) co_return refuse(Verdict::run_timeout, sized.sentence);
    co_return keep(wanted, sized);
  }

  bool keep(const CaseSpec& wanted, const SizingResult& sized) {
    Result<ResolvedCase> resolved = resolve_case(spec(), wanted, sized.sizes, out_.report.seeds[0]);
    if (!resolved) return refuse(Verdict::run_failed, resolved.error().text());
    MepReport& report = out_.report;
    const bool timed = wanted.use == CaseUse::time;
    if (timed && sized.measured.t_ker_s >= report.t_ker) {
      report.t_ker = sized.measured.t_ker_s;
      report.t_overall = sized.measured.t_overall_s;
      report.s_data = static_cast<long long>(resolved->data_bytes);
      report.batched = sized.batched;
      report.message = sized.sentence;
    }
    SizedCase out;
    out.name = wanted.name;
    out.use = wanted.use;
    out.weight = wanted.weight;
    out.sizes = resolved->sizes;
    out.batch = timed ? sized.batch : 1;
    out.data_bytes = static_cast<long long>(resolved->data_bytes);
    out.flops = resolved->flops;
    out.bytes = resolved->bytes;
    report.cases.push_back(std::move(out));
    return true;
  }

  Task<std::optional<SizingProbe>> probe_case(ResolvedCase resolved) {
    ProbeRun probe;
    probe.resolved = resolved;
    probe.seed = resolved.seed;
    const double limit = bench_->task().mep_limits.t_max_s;
    const DriverRun run = co_await bench_->run(bench_->original().file, std::move(probe), limit);
    SizingProbe out;
    out.s_data_bytes = resolved.data_bytes;
    if (run.outcome.end == ChildOutcome::End::deadline) {
      out.t_ker_s = out.t_overall_s = run.outcome.seconds;
      co_return out;
    }
    out_.refused = refused_run(run, "at " + resolved.sizes_text());
    if (out_.refused || !run.report->probe) co_return std::nullopt;
    out.t_ker_s = run.report->probe->seconds_per_call;
    out.t_overall_s = run.report->probe->overall_seconds;
    co_return out;
  }

  std::shared_ptr<Workbench> bench_;
  double llc_bytes_;
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
