#include "coordinator/tuning.hpp"

#include "base/text.hpp"
#include "coordinator/load_hotspots.hpp"

namespace noctune {
namespace {

class Tuning {
 public:
  Tuning(TuningServices services, long long hotspot, PrepareTask task)
      : s_(std::move(services)), measuring_(s_.evaluation, s_.memory, s_.stopping, hotspot) {
    ground_.hotspot = hotspot;
    ground_.task = std::move(task);
  }

  Task<TuningResult> run() {
    try {
      const bool usable = co_await complete_mep();
      for (const Arm& arm : s_.arms) {
        if (!usable) break;
        ArmServices services{s_.io, measuring_, s_.memory, s_.stopping};
        ArmPlan plan = s_.plan(arm, ground_, out_.arms);
        ArmResult result = co_await run_arm(std::move(services), ground_, std::move(plan));
        if (out_.arms.empty()) out_.reason = result.reason;
        out_.arms.push_back(std::move(result));
      }
    } catch (const StopRequested&) {
      out_.stopped = true;
      out_.reason = "stopped before its end; the same command goes on from here";
    } catch (const WaitingForModel&) {
      out_.stopped = out_.waiting = true;
      out_.reason = "waits for answers of the model; the same command goes on once they are there";
    } catch (const std::exception& failure) {  // costs what is left of this hotspot, not the others' night
      out_.reason = std::string("ended unexpectedly: ") + failure.what();
      s_.memory.event(ground_.hotspot, true, out_.reason);
    }
    co_return std::move(out_);
  }

 private:
  Task<bool> complete_mep() {
    const long long hotspot = ground_.hotspot;
    ground_.original = original_of(ground_.task);
    ground_.original.id = s_.memory.candidate(hotspot, 0, 0, ground_.original);
    out_.original = ground_.original;
    const Baselined done = co_await measuring_.baseline(ground_.task, ground_.original);
    out_.mep = ground_.mep = done.report;
    if (!done.report.usable) {
      out_.reason = done.report.message;
      s_.memory.event(hotspot, true, done.report.message);
      co_return false;
    }
    ground_.original_binary = done.baseline.binary_sha;
    s_.memory.cases(hotspot, done.report);
    s_.memory.event(hotspot, false,
                    "baseline " + duration_text(done.report.baseline_seconds) + " a call, noise " +
                        percent(done.report.spread) + " between processes; " + done.report.message);
    if (!done.report.deterministic)
      s_.memory.event(hotspot, true,
                      "the original's output differs from run to run; candidates are held to its own noise");
    co_return true;
  }

  TuningServices s_;
  Measuring measuring_;
  ArmGround ground_;
  TuningResult out_;
};

}  // namespace

Task<TuningResult> tune_hotspot(TuningServices services, long long hotspot, PrepareTask task) {
  Tuning tuning(std::move(services), hotspot, std::move(task));
  TuningResult out = co_await tuning.run();
  co_return out;
}

}  // namespace noctune
