#include "integration/placement_flow.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "integration/application_copy.hpp"
#include "integration/application_run.hpp"
#include "integration/comparison.hpp"
#include "integration/file_edits.hpp"
#include "integration/kernel_time.hpp"
#include "integration/patch_text.hpp"
#include "integration/place_dialog.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

using Texts = std::map<std::string, std::string>;  // of files, by path in the application

// For tables and headers of patches.
std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// A hotspot's version and the place it goes to.
struct Part {
  const HotspotPlan* hotspot = nullptr;
  const TunedVersion* version = nullptr;
};

class Flow {
 public:
  Flow(PlacementPlan plan, PlacementServices services)
      : plan_(std::move(plan)),
        services_(std::move(services)),
        // Names of one length, so that paths weigh the same in both.
        original_(*services_.helper, plan_.application, plan_.copies / "original"),
        patched_(*services_.helper, plan_.application, plan_.copies / "modified"),
        order_(random_u64()) {}

  Task<PlacementOutcome> run() {
    const fs::path directory = plan_.application.directory;
    const FolderState before = value_or_throw(state_of(directory));
    PlacementOutcome out;
    co_await all(out);
    const FolderState after = value_or_throw(state_of(directory));
    const std::vector<std::string> changed = changed_entries(before, after);
    out.untouched = changed.empty();
    if (!out.untouched)
      services_.warned("the folder " + directory.string() + " has changed meanwhile, " + changed.front() +
                       (changed.size() > 1 ? " and " + std::to_string(changed.size() - 1) + " more" : "") +
                       ": a command of the campaign reaches it by an absolute path, or somebody works there; "
                       "what was measured may not be what lies there");
    co_return out;
  }

 private:
  Task<void> all(PlacementOutcome& out) {
    step("copying " + plan_.application.directory);
    value_or_throw(copy_application(plan_.application.directory, original_.folder()));
    value_or_throw(copy_application(plan_.application.directory, patched_.folder()));
    const bool sound = co_await original_works();
    if (!sound) co_return;
    out.all_measured = true;
    std::vector<Part> accepted;
    for (const HotspotPlan& hotspot : plan_.hotspots) {
      if (services_.stopping()) break;
      const std::optional<Part> part = co_await best_version(hotspot, out);
      if (part) accepted.push_back(*part);
    }
    if (accepted.size() < 2 || services_.stopping()) co_return;
    const Placement together = co_await attempt(accepted);
    if (services_.stopping()) co_return;
    tell(together);
    out.all_measured = out.all_measured && is_measured(together.verdict);
  }

  void step(const std::string& text) const { services_.step(plan_.application.name + ": " + text); }
  void tell(const Placement& placement) const { services_.placed(placement); }

  // Both copies build, run and pass their verification before anything is changed.
  Task<bool> original_works() {
    StepOutcome outcome;
    for (ApplicationRun* one : {&original_, &patched_}) {
      step("building it as it is");
      outcome = co_await one->build();
      if (outcome.ok()) {
        step("running it as it is");
        outcome = co_await one->run();
      }
      if (services_.stopping()) co_return false;
      if (!outcome.ok()) break;
    }
    if (outcome.ok()) co_return true;
    for (const HotspotPlan& hotspot : plan_.hotspots) {
      Placement failed = blank({{&hotspot, nullptr}});
      failed.verdict = PlacementVerdict::original_failed;
      failed.reason = on_one_line("the application as it is: " + outcome.reason);
      tell(failed);
    }
    co_return false;
  }

  // The first version that can be measured; one that is slower inside is no part of what is tried together.
  Task<std::optional<Part>> best_version(const HotspotPlan& hotspot, PlacementOutcome& out) {
    for (const TunedVersion& version : hotspot.tuned.versions) {
      const std::vector<Part> parts = {{&hotspot, &version}};
      Placement placement;
      do {
        placement = co_await attempt(parts);
        if (services_.stopping()) co_return std::nullopt;
        tell(placement);
      } while (is_to_be_mended(version, placement));
      if (placement.verdict == PlacementVerdict::slower) co_return std::nullopt;
      if (is_measured(placement.verdict)) co_return parts.front();
      // Another version would fare no better.
      if (placement.verdict == PlacementVerdict::not_used ||
          placement.verdict == PlacementVerdict::original_failed)
        break;
    }
    out.all_measured = false;
    co_return std::nullopt;
  }

  bool is_to_be_mended(const TunedVersion& version, const Placement& placement) {
    const auto dialog = dialogs_.find(&version);
    return dialog != dialogs_.end() &&
           dialog->second.ended(placement.verdict, placement.reason, diagnostics_);
  }

  Placement blank(const std::vector<Part>& parts) const {
    Placement out;
    out.application = plan_.application.name;
    double left = 1;  // of the run time, Amdahl over all parts
    bool known = true;
    for (const Part& part : parts) {
      const HotspotConfig& config = part.hotspot->config;
      const double stated = config.integrate->share > 0 ? config.integrate->share
                            : config.share < 1          ? config.share
                                                        : 0;
      out.hotspots.push_back(config.name);
      if (std::find(out.files.begin(), out.files.end(), config.integrate->file) == out.files.end())
        out.files.push_back(config.integrate->file);
      known = known && stated > 0;
      out.share += stated;
      if (part.version) left += stated / part.version->standalone - stated;
    }
    if (!known || out.share > 1) out.share = 0;
    if (out.share > 0 && parts.front().version && left > 0) out.ceiling = 1 / left;
    if (parts.size() > 1) return out;
    out.hotspot = parts.front().hotspot->tuned.id;
    if (const TunedVersion* version = parts.front().version) {
      out.candidate = version->candidate;
      out.standalone = version->standalone;
    }
    return out;
  }

  Task<Placement> attempt(const std::vector<Part>& parts) {
    Placement out = blank(parts);
    Texts before, text, idle;
    diagnostics_.clear();
    const Result<void> placed = co_await place(parts, before, text, idle, out);
    if (services_.stopping()) co_return out;
    if (!placed) {
      out.verdict = PlacementVerdict::not_placed;
      out.reason = on_one_line(placed.error().text());
      co_return out;
    }
    out.flags = flags_of(parts);
    out.flags_passed = plan_.application.build.find("NOCTUNE_FLAGS") != std::string::npos;
    co_await judge(text, idle, out);
    if (plan_.profile && out.gain.speedup > 0 && !services_.stopping()) co_await profile(parts, out);
    write(before);
    if (services_.stopping()) co_return out;
    out.patch = patch_header(out);
    for (const auto& [file, changed] : text) {
      const Result<std::string> diff =
          co_await unified_diff(*services_.helper, file, before.at(file), changed);
      if (diff)
        out.patch += *diff;
      else
        services_.warned("no patch of " + file + ": " + diff.error().text());
    }
    co_return out;
  }

  static std::string flags_of(const std::vector<Part>& parts) {
    std::string out;
    for (const Part& part : parts)
      if (!part.version->flags.empty()) out += (out.empty() ? "" : " ") + part.version->flags;
    return out;
  }

  // Texts of the changed files: as they were, with the winners, and with winners that do nothing.
  Task<Result<void>> place(const std::vector<Part>& parts, Texts& before, Texts& text, Texts& idle,
                           Placement& out) {
    for (const Part& part : parts) {
      const IntegrateConfig& place = *part.hotspot->config.integrate;
      if (!before.contains(place.file)) {
        Result<std::string> content = inner_file(place.file);
        if (!content) co_return Result<void>(Failure(content.error()));
        before[place.file] = text[place.file] = idle[place.file] = std::move(*content);
      }
      PlaceRequest request;
      request.original = part.hotspot->tuned.original;
      request.winner = part.version->source;
      request.entry = part.hotspot->tuned.entry;
      request.symbols = place.symbols;
      request.call_site = place.call_site;
      request.stream_type = plan_.stream_type;
      request.file = text[place.file];
      const Result<Placed> placed = co_await place_one(part, std::move(request));
      if (!placed) co_return Result<void>(Failure(placed.error()));
      text[place.file] = placed->text;
      // Of several in one file the last one is idle: enough to see whether the file takes part.
      idle[place.file] = placed->broken;
      out.rule += (out.rule.empty() ? "" : "; ") + placed->rule;
    }
    co_return Result<void>();
  }

  // By the rules, else as the adviser says.
  Task<Result<Placed>> place_one(const Part& part, PlaceRequest request) {
    Result<Placed> by_rule = services_.placer->place(request);
    if (by_rule || !services_.adviser || !winner_head(request)) co_return by_rule;
    auto dialog = dialogs_.find(part.version);
    if (dialog == dialogs_.end()) {
      PlaceQuestion question;
      question.hotspot = part.hotspot->config.name;
      question.hotspot_id = part.hotspot->tuned.id;
      question.refusal = by_rule.error().text();
      question.request = request;
      dialog =
          dialogs_.try_emplace(part.version, *services_.adviser, std::move(question), plan_.repairs).first;
    }
    if (dialog->second.is_open()) step("asking the model how to place " + part.hotspot->config.name);
    const Result<std::string> answer = co_await dialog->second.answer();
    if (!answer) co_return Result<Placed>(Failure(answer.error()));
    const Result<std::vector<FileEdit>> edits = read_file_edits(*answer);
    if (!edits) co_return Result<Placed>(Failure(edits.error()));
    co_return place_by_edits(request, *edits);
  }

  // A link that leads out of the copy is not followed: what it leads to is not ours.
  Result<std::string> inner_file(const std::string& file) const {
    std::error_code error;
    const fs::path root = fs::canonical(patched_.folder(), error);
    const fs::path path = fs::canonical(patched_.folder() / file, error);
    if (error) return fail("the application has no file " + file, "", "`file` is taken from its directory");
    const fs::path inner = path.lexically_relative(root);
    if (inner.empty() || *inner.begin() == "..")
      return fail("the file " + file + " is a link that leads out of the application's directory",
                  path.string());
    return read_file(path);
  }

  void write(const Texts& texts) const {
    for (const auto& [file, text] : texts) value_or_throw(write_file(patched_.folder() / file, text));
  }

  // Keeps the verdict of a step that failed.
  bool failed(const StepOutcome& step, Placement& out) {
    if (step.ok()) return false;
    diagnostics_ = step.output;
    out.verdict = verdict_of(step.verdict);
    out.reason = on_one_line(step.reason);
    return true;
  }

  Task<void> judge(const Texts& text, const Texts& idle, Placement& out) {
    write(text);
    step("building it with " + joined(out.hotspots));
    const StepOutcome built = co_await patched_.build(out.flags);
    if (failed(built, out)) co_return;
    step("verifying it with " + joined(out.hotspots));
    const StepOutcome ran = co_await patched_.run();
    if (failed(ran, out) || services_.stopping()) co_return;
    co_await prove(ran, text, idle, out);
    if (out.use.used == Used::no) {
      out.verdict = PlacementVerdict::not_used;
      out.reason = out.use.reason;
    }
    if (services_.stopping() || out.verdict == PlacementVerdict::not_used) co_return;
    step("building it again with " + joined(out.hotspots));
    const StepOutcome rebuilt = co_await patched_.build(out.flags);
    if (failed(rebuilt, out) || services_.stopping()) co_return;
    const bool whole = co_await measure(out);
    if (whole) conclude(out);
  }

  Task<void> prove(const StepOutcome& ran, const Texts& text, const Texts& idle, Placement& out) {
    UseEvidence evidence;
    evidence.patched = ran;
    step("looking whether the new code is used");
    const Result<FolderState> before = state_of(patched_.folder());
    write(idle);
    evidence.idle_build = co_await patched_.build(out.flags);
    const Result<FolderState> after = state_of(patched_.folder());
    evidence.build_differs = !before || !after || differs_beside(*before, *after, text);
    // What does nothing may wait for ever for what it should have done.
    if (evidence.idle_build.ok() && evidence.build_differs && !services_.stopping())
      evidence.idle_run = co_await patched_.run(std::min(plan_.application.run_s, 60 + 10 * ran.seconds));
    write(text);
    out.use = judge_use(evidence);
  }

  static bool differs_beside(const FolderState& before, const FolderState& after, const Texts& patched) {
    for (const std::string& path : changed_entries(before, after))
      if (!patched.contains(path)) return true;
    return false;
  }

  // Pairs in random order; false where a run failed.
  Task<bool> measure(Placement& out) {
    std::vector<MeritPair> pairs;
    const int wanted = plan_.application.runs;
    for (int run = 0; run < wanted; ++run) {
      step("measuring it with " + joined(out.hotspots) + ", pair " + std::to_string(run + 1) + " of " +
           std::to_string(wanted));
      const bool patched_first = (order_() & 1) != 0;
      MeritPair pair;
      for (int turn = 0; turn < 2; ++turn) {
        const bool patched = (turn == 0) == patched_first;
        const StepOutcome ran = co_await (patched ? patched_ : original_).run();
        if (services_.stopping()) co_return false;
        out.runs.push_back({patched, run, turn, ran.seconds, ran.metric, ran.ok()});
        if (failed(ran, out)) {
          if (!patched) out.verdict = PlacementVerdict::original_failed;
          out.reason = (patched ? "in run " : "the application as it is, in run ") + std::to_string(run + 1) +
                       ": " + on_one_line(ran.reason);
          co_return false;
        }
        (patched ? pair.patched : pair.original) = ran.metric;
      }
      pairs.push_back(pair);
    }
    out.gain = integrated_gain(pairs, plan_.application.metric.higher_is_better);
    co_return true;
  }

  // What the hotspots' functions, old and new, take of a run of each.
  Task<void> profile(const std::vector<Part>& parts, Placement& out) {
    std::set<std::string> names;
    for (const Part& part : parts) {
      const IntegrateConfig& place = *part.hotspot->config.integrate;
      names.insert(place.symbols.begin(), place.symbols.end());
      for (const std::string* text : {&part.hotspot->tuned.original, &part.version->source})
        for (const SourceFunction& one : read_source(*text).functions)
          names.insert({one.name, one.name + "_noctune"});
    }
    step("profiling it with " + joined(out.hotspots));
    const FunctionProfile before = co_await original_.profile(plan_.backend);
    if (before.seconds.empty() || services_.stopping()) {
      if (!before.profiler.empty() && !services_.stopping())
        services_.warned("the kernel's time inside " + plan_.application.name + " is not known: " +
                         (before.reason.empty() ? before.profiler + " named no function" : before.reason));
      co_return;
    }
    const FunctionProfile after = co_await patched_.profile(plan_.backend);
    out.kernel = {before.profiler, seconds_in(before.seconds, names), seconds_in(after.seconds, names)};
  }

  void conclude(Placement& out) const {
    out.verdict = verdict_of(judge_gain(out.gain, out.gain.p_value, plan_.min_gain));
    out.reason = disbelief(out.gain, out.ceiling, out.share);
    if (!out.reason.empty()) out.verdict = PlacementVerdict::disbelieved;
    if (out.reason.empty()) out.reason = disagreement(out.standalone, out.gain);
  }

  PlacementPlan plan_;
  PlacementServices services_;
  ApplicationRun original_, patched_;
  std::map<const TunedVersion*, PlaceDialog> dialogs_;
  std::string diagnostics_;  // of the last step that failed
  std::mt19937_64 order_;
};

}  // namespace

Task<PlacementOutcome> place_winners(PlacementPlan plan, PlacementServices services) {
  Flow flow(std::move(plan), std::move(services));
  PlacementOutcome out = co_await flow.run();
  co_return out;
}

}  // namespace noctune
