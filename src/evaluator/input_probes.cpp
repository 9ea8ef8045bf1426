#include "evaluator/input_probes.hpp"

#include <map>
#include <set>

#include "mep/compare.hpp"

namespace noctune {
namespace {

class Probing {
 public:
  Probing(std::shared_ptr<Workbench> bench, MepReport report)
      : bench_(std::move(bench)), report_(std::move(report)) {}

  Task<InputProbes> run() {
    own_ = co_await bench_->reference();
    bool good = co_await follows_inputs();
    if (good) good = co_await each_input();
    if (good) constant_outputs();
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
      if (run.variant != InputVariant::normal || all_recorded(run.resolved)) continue;
      run.variant = InputVariant::reseeded;
      other.push_back(std::move(run));
      where.push_back(i);
    }
    if (other.empty()) co_return true;
    const DriverRun second = co_await bench_->run(bench_->original().file, std::move(other),
                                                  bench_->run_limit(report_.call_seconds));
    out_.refused = refused_run(second, "on other inputs");
    if (out_.refused) co_return false;
    for (std::size_t i = 0; i < where.size(); ++i)
      for (const OutputBlob& changed : second.report->runs[i].outputs) {
        const bool big = changed.bytes.size() > 64;  // a flag or a count may well be the same
        if (big && same_in(where[i], changed, bench_->plan()[where[i]].run.poison) &&
            !follows_structure(changed))
          co_return refuse(
              "the output " + arg_of(where[i], changed).name +
              " does not change when the inputs do: the check could not tell a version that does "
              "nothing from one that works; look at the inits of the inputs, and if it really is the same "
              "whatever they hold, say \"live_out\": false, so that it is not compared");
      }
    co_return true;
  }

  const ArgPlan& arg_of(std::size_t item, const OutputBlob& blob) const {
    return bench_->plan()[item].run.resolved.args[static_cast<std::size_t>(blob.param)];
  }

  // Whether K(0) left the same in that output of another item of the plan; poison apart.
  bool same_in(std::size_t item, const OutputBlob& blob, std::uint64_t poison) const {
    for (const OutputBlob& own : own_.report->runs[item].outputs)
      if (own.param == blob.param)
        return !first_difference(blob.element, {own.bytes, bench_->plan()[item].run.poison},
                                 {blob.bytes, poison});
    return false;
  }

  // Row lengths and columns stay when values change: two structure seeds of one case show those.
  bool follows_structure(const OutputBlob& blob) const {
    const auto& plan = bench_->plan();
    for (std::size_t i = 0; i < plan.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const bool siblings = plan[i].work_case == plan[j].work_case &&
                              plan[i].run.variant == InputVariant::normal &&
                              plan[j].run.variant == InputVariant::normal &&
                              plan[i].run.resolved.seed != plan[j].run.resolved.seed;
        if (!siblings) continue;
        for (const OutputBlob& own : own_.report->runs[i].outputs)
          if (own.param == blob.param && !same_in(j, own, plan[i].run.poison)) return true;
      }
    return false;
  }

  // Small calls with the plan's own inputs.
  std::vector<std::size_t> small_items() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < bench_->plan().size(); ++i) {
      const CheckItem& item = bench_->plan()[i];
      const bool timed = bench_->cases()[item.work_case].sized.use == CaseUse::time;
      if (!timed && item.run.threads == 0 && item.run.variant == InputVariant::normal) out.push_back(i);
    }
    return out;
  }

  // Each input alone with other values, in all small cases: one that changes nothing is worth a word.
  Task<bool> each_input() {
    std::vector<CheckRun> runs;
    std::vector<std::pair<std::size_t, std::size_t>> probed;  // item of the plan, parameter
    for (const std::size_t item : small_items()) {
      const CheckRun& run = bench_->plan()[item].run;
      for (std::size_t i = 0; i < run.resolved.args.size(); ++i) {
        if (!surely_varies(run.resolved.args[i])) continue;
        CheckRun& alone = runs.emplace_back(run);
        alone.variant = InputVariant::reseeded;
        alone.only_param = static_cast<int>(i);
        probed.emplace_back(item, i);
      }
    }
    if (runs.empty()) co_return true;
    const DriverRun done = co_await bench_->run(bench_->original().file, std::move(runs),
                                                bench_->run_limit(report_.call_seconds));
    out_.refused = refused_run(done, "with other values in one input alone");
    if (out_.refused) co_return false;
    std::map<std::string, bool> matters;  // by parameter
    for (std::size_t i = 0; i < probed.size(); ++i) {
      const auto [item, param] = probed[i];
      bool& shows = matters[bench_->plan()[item].run.resolved.args[param].name];
      shows = shows || differ(own_.report->runs[item], done.report->runs[i]);
    }
    for (const auto& [name, shows] : matters)
      if (!shows)
        out_.notes.push_back("no output depends on " + name +
                             " in the check cases: look at its count, its role and its init, and at whether "
                             "the source reads it");
    co_return true;
  }

  // Other seeds make other contents, but for a chance in a million.
  // No seed changes what was recorded; the version that does nothing must fail all the same.
  static bool all_recorded(const ResolvedCase& resolved) {
    bool inputs = false;
    for (const ArgPlan& arg : resolved.args) {
      if (!arg.pointer || (arg.role != Role::in && arg.role != Role::inout)) continue;
      const bool recorded = arg.init.kind == InitSpec::Kind::joint &&
                            resolved.data[static_cast<std::size_t>(arg.init.data_index)].generator == "file";
      if (!recorded) return false;
      inputs = true;
    }
    return inputs;
  }

  static bool surely_varies(const ArgPlan& arg) {
    if (!arg.pointer || (arg.role != Role::in && arg.role != Role::inout)) return false;
    using Kind = InitSpec::Kind;
    const bool random = arg.init.kind == Kind::uniform || arg.init.kind == Kind::normal ||
                        arg.init.kind == Kind::integers || arg.init.kind == Kind::sorted;
    if (!random || (arg.init.kind != Kind::normal && arg.init.low >= arg.init.high)) return false;
    return is_floating(arg.element) || arg.count >= 20;
  }

  static bool differ(const CheckRunReport& a, const CheckRunReport& b) {
    for (std::size_t k = 0; k < a.outputs.size(); ++k)
      if (a.outputs[k].bytes != b.outputs[k].bytes) return true;
    return false;
  }

  // An output that holds one value everywhere shows no error of position.
  void constant_outputs() {
    std::set<std::string> said;
    for (const std::size_t item : small_items()) {
      const CheckRun& run = bench_->plan()[item].run;
      for (const OutputBlob& blob : own_.report->runs[item].outputs) {
        const ArgPlan& arg = run.resolved.args[static_cast<std::size_t>(blob.param)];
        const std::size_t size = size_of(blob.element);
        if (arg.count < 16 || arg.by_invariants || said.count(arg.name)) continue;
        // Equal to itself moved on by one element.
        if (blob.bytes.substr(size) != blob.bytes.substr(0, blob.bytes.size() - size)) continue;
        said.insert(arg.name);
        out_.notes.push_back("all " + std::to_string(arg.count) + " elements of " + arg.name +
                             " are equal in case " + run.resolved.name +
                             ": a version that puts results in wrong places would pass there; look at the "
                             "inits of the inputs");
      }
    }
  }

  std::shared_ptr<Workbench> bench_;
  DriverRun own_;  // K(0) on the plan
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
