#include "coordinator/tuning.hpp"

#include "base/text.hpp"
#include "coordinator/load_hotspots.hpp"

namespace noctune {
namespace {

class Tuning {
 public:
  Tuning(TuningServices services, long long hotspot, LoadedHotspot loaded)
      : s_(std::move(services)),
        measuring_(s_.evaluation, s_.memory, s_.stopping, hotspot),
        loaded_(std::move(loaded)) {
    ground_.hotspot = hotspot;
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
  // The MEPs of a hotspot before it has one that holds are told apart by their attempt.
  Task<Baselined> baseline(PrepareTask task, int attempt) {
    ground_.original = original_of(task);
    ground_.original.id = s_.memory.candidate(ground_.hotspot, 0, attempt, ground_.original);
    const bool decides = loaded_.open.has_value();
    Baselined done = co_await measuring_.baseline(std::move(task), ground_.original, decides);
    co_return done;
  }

  CompletionServices completion_services() {
    CompletionServices out;
    out.baseline = [this](PrepareTask task, int attempt) { return baseline(std::move(task), attempt); };
    out.told = [this](bool warning, const std::string& text) {
      s_.memory.event(ground_.hotspot, warning, text);
    };
    out.chat = s_.chat;
    out.templates = s_.templates;
    out.device = s_.evaluation.devices().front();
    return out;
  }

  Task<bool> complete_mep() {
    const long long hotspot = ground_.hotspot;
    CompletionServices services = completion_services();
    const CompletedMep completed = co_await complete_hotspot(std::move(services), loaded_);
    const Baselined& done = completed.baselined;
    ground_.task = completed.task;
    out_.original = ground_.original;
    out_.mep = ground_.mep = done.report;
    out_.entry = completed.task.mep.spec.entry;
    out_.completed_by = completed.by;
    if (!completed.by.empty())
      s_.memory.mep(hotspot, completed.task.mep, completed.by, completed.answers, done.report);
    if (!done.report.usable) {
      out_.reason = done.report.message;
      s_.memory.event(hotspot, true, done.report.message);
      co_return false;
    }
    ground_.original_binary = done.baseline.binary_sha;
    if (ground_.task.search.profile)
      ground_.profile = [this](Candidate version) { return guidance_for(std::move(version)); };
    s_.memory.cases(hotspot, done.report);
    s_.memory.event(hotspot, false,
                    "baseline " + duration_text(done.report.baseline_seconds) + " a call, noise " +
                        percent(done.report.spread) + " between processes; " + done.report.message);
    if (!done.report.deterministic)
      s_.memory.event(hotspot, true,
                      "the original's output differs from run to run; candidates are held to its own noise");
    co_return true;
  }

  Task<std::string> guidance_for(Candidate version) {
    EvaluationTask task;
    task.setup = ground_.task;
    task.report = ground_.mep;
    task.candidate = version;
    task.reference = std::move(version);
    task.purpose = Purpose::profile;
    const Evaluation found = co_await measuring_.evaluate(std::move(task));
    if (found.verdict != Verdict::ok) co_return std::string();  // said by whoever tried
    if (found.message != told_profile_) {
      told_profile_ = found.message;
      s_.memory.event(ground_.hotspot, false, "profiles: " + told_profile_);
    }
    co_return found.diagnostics;
  }

  TuningServices s_;
  Measuring measuring_;
  LoadedHotspot loaded_;
  ArmGround ground_;
  TuningResult out_;
  std::string told_profile_;
};

}  // namespace

Task<TuningResult> tune_hotspot(TuningServices services, long long hotspot, LoadedHotspot loaded) {
  Tuning tuning(std::move(services), hotspot, std::move(loaded));
  TuningResult out = co_await tuning.run();
  co_return out;
}

}  // namespace noctune
