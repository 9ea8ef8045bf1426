#include "evaluator/poison_probe.hpp"

#include "mep/compare.hpp"

namespace noctune {
namespace {

// One output that follows the poison.
struct Dependence {
  int param = 0;
  std::size_t element = 0;
};

// With NaN in memory an output holds NaN, twice, and with numbers there it does not.
bool follows_in_class(const ArgPlan& arg, const OutputBlob& a, const OutputBlob& b, const OutputBlob& again) {
  const auto bad = [&](const OutputBlob& blob, std::uint64_t poison) {
    const auto kept = arg.role == Role::out ? std::optional<std::uint64_t>(poison) : std::nullopt;
    return is_floating(blob.element) && any_non_finite(blob.element, blob.bytes, kept);
  };
  return bad(a, nan_poison) && bad(again, nan_poison) && !bad(b, finite_poison);
}

// Three reports of one item: NaN in memory, numbers, NaN again.
std::optional<Dependence> dependence(const CheckRun& run, const CheckRunReport& a, const CheckRunReport& b,
                                     const CheckRunReport& again) {
  for (std::size_t k = 0; k < a.outputs.size(); ++k) {
    const OutputBlob& blob = a.outputs[k];
    const ArgPlan& arg = run.resolved.args[static_cast<std::size_t>(blob.param)];
    if (arg.by_invariants) continue;
    const bool poisoned = arg.role == Role::out;
    const PoisonedBytes first{blob.bytes, poisoned ? std::optional(nan_poison) : std::nullopt};
    const PoisonedBytes second{b.outputs[k].bytes, poisoned ? std::optional(finite_poison) : std::nullopt};
    const auto found = first_difference(blob.element, first, second);
    if (!found) continue;
    const bool repeats = blob.bytes == again.outputs[k].bytes;
    if (repeats || follows_in_class(arg, blob, b.outputs[k], again.outputs[k]))
      return Dependence{blob.param, *found};
  }
  return {};
}

class Probing {
 public:
  Probing(std::shared_ptr<Workbench> bench, double seconds) : bench_(std::move(bench)), seconds_(seconds) {
    for (const CheckItem& item : bench_->plan()) {
      const bool timed = bench_->cases()[item.work_case].sized.use == CaseUse::time;
      if (!timed && item.run.threads == 0 && item.run.variant == InputVariant::normal)
        items_.push_back(item.run);
    }
  }

  Task<Step> run() {
    co_await judge(items_);
    if (refused_) co_return std::move(refused_);
    std::vector<CheckRun> runs;
    for (const CheckRun& item : items_)
      for (const std::size_t param : poisoned(item, Role::out)) runs.push_back(with_zeros(item, param));
    tolerant_ = true;
    co_await judge(std::move(runs));
    co_return std::move(refused_);
  }

 private:
  static std::vector<std::size_t> poisoned(const CheckRun& run, Role role) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < run.resolved.args.size(); ++i)
      if (run.resolved.args[i].pointer && run.resolved.args[i].role == role) out.push_back(i);
    return out;
  }

  // The same call with zeros in one buffer that else comes poisoned. In an output of zeros a copy of
  // another's poison shows, which looks like an untouched element elsewhere.
  static CheckRun with_zeros(CheckRun run, std::size_t param) {
    ArgPlan& arg = run.resolved.args[param];
    if (arg.role == Role::scratch) arg.live_out = false;
    arg.role = Role::inout;
    arg.init = InitPlan{};
    return run;
  }

  Task<void> judge(std::vector<CheckRun> runs) {
    if (runs.empty()) co_return;
    const std::vector<std::optional<Dependence>> found = co_await probe(runs);
    for (std::size_t i = 0; i < found.size() && !refused_; ++i)
      if (found[i]) co_await refuse(runs[i], *found[i]);
  }

  // By run, the first output that follows the poison.
  Task<std::vector<std::optional<Dependence>>> probe(std::vector<CheckRun> wanted) {
    std::vector<std::optional<Dependence>> out;
    std::vector<CheckRun> runs;
    for (const CheckRun& run : wanted)
      for (const std::uint64_t poison : {nan_poison, finite_poison, nan_poison}) {
        runs.push_back(run);
        runs.back().poison = poison;
      }
    const DriverRun done = co_await bench_->run(bench_->original().file, std::move(runs), seconds_);
    if (done.verdict() != Verdict::ok) {
      if (!tolerant_) refused_ = refused_run(done, "on its check cases");
      co_return out;
    }
    const auto& reports = done.report->runs;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      out.push_back(dependence(wanted[i], reports[3 * i], reports[3 * i + 1], reports[3 * i + 2]));
    co_return out;
  }

  // Buffers that come poisoned, each in turn holding zeros instead: where the output then no longer follows
  // the poison, that one is read too early.
  Task<std::string> culprit(CheckRun run, Dependence found) {
    std::vector<std::size_t> params = poisoned(run, Role::out);
    const std::vector<std::size_t> scratch = poisoned(run, Role::scratch);
    params.insert(params.end(), scratch.begin(), scratch.end());
    std::vector<CheckRun> runs;
    for (const std::size_t param : params) runs.push_back(with_zeros(run, param));
    std::string name;
    tolerant_ = true;
    const std::vector<std::optional<Dependence>> still = co_await probe(std::move(runs));
    for (std::size_t i = 0; i < still.size() && name.empty(); ++i)
      if (!still[i] || still[i]->param != found.param) name = run.resolved.args[params[i]].name;
    co_return name;
  }

  Task<void> refuse(CheckRun run, Dependence found) {
    const std::string read = co_await culprit(run, found);
    const std::string output = run.resolved.args[static_cast<std::size_t>(found.param)].name;
    const std::string element = output + "[" + std::to_string(found.element) + "]";
    std::string why = "the original uses memory before it writes it: at case " + run.resolved.name + " (" +
                      run.resolved.sizes_text() + ") its output " + element + " follows what lay in " +
                      (read.empty() ? "its outputs and scratch" : read) + " before the call";
    if (read.empty())
      why +=
          "; have the source set them first, or give those that hold something in the application the role "
          "inout and an init";
    else
      why += "; if " + read +
             " holds something there in the application, give it the role inout and an init, "
             "else have the source set it first";
    refused_ = Refusal{Verdict::wrong_result, std::move(why), {}};
  }

  std::shared_ptr<Workbench> bench_;
  double seconds_;
  std::vector<CheckRun> items_;
  bool tolerant_ = false;  // a run that does not end well is no reason: the contents are ours, not the spec's
  Step refused_;
};

}  // namespace

Task<Step> probe_poison(std::shared_ptr<Workbench> bench, double seconds) {
  Probing probing(std::move(bench), seconds);
  Step out = co_await probing.run();
  co_return out;
}

}  // namespace noctune
