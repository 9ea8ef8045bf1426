#include "evaluator/input_probes.hpp"

namespace noctune {
namespace {

class Probing {
 public:
  Probing(std::shared_ptr<Workbench> bench, MepReport report)
      : bench_(std::move(bench)), report_(std::move(report)) {}

  Task<InputProbes> run() {
    co_await follows_inputs();
    co_return std::move(out_);
  }

 private:
  bool refuse(std::string message) {
    out_.refused = Refusal{Verdict::wrong_result, std::move(message), {}};
    return false;
  }

  // Other values in the inputs must show in the outputs, or the check sees nothing.
  Task<bool> follows_inputs() {
    std::vector<CheckRun> other;
    std::vector<std::size_t> where;
    for (std::size_t i = 0; i < bench_->plan().size(); ++i) {
      CheckRun run = bench_->plan()[i].run;
      if (run.variant != InputVariant::normal) continue;
      run.variant = InputVariant::reseeded;
      other.push_back(std::move(run));
      where.push_back(i);
    }
    const DriverRun first = co_await bench_->reference();
    const DriverRun second = co_await bench_->run(bench_->original().file, std::move(other),
                                                  bench_->run_limit(report_.call_seconds));
    out_.refused = refused_run(second, "on other inputs");
    if (out_.refused) co_return false;
    for (std::size_t i = 0; i < where.size(); ++i) {
      const CheckRunReport &a = first.report->runs[where[i]], &b = second.report->runs[i];
      for (std::size_t k = 0; k < a.outputs.size(); ++k) {
        const auto param = static_cast<std::size_t>(a.outputs[k].param);
        if (!a.outputs[k].bytes.empty() && a.outputs[k].bytes == b.outputs[k].bytes &&
            a.outputs[k].bytes.size() > 64)
          co_return refuse(
              "the output " + bench_->plan()[where[i]].run.resolved.args[param].name +
              " does not change when the inputs do: the check could not tell a version that does "
              "nothing from one that works; look at the inits of the inputs");
      }
    }
    co_return true;
  }

  std::shared_ptr<Workbench> bench_;
  MepReport report_;
  InputProbes out_;
};

}  // namespace

Task<InputProbes> probe_inputs(std::shared_ptr<Workbench> bench, MepReport report) {
  Probing probing(std::move(bench), std::move(report));
  InputProbes out = co_await probing.run();
  co_return out;
}

}  // namespace noctune
