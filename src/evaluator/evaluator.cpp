#include "evaluator/evaluator.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "evaluator/ceilings.hpp"
#include "evaluator/energy.hpp"
#include "evaluator/gpu/gpu_policy.hpp"
#include "evaluator/gpu/resource_report.hpp"
#include "evaluator/invariants.hpp"
#include "evaluator/noise.hpp"
#include "evaluator/policy.hpp"
#include "evaluator/profiling.hpp"
#include "evaluator/timing.hpp"
#include "mep/compare.hpp"
#include "mep/mutants.hpp"
#include "model/backend.hpp"
#include "model/task_json.hpp"

namespace noctune {
namespace {

// A candidate whose first, untuned call took this many times K(0)'s, and so much longer that no time slice of
// other work explains it, is timed with the fewest repeats: it cannot win.
constexpr double hopeless_factor = 5;
constexpr double hopeless_seconds = 0.1;

bool fail_with(Evaluation& evaluation, Verdict verdict, std::string message, std::string diagnostics = {}) {
  evaluation.verdict = verdict;
  evaluation.message = std::move(message);
  if (!diagnostics.empty()) evaluation.diagnostics = std::move(diagnostics);
  return false;
}

CompiledNeeds kernel_needs(const std::string& diagnostics, const std::string& backend) {
  const ResourceSum sum = resource_sum(compiler_report(backend, diagnostics));
  return {sum.registers, sum.shared_bytes, sum.spill_bytes};
}

}  // namespace

struct Evaluator::Plugin {
  explicit Plugin(asio::io_context& io) : building(io) {}
  AsyncMutex building;
  std::optional<Built> built;
};

struct Evaluator::Prepared {
  std::shared_ptr<Workbench> bench;
  std::map<std::string, std::shared_ptr<Plugin>> plugins;  // by candidate SHA
  std::map<std::string, bool> hopeless;                    // by candidate SHA
  std::vector<OutputTolerance> tolerances;
  double spread = 0;  // of K(0) against itself on this device
  LeftBehind allowed;

  // Nobody will run a version again that a gate refused: frees its folder.
  void drop_if_useless(const std::string& sha, Verdict verdict) {
    const auto found = plugins.find(sha);
    if (found == plugins.end() || verdict == Verdict::ok || verdict == Verdict::lost) return;
    std::error_code ignored;
    if (found->second->built) std::filesystem::remove_all(found->second->built->file.parent_path(), ignored);
    plugins.erase(found);
    hopeless.erase(sha);
  }

  void take(const MepReport& report) {
    tolerances = report.tolerances;
    spread = report.spread;
    allowed = {report.leaves_threads, report.changes_arithmetic};
  }
};

Task<Baselined> Evaluator::prepare(PrepareTask task) {
  auto prepared = std::make_shared<Prepared>();
  const std::string sha = task.mep.sha();
  prepared->bench = std::make_shared<Workbench>(bench_, std::move(task));
  Baselined out =
      co_await baseline_mep(prepared->bench, static_cast<double>(bench_.device.last_level_cache_bytes));
  if (out.report.usable) {
    prepared->take(out.report);
    meps_[sha + to_json(out.report)["seeds"].dump()] = prepared;
  }
  out.baseline.seconds.busy = bench_.activity.take_busy_seconds();
  co_return out;
}

Task<std::shared_ptr<Evaluator::Prepared>> Evaluator::prepared(const EvaluationTask& task,
                                                               Evaluation& evaluation) {
  AsyncMutex::Guard guard = co_await preparing_.lock();
  std::shared_ptr<Prepared>& slot = meps_[task.setup.mep.sha() + to_json(task.report)["seeds"].dump()];
  if (slot) co_return slot;
  // Another rank completed this MEP: build it here and take over its sizes, seeds and tolerances.
  auto made = std::make_shared<Prepared>();
  made->bench = std::make_shared<Workbench>(bench_, task.setup);
  const Built built = co_await made->bench->build();
  if (built.verdict != Verdict::ok) {
    fail_with(evaluation, Verdict::lost, "cannot be built here: " + built.message, built.diagnostics);
    co_return nullptr;
  }
  if (Result<void> adopted = made->bench->adopt(task.report); !adopted) {
    fail_with(evaluation, Verdict::lost, adopted.error().text());
    co_return nullptr;
  }
  made->take(task.report);
  // Another device: its noise is its own.
  const DeviceNoise noise = co_await measure_noise(made->bench, made->tolerances);
  if (noise.verdict != Verdict::ok) {
    fail_with(evaluation, Verdict::lost, "the original, timed against itself here: " + noise.message);
    co_return nullptr;
  }
  made->spread = noise.spread;
  slot = made;
  co_return made;
}

Task<Built> Evaluator::plugin(std::shared_ptr<Prepared> mep, Candidate candidate) {
  if (candidate.proposer == "original") co_return mep->bench->original();
  const std::string sha = candidate_sha(candidate);
  std::shared_ptr<Plugin>& slot = mep->plugins[sha];
  if (!slot) slot = std::make_shared<Plugin>(bench_.io);
  const std::shared_ptr<Plugin> plugin = slot;
  AsyncMutex::Guard guard = co_await plugin->building.lock();
  const bool fresh = !plugin->built;
  if (fresh)
    plugin->built = co_await mep->bench->build_plugin(sha.substr(0, 20), std::move(candidate.source),
                                                      std::move(candidate.extra_flags));
  Built built = *plugin->built;
  if (!fresh) built.seconds = 0;       // the time was spent once
  if (built.verdict != Verdict::ok) {  // nobody will load it: free its folder
    std::error_code ignored;
    std::filesystem::remove_all(built.file.parent_path(), ignored);
    if (built.verdict == Verdict::lost) plugin->built.reset();
  }
  co_return built;
}

Task<bool> Evaluator::build(std::shared_ptr<Prepared> mep, const EvaluationTask& task, Evaluation& evaluation,
                            Built& built) {
  const bool gpu = runs_on_gpu(task.setup.platform.backend);
  const auto libraries = allowed_libraries(task.setup.platform.backend, task.setup.mep.libraries);
  if (!libraries) co_return fail_with(evaluation, Verdict::lost, libraries.error().text());
  if (const auto why = source_objection(task.candidate.source, task.setup.mep.original))
    co_return fail_with(evaluation, Verdict::rejected, *why);
  if (gpu)
    if (const auto why = gpu_source_objection(task.candidate.source, task.setup.mep.original, *libraries))
      co_return fail_with(evaluation, Verdict::rejected, *why);
  built = co_await plugin(mep, task.candidate);
  evaluation.seconds.build = built.seconds;
  evaluation.diagnostics = built.diagnostics;
  if (built.verdict != Verdict::ok) co_return fail_with(evaluation, built.verdict, built.message);
  evaluation.binary_sha = built.binary.code_sha;
  if (gpu) evaluation.needs = kernel_needs(built.diagnostics, task.setup.platform.backend);
  std::vector<std::string> waived = needs_of_libraries(built.binary, *libraries);
  waived.insert(waived.end(), task.report.undefined_symbols.begin(), task.report.undefined_symbols.end());
  if (const auto why = binary_objection(built.binary, task.setup.mep.spec.entry, waived))
    co_return fail_with(evaluation, Verdict::rejected, *why);
  if (gpu)
    if (const auto why = gpu_binary_objection(built.binary, task.report.undefined_symbols, *libraries))
      co_return fail_with(evaluation, Verdict::rejected, *why);
  const auto known = task.known_binaries.find(evaluation.binary_sha);
  if (task.purpose == Purpose::screen && known != task.known_binaries.end())
    co_return fail_with(evaluation, Verdict::duplicate,
                        "same machine code as candidate " + std::to_string(known->second));
  co_return true;
}

Task<bool> Evaluator::check(std::shared_ptr<Prepared> mep, const EvaluationTask& task, const Built& built,
                            Evaluation& evaluation) {
  const DriverRun reference = co_await mep->bench->reference();
  if (reference.verdict() != Verdict::ok)
    co_return fail_with(evaluation, Verdict::lost, "the original, run for reference: " + reference.message());
  const Stopwatch watch;
  const DriverRun run = co_await mep->bench->run(built.file, runs_of(mep->bench->plan()),
                                                 mep->bench->run_limit(task.report.call_seconds));
  if (run.verdict() != Verdict::ok) {
    evaluation.seconds.check = run.outcome.seconds;
    // A later run may have ended the process, but what an earlier one showed says more.
    if (const std::string why = first_damage(mep->bench->plan(), run); !why.empty())
      co_return fail_with(evaluation, Verdict::wrong_result, why);
    co_return fail_with(evaluation, run.verdict(), "while being checked: " + run.message(),
                        run.outcome.output);
  }
  if (const std::string why = left_behind(*run.report, mep->allowed); !why.empty())
    co_return fail_with(evaluation, Verdict::rejected, why);
  const std::shared_ptr<const DoubleReference> precise = co_await mep->bench->precise_reference();
  auto comparing = [&] {
    return compare_reports(mep->bench->plan(), mep->bench->cases(), mep->tolerances, *reference.report,
                           *run.report, precise.get());
  };
  const Stopwatch comparing_watch;
  CheckOutcome outcome;
  {
    NodeToken::Hold hold = co_await mep->bench->quiet_turn();
    outcome = co_await in_thread(bench_.threads, comparing);
  }
  evaluation.seconds.check = run.outcome.seconds + comparing_watch.seconds();
  evaluation.check = outcome.summary;
  evaluation.check.deterministic = task.report.deterministic;
  if (!outcome.summary.passed) co_return fail_with(evaluation, Verdict::wrong_result, outcome.message);
  const Judgement judged = co_await judge_invariants(mep->bench, mep->bench->plan(), *reference.report, run);
  evaluation.seconds.check += judged.seconds;
  evaluation.check.passed = judged.verdict == Verdict::ok;
  if (judged.verdict != Verdict::ok)
    co_return fail_with(evaluation, judged.verdict, judged.message, judged.diagnostics);
  double mine = 0, original = 0;
  for (std::size_t i = 0; i < run.report->runs.size(); ++i) {
    if (mep->bench->cases()[mep->bench->plan()[i].work_case].sized.use != CaseUse::time) continue;
    mine += run.report->runs[i].seconds;
    original += reference.report->runs[i].seconds;
  }
  mep->hopeless[task.candidate.sha] = mine > hopeless_factor * original + hopeless_seconds;
  co_return true;
}

Task<bool> Evaluator::time(std::shared_ptr<Prepared> mep, const EvaluationTask& task, const Built& built,
                           Evaluation& evaluation) {
  const Built reference = co_await plugin(mep, task.reference);
  if (reference.verdict != Verdict::ok)
    co_return fail_with(evaluation, Verdict::lost, "the reference " + reference.message,
                        reference.diagnostics);
  evaluation.spread = mep->spread;
  for (std::size_t i = 0; i < mep->bench->cases().size(); ++i) {
    const WorkCase& work = mep->bench->cases()[i];
    if (work.sized.use != CaseUse::time) continue;
    Timed timed = co_await timed_case(mep, task, i, reference.file, built.file);
    evaluation.seconds.time += timed.seconds;
    if (timed.verdict != Verdict::ok)
      co_return fail_with(evaluation, timed.verdict, timed.message, timed.candidate.outcome.output);
    const bool possible = co_await believable(mep, task, i, timed, reference.file, built.file);
    if (!possible) co_return fail_with(evaluation, timed.verdict, timed.message);
    const bool right = co_await verify(mep, i, task, timed.candidate, evaluation);
    if (!right) co_return false;
    evaluation.timings.push_back(std::move(timed.summary));
  }
  combine_timings(evaluation);
  if (task.setup.search.energy && task.purpose == Purpose::confirm && task.process == 0) {
    evaluation.energy = (co_await energy_per_call(mep->bench, task.report, built.file)).value_or(0);
    evaluation.reference_energy =
        (co_await energy_per_call(mep->bench, task.report, reference.file)).value_or(0);
  }
  co_return true;
}

Task<bool> Evaluator::profile(std::shared_ptr<Prepared> mep, const EvaluationTask& task, const Built& built,
                              Evaluation& evaluation) {
  Profiled found = co_await profile_version(bench_, mep->bench, task.report, built);
  evaluation.seconds.time = found.seconds;
  if (found.verdict != Verdict::ok) co_return fail_with(evaluation, found.verdict, std::move(found.message));
  evaluation.message = std::move(found.message);
  evaluation.diagnostics = std::move(found.guidance);
  evaluation.profile = std::move(found.metrics);
  co_return true;
}

Task<Timed> Evaluator::timed_case(std::shared_ptr<Prepared> mep, const EvaluationTask& task,
                                  std::size_t index, std::filesystem::path reference,
                                  std::filesystem::path candidate) {
  const WorkCase& work = mep->bench->cases()[index];
  const SearchSettings& search = task.setup.search;
  TimingPlan plan;
  plan.trim = search.trim;
  const bool hopeless = task.purpose == Purpose::screen && mep->hopeless[task.candidate.sha];
  plan.repeats = hopeless ? 2 * search.trim + 1 : search.repeats;
  plan.repeats = std::max(plan.repeats, 3);
  plan.flush_bytes = mep->bench->flush_bytes();
  const TimingRules rules{mep->tolerances, mep->spread, mep->allowed};
  const double limit = mep->bench->run_limit(task.report.call_seconds);
  Timed best;
  double seconds = 0;
  // Once more where there is doubt. Whether work is hidden is decided by two of three: beside other load an
  // honest pair can look so once, and a liar's honest once.
  int hidden = 0, open = 0;
  std::string hidden_text;
  for (bool settled = false; !settled && hidden < 2 && open < 2;) {
    plan.order_seed = random_u64();
    DriverRunner::Pair pair =
        co_await mep->bench->run_pair(reference, candidate, timing_run(work, plan), limit);
    seconds += std::max(pair.a.outcome.seconds, pair.b.outcome.seconds);
    Timed timed = judge_timing(work, plan, rules, std::move(pair));
    const bool clear = timed.verdict != Verdict::ok || timed.doubt == Doubt::none;
    settled = timed.verdict != Verdict::ok || (clear && hidden == 0);
    ++(timed.doubt == Doubt::hidden_work ? hidden : open);
    if (timed.doubt == Doubt::hidden_work) hidden_text = timed.doubt_text;
    if (clear || hidden + open == 1 || less_doubtful(timed, best)) best = std::move(timed);
  }
  best.seconds = seconds;
  if (best.verdict == Verdict::ok && best.doubt == Doubt::handicapped) count_reference_alone(best.summary);
  if (best.verdict == Verdict::ok && hidden == 2) {
    best.verdict = Verdict::unstable;
    best.message = "its times cannot be believed: " + hidden_text + ", twice";
  }
  co_return best;
}

Task<bool> Evaluator::believable(std::shared_ptr<Prepared> mep, const EvaluationTask& task, std::size_t index,
                                 Timed& timed, std::filesystem::path reference,
                                 std::filesystem::path candidate) {
  const SizedCase& sized = mep->bench->cases()[index].sized;
  const bool single = has_narrow_floats(task.setup.mep.spec);
  auto floor = roofline_floor(bench_.device.ceilings, sized, single);
  if (!floor || timed.summary.trimmed_mean >= floor->seconds) co_return true;
  // The ceilings may have been measured at a bad moment, or this was: both once more.
  const double before = timed.seconds;
  co_await measure_ceilings(bench_, task.setup.platform);
  timed = co_await timed_case(mep, task, index, reference, candidate);
  timed.seconds += before;
  if (timed.verdict != Verdict::ok) co_return false;
  floor = roofline_floor(bench_.device.ceilings, sized, single);
  if (!floor || timed.summary.trimmed_mean >= floor->seconds) co_return true;
  char text[320];
  std::snprintf(
      text, sizeof text,
      "its time cannot be believed: %.3g ms a call, but %s alone take %.3g ms on this device; if it "
      "really does less work than the spec says, correct the spec's flops and bytes",
      1e3 * timed.summary.trimmed_mean, floor->words.c_str(), 1e3 * floor->seconds);
  timed.verdict = Verdict::rejected;
  timed.message = text;
  co_return false;
}

// The outputs of a late timed call against K(0)'s on the same inputs.
Task<bool> Evaluator::verify(std::shared_ptr<Prepared> mep, std::size_t index, const EvaluationTask& task,
                             const DriverRun& run, Evaluation& evaluation) {
  const std::optional<VerifiedOutputs>& got = run.report->time->verified;
  if (!got)
    co_return fail_with(evaluation, Verdict::run_failed, "the outputs of the timed calls are missing");
  const DriverRun reference = co_await mep->bench->verified_reference(index, *got);
  if (reference.verdict() != Verdict::ok)
    co_return fail_with(evaluation, Verdict::lost, "the original, run for reference: " + reference.message());
  const std::vector<OutputBlob>& want = reference.report->runs[0].outputs;
  if (want.size() != got->outputs.size())
    co_return fail_with(evaluation, Verdict::run_failed, "an output of the timed calls is missing");
  const WorkCase& work = mep->bench->cases()[index];
  // Where the calls of a batch shared buffers, in-out data was fed back and its errors grew with every call.
  const double growth = run.report->time->restored ? 1 : got->calls;
  for (std::size_t k = 0; k < want.size(); ++k) {
    const ArgPlan& arg = work.by_seed[0].args[static_cast<std::size_t>(want[k].param)];
    if (arg.by_invariants) continue;
    Allowance allowance;
    allowance.tolerance = tolerance_of(task.report.tolerances, work.sized.name, arg.name) * growth;
    if (arg.role == Role::out) allowance.poison = got->poison;
    const OutputDifference difference =
        compare(want[k].element, want[k].bytes, got->outputs[k].bytes, allowance);
    if (!difference.passed)
      co_return fail_with(evaluation, Verdict::wrong_result,
                          "right when checked, wrong in timed call " + std::to_string(got->sample) + ": " +
                              difference.text(arg.name));
  }
  const Judgement judged =
      co_await judge_timed(mep->bench, mep->bench->verified_item(index, *got), reference, run);
  evaluation.seconds.time += judged.seconds;
  if (judged.verdict == Verdict::wrong_result)
    co_return fail_with(
        evaluation, judged.verdict,
        "right when checked, wrong in timed call " + std::to_string(got->sample) + ": " + judged.message,
        judged.diagnostics);
  if (judged.verdict != Verdict::ok)
    co_return fail_with(evaluation, judged.verdict, judged.message, judged.diagnostics);
  co_return true;
}

Task<Evaluation> Evaluator::evaluate(EvaluationTask task) {
  const Stopwatch watch;
  Evaluation evaluation;
  evaluation.started = wall_seconds();
  task.candidate.sha = candidate_sha(task.candidate);
  const std::shared_ptr<Prepared> mep = co_await prepared(task, evaluation);
  if (mep) {
    Built built;
    bool good = co_await build(mep, task, evaluation, built);
    if (good && task.purpose == Purpose::screen) good = co_await check(mep, task, built, evaluation);
    const bool times = task.purpose != Purpose::profile;
    if (good)
      good = times ? co_await time(mep, task, built, evaluation)
                   : co_await profile(mep, task, built, evaluation);
    if (good) evaluation.verdict = Verdict::ok;
  }
  if (mep && task.purpose == Purpose::screen) mep->drop_if_useless(task.candidate.sha, evaluation.verdict);
  const StageSeconds& used = evaluation.seconds;
  evaluation.seconds.wait = std::max(0.0, watch.seconds() - used.build - used.check - used.time);
  evaluation.seconds.busy = bench_.activity.take_busy_seconds();
  co_return evaluation;
}

}  // namespace noctune
