#include "app/integrate.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "app/campaign_chat.hpp"
#include "app/chat_endpoint.hpp"
#include "app/model_placer.hpp"
#include "app/step_line.hpp"
#include "app/stop_watch.hpp"
#include "app/terminal.hpp"
#include "app/version.hpp"
#include "base/files.hpp"
#include "base/mpi.hpp"
#include "base/run_to_end.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "integration/placement_flow.hpp"
#include "integration/placement_rows.hpp"
#include "integration/rule_placer.hpp"
#include "model/backend.hpp"
#include "model/campaign_json.hpp"
#include "report/integration_account.hpp"
#include "store/earlier_runs.hpp"
#include "store/journal.hpp"
#include "store/rebuild.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr double beat_every_s = 10;

// The campaign as it was tuned, from the results themselves.
Campaign tuned_campaign(const ResultsFile& results, const std::vector<std::string>& overrides) {
  const std::string name = "the configuration in " + results.path().filename().string();
  JsonDocument document = value_or_throw(parse_json(results.attribute("config"), name));
  for (const std::string& assignment : overrides) value_or_throw(apply_override(document, assignment));
  return campaign_from(document);
}

// Applications and places may be added or corrected after the tuning; all else stays as it was tuned.
Campaign read_places(const Options& options, const ResultsFile& results) {
  if (options.config.empty()) return tuned_campaign(results, options.overrides);
  Campaign out = tuned_campaign(results, {});
  const Campaign given = read_campaign(options.config, options.overrides);
  out.applications = given.applications;
  for (HotspotConfig& hotspot : out.hotspots) {
    hotspot.integrate.reset();
    for (const HotspotConfig& other : given.hotspots)
      if (other.name == hotspot.name) {
        hotspot.integrate = other.integrate;
        hotspot.share = other.share;
      }
  }
  out.resolved_json = to_json(out).dump(2);
  return out;
}

std::string names_of(const std::vector<HotspotConfig>& hotspots) {
  std::string out;
  for (const HotspotConfig& one : hotspots) out += (out.empty() ? "" : ", ") + one.name;
  return out;
}

void keep_wanted(Campaign& campaign, const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted)
    if (std::none_of(campaign.hotspots.begin(), campaign.hotspots.end(),
                     [&](const HotspotConfig& one) { return one.name == name; }))
      throw UserError(
          {"there is no hotspot \"" + name + "\"", "the campaign has " + names_of(campaign.hotspots)});
  std::erase_if(campaign.hotspots, [&](const HotspotConfig& one) {
    const bool named = wanted.empty() || std::find(wanted.begin(), wanted.end(), one.name) != wanted.end();
    if (named && !wanted.empty() && !one.integrate)
      throw UserError({"the hotspot \"" + one.name + "\" has no place in an application",
                       "it has no `integrate` in the campaign", "docs/integration.md shows one"});
    return !named || !one.integrate;
  });
  if (campaign.hotspots.empty())
    throw UserError({"no hotspot has a place in an application", "none has `integrate` in the campaign",
                     "add `applications` and `integrate` to the campaign file and give it as --config; "
                     "docs/integration.md shows how"});
}

std::string stream_type(const std::string& backend) {
  return !runs_on_gpu(backend) ? "" : backend == "hip" ? "hipStream_t" : "cudaStream_t";
}

RunHeader header_of(const Campaign& campaign, const fs::path& results) {
  const auto environment = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  RunHeader header;
  header.campaign = campaign.name;
  header.config_json = campaign.resolved_json;
  header.version = version_number();
  header.job_id = environment("SLURM_JOB_ID");
  header.job_restarts = std::atoi(environment("SLURM_RESTART_COUNT").c_str());
  header.decides = value_or_throw(latest_settings(journal_folder(results)));
  return header;
}

// Rules need no model, so that a missing key ends nothing. Before anything is forked or any thread runs.
ApiKey key_if_there(Campaign& campaign) {
  try {
    return take_key(campaign.model);
  } catch (const UserError& missing) {
    std::fprintf(stderr, "noctune: the model will not be asked: %s\n", missing.what());
    scrub_environment({campaign.model.key_env});
    campaign.model.provider.clear();
    return {};
  }
}

class Integration {
 public:
  Integration(const Options& options, const Campaign& campaign, std::vector<TunedHotspot> tuned,
              std::unique_ptr<Recorder> recorder, ApiKey key, ProcessHelper& helper)
      : options_(options),
        campaign_(campaign),
        tuned_(std::move(tuned)),
        recorder_(std::move(recorder)),
        helper_(helper),
        stop_watch_(io_, {},
                    {[this](const std::string& why, bool) { stop(why); },
                     [] { std::fputs("noctune: already stopping\n", stderr); }}),
        patches_(options.output.empty() ? fs::path(options.results + ".patches") : fs::path(options.output)) {
    const auto told = [this](const std::string& text) { warn(text); };
    try {
      chat_ = make_campaign_chat(io_, {campaign.name, campaign.model, recorder_->spent_calls(), told},
                                 std::move(key));
    } catch (const UserError& unusable) {
      warn(std::string("the model will not be asked: ") + unusable.what());
    }
    if (!chat_) return;
    templates_ = value_or_throw(PromptTemplates::load(prompts_folder()));
    adviser_ = std::make_unique<ModelPlacer>(*chat_, *recorder_, templates_, told);
  }

  int run() {
    helper_.attach(io_);
    stop_watch_.start();
    asio::co_spawn(io_, step_.tick(), asio::detached);
    asio::co_spawn(io_, beat(), asio::detached);
    Exit code = Exit::failure;
    try {
      code = run_to_end(io_, all());
    } catch (...) {
      // What was measured before is kept.
      step_.end();
      (void)recorder_->finish("failed");
      throw;
    }
    step_.end();
    const bool whole = code != Exit::resumable && code != Exit::waiting;
    value_or_throw(recorder_->finish(whole ? "finished" : "stopped"), Exit::failure);
    return static_cast<int>(code);
  }

 private:
  void stop(const std::string& why) {
    step_.end();
    std::fprintf(stderr, "noctune: stopping: %s\n", why.c_str());
    helper_.cancel_all();
    if (chat_) chat_->stop();
  }

  void warn(const std::string& text) {
    step_.end();
    std::fprintf(stderr, "noctune: %s\n", text.c_str());
    recorder_->event(0, EventLevel::warning, -1, text);
  }

  Task<void> beat() {
    for (;;) {
      co_await sleep_for(beat_every_s);
      if (const Result<void> alive = recorder_->beat(); !alive) stop(alive.error().text());
    }
  }

  Task<Exit> all() {
    bool good = true;
    try {
      for (const ApplicationConfig& application : campaign_.applications) {
        if (stop_watch_.stopping()) break;
        const bool done = co_await one(application);
        good = good && done;
      }
    } catch (const StopRequested&) {
      co_return Exit::resumable;
    } catch (const WaitingForModel&) {
      step_.end();
      std::fputs(
          "noctune: an answer of the model is outstanding; the same command goes on once it is there\n",
          stderr);
      co_return Exit::waiting;
    }
    if (stop_watch_.stopping()) co_return Exit::resumable;
    co_return good ? Exit::ok : Exit::failure;
  }

  std::vector<HotspotPlan> plans_of(const ApplicationConfig& application) {
    std::vector<HotspotPlan> out;
    for (const HotspotConfig& config : campaign_.hotspots) {
      if (config.integrate->application != application.name) continue;
      const auto found = std::find_if(tuned_.begin(), tuned_.end(),
                                      [&](const TunedHotspot& tuned) { return tuned.name == config.name; });
      if (found == tuned_.end() || found->versions.empty())
        std::printf("%s: nothing to put back: no version was confirmed to be faster than the original\n",
                    config.name.c_str());
      else
        out.push_back({config, *found});
    }
    return out;
  }

  Task<bool> one(const ApplicationConfig& application) {
    PlacementPlan plan;
    plan.application = application;
    plan.hotspots = plans_of(application);
    if (plan.hotspots.empty()) co_return true;
    plan.min_gain = campaign_.search.min_gain;
    plan.repairs = campaign_.search.repairs;
    plan.backend = campaign_.platform.backend;
    plan.profile = !options_.no_profile;
    plan.stream_type = stream_type(campaign_.platform.backend);
    std::optional<ScratchFolder> scratch;
    if (options_.keep.empty()) {
      scratch.emplace(value_or_throw(ScratchFolder::make("noctune-integrate"), Exit::failure));
      plan.copies = scratch->path();
    } else {
      plan.copies = fs::absolute(fs::path(options_.keep) / application.name);
      std::error_code error;
      fs::create_directories(plan.copies, error);
      if (error || !fs::is_empty(plan.copies, error))
        throw UserError({"cannot keep copies in " + plan.copies.string(),
                         error ? error.message() : "it is not empty",
                         "give --keep a folder that does not exist yet"});
    }
    PlacementServices services;
    services.helper = &helper_;
    services.placer = &placer_;
    services.adviser = adviser_.get();
    services.step = [this](const std::string& text) { step_.begin(text); };
    services.placed = [this](const Placement& placement) { placed(placement); };
    services.warned = [this](const std::string& text) { warn(text); };
    services.stopping = [this] { return stop_watch_.stopping(); };
    const PlacementOutcome outcome = co_await place_winners(std::move(plan), std::move(services));
    step_.end();
    if (outcome.untouched && !stop_watch_.stopping())
      std::printf("%s: %s is as it was\n", application.name.c_str(), application.directory.c_str());
    co_return outcome.all_measured&& outcome.untouched;
  }

  void placed(const Placement& placement) {
    step_.end();
    record_placement(*recorder_, placement);
    value_or_throw(recorder_->sync(), Exit::failure);
    const std::string path = is_measured(placement.verdict) ? keep_patch(placement) : "";
    ReportPlacement row;
    row.application = placement.application;
    row.hotspots = joined(placement.hotspots);
    row.candidate = placement.candidate;
    row.rule = placement.rule;
    row.reason = placement.reason;
    row.flags = placement.flags;
    if (!placement.flags.empty() && !placement.flags_passed)
      row.flags += "; not passed: the build command does not use $NOCTUNE_FLAGS";
    row.use_reason = placement.use.reason;
    row.used = to_text(placement.use.used);
    row.verdict = to_text(placement.verdict);
    row.standalone = placement.standalone;
    row.ceiling = placement.ceiling;
    row.profiler = placement.kernel.profiler;
    row.kernel_seconds = placement.kernel.original;
    row.kernel_seconds_patched = placement.kernel.patched;
    row.speedup = placement.gain.speedup;
    row.low = placement.gain.low;
    row.high = placement.gain.high;
    row.pairs = static_cast<long long>(placement.gain.log_speedups.size());
    std::fputs(integration_account(row, path).c_str(), stdout);
    std::fflush(stdout);
  }

  std::string keep_patch(const Placement& placement) {
    std::error_code error;
    fs::create_directories(patches_, error);
    const std::string name =
        placement.hotspots.size() == 1 ? placement.hotspots.front() : placement.application + "-together";
    const fs::path path = patches_ / (name + ".patch");
    const Result<void> written = replace_file(path, placement.patch);
    if (!written) warn(written.error().text());
    return path.string();
  }

  const Options& options_;
  const Campaign& campaign_;
  std::vector<TunedHotspot> tuned_;
  std::unique_ptr<Recorder> recorder_;
  ProcessHelper& helper_;
  asio::io_context io_;
  StopWatch stop_watch_;
  StepLine step_;
  RulePlacer placer_;
  fs::path patches_;
  std::unique_ptr<ChatService> chat_;  // none: only rules place
  PromptTemplates templates_;
  std::unique_ptr<ModelPlacer> adviser_;
};

}  // namespace

int integrate(const Options& options) {
  if (launcher_process_count() > 1)
    throw UserError({"integrate runs as one process", "a launcher started several",
                     "call it plainly in the batch script, after tune; it launches the application itself"});
  if (!fs::exists(options.results) && fs::exists(journal_folder(options.results)))
    value_or_throw(rebuild_results(options.results, false));
  Campaign campaign;
  std::vector<TunedHotspot> tuned;
  {
    const ResultsFile results = value_or_throw(ResultsFile::open(options.results));
    campaign = read_places(options, results);
    keep_wanted(campaign, options.hotspots);
    tuned = value_or_throw(read_winners(results));
  }
  ApiKey key = key_if_there(campaign);
  if (!fs::exists(journal_folder(options.results)))
    throw UserError({"the journal of " + options.results + " is gone",
                     "what is measured could not be recorded",
                     "keep the folder " + journal_folder(options.results).string() + " beside it"});
  std::unique_ptr<Recorder> recorder =
      value_or_throw(Recorder::open(options.results, header_of(campaign, options.results)));
  ProcessHelper helper = value_or_throw(ProcessHelper::start(sandbox_helper_path()), Exit::failure);
  Integration run(options, campaign, std::move(tuned), std::move(recorder), std::move(key), helper);
  return run.run();
}

}  // namespace noctune
