#include "app/tune.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "app/campaign_chat.hpp"
#include "app/chat_endpoint.hpp"
#include "app/console.hpp"
#include "app/job_time.hpp"
#include "app/plan_text.hpp"
#include "app/rank_layout.hpp"
#include "app/stop_watch.hpp"
#include "app/version.hpp"
#include "base/digest.hpp"
#include "base/run_to_end.hpp"
#include "base/secrets.hpp"
#include "coordinator/campaign_run.hpp"
#include "coordinator/completion.hpp"
#include "coordinator/load_hotspots.hpp"
#include "coordinator/mpi_ranks.hpp"
#include "evaluator/evaluator_host.hpp"
#include "evaluator/service.hpp"
#include "model/campaign_decides_json.hpp"
#include "model/campaign_json.hpp"
#include "report/report.hpp"
#include "store/earlier_runs.hpp"
#include "store/journal.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr double goodbye_s = 20;  // evaluators end what they run before they leave
constexpr double finish_s = 60;   // what runs may end after a stop that is not urgent
constexpr int most_files_beside = 1000;

std::string environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

// What decides the measurements; the rest of a config may change between a stop and its resume.
Decisive decisive(const Campaign& campaign, const std::vector<LoadedHotspot>& hotspots) {
  constexpr std::size_t shown = 12;
  Decisive out = decisive_settings(campaign);
  for (const LoadedHotspot& one : hotspots) {
    const std::string what =
        one.task.mep.sha() + (one.has_mep() ? "" : slot_text(completion_slot(one.open->input, 0)));
    out["source and spec of " + one.task.mep.hotspot] = "version " + sha256(what).substr(0, shown);
  }
  return out;
}

RunHeader run_header(const Campaign& campaign, const std::vector<LoadedHotspot>& hotspots) {
  RunHeader header;
  header.campaign = campaign.name;
  header.config_json = campaign.resolved_json;
  header.version = version_number();
  header.job_id = environment("SLURM_JOB_ID");
  header.job_restarts = std::atoi(environment("SLURM_RESTART_COUNT").c_str());
  header.decides = decisive(campaign, hotspots);
  return header;
}

// Where the results go. With --force-new the first of F.h5, F-2.h5, F-3.h5 ... that holds none, or some that
// this campaign may go on with.
fs::path output_path(const Options& options, const Campaign& campaign, const Decisive& decides) {
  const fs::path first = options.output.empty()
                             ? fs::path(fs::path(campaign.config_path).stem().string() + ".h5")
                             : fs::path(options.output);
  fs::path path = first;
  for (int n = 2; options.force_new && n < most_files_beside; ++n) {
    const Decisive before = value_or_throw(latest_settings(journal_folder(path)));
    if (differences(before, decides).empty()) break;
    path =
        first.parent_path() / (first.stem().string() + "-" + std::to_string(n) + first.extension().string());
  }
  return path;
}

DeviceRow device_row(const DeviceFacts& device, const PlatformSettings& platform) {
  DeviceRow row;
  row.rank = device.rank;
  row.host = device.host;
  row.backend = device.backend;
  row.name = device.name;
  row.uuid = device.gpu.uuid;
  row.pci = device.gpu.pci;
  row.driver = device.gpu.driver;
  row.measure_cpus = cpu_list(device.measured_cpus);
  row.build_cpus = cpu_list(device.build_cpus);
  row.compiler = platform.compiler;
  row.compiler_version = device.compiler;
  row.sandbox = device.sandbox_level;
  return row;
}

// On every rank: whether there is anything to do, which rank 0 alone knows.
bool agree_on_work(const MpiSession& mpi, bool nothing_is_left) {
  return mpi.all_gather(nothing_is_left ? "done" : "work").front() == "work";
}

// Rank 0's part, from a complete campaign to its last row.
class Coordinator {
 public:
  Coordinator(const Options& options, fs::path output, Campaign campaign, std::vector<LoadedHotspot> hotspots,
              std::unique_ptr<Recorder> recorder, ApiKey key, MpiSession& mpi, ProcessHelper& helper)
      : options_(options),
        output_(std::move(output)),
        campaign_(std::move(campaign)),
        hotspots_(std::move(hotspots)),
        recorder_(std::move(recorder)),
        mpi_(mpi),
        helper_(helper),
        pool_(io_),
        hub_(io_, mpi, pool_) {
    if (options_.dry_run) return;
    CampaignChatNeeds needs{campaign_.name, campaign_.model, recorder_->spent_calls(),
                            [this](const std::string& text) { console_.event("", true, text); }};
    chat_ = make_campaign_chat(io_, std::move(needs), std::move(key));
    open_patterns();
    if (chat_)
      templates_ = std::make_shared<PromptTemplates>(value_or_throw(PromptTemplates::load(prompts_folder())));
  }

  int run() {
    hub_.on_broken([this](const std::string& text) { warn(text); });
    if (!agree_on_work(mpi_, nothing_is_left())) return say_all_is_done();
    const RankLayout layout = lay_out_ranks(mpi_, campaign_.platform.backend);
    if (layout.evaluates) {
      host_ = std::make_unique<EvaluatorHost>(io_, helper_, device_facts(layout), layout.run_token);
    }
    StopWatch stop_watch(
        io_, output_.string() + ".stop",
        {[this](const std::string& why, bool urgent) { begin_stop(why, urgent); }, [this] { hurry(); }});
    stop_watch_ = &stop_watch;
    asio::co_spawn(io_, campaign(layout), [this](std::exception_ptr thrown) { end(thrown); });
    if (!options_.dry_run) stop_watch.start();
    io_.run();
    if (failure_) give_up();
    return exit_code_;
  }

 private:
  // What failed may have failed by its surroundings, so it is tried again.
  bool nothing_is_left() const {
    if (options_.dry_run || !recorder_->finished_before()) return false;
    return std::all_of(hotspots_.begin(), hotspots_.end(), [this](const LoadedHotspot& one) {
      const std::optional<HotspotRow> row = recorder_->known_hotspot(one.task.mep.hotspot);
      return row && row->verdict != HotspotVerdict::pending && row->verdict != HotspotVerdict::failed;
    });
  }

  int say_all_is_done() {
    const Result<BuildFacts> built = recorder_->finish("finished");
    if (!built) throw UserError(built.error(), Exit::failure);
    console_.event("", false,
                   "all was done before, and nothing is measured again: noctune report " + output_.string());
    return static_cast<int>(Exit::ok);
  }

  // Arms that are to be compared must all find the same patterns.
  void open_patterns() {
    const bool compared = campaign_.arms.size() * static_cast<std::size_t>(campaign_.replicates) > 1;
    PatternLibrary library =
        value_or_throw(PatternLibrary::open(campaign_.patterns.library, recorder_->run_uuid(),
                                            output_.string() + ".patterns.jsonl"),
                       Exit::failure);
    for (const std::string& problem : library.problems()) console_.event("", true, "patterns: " + problem);
    patterns_ = std::make_unique<CampaignPatterns>(std::move(library), campaign_.name);
    value_or_throw(patterns_->add_rule_patterns(), Exit::failure);
    if (campaign_.patterns.frozen || compared) patterns_->library().freeze();
  }

  void end(std::exception_ptr failure) {
    if (failure && !failure_) failure_ = failure;
    io_.stop();
  }

  // What runs here is ended first: its frames hold the timing token and refer to the host. Then the failure
  // goes on to the caller, who tells the other ranks.
  [[noreturn]] void give_up() {
    pool_.stop();
    if (chat_) chat_->stop();
    io_.restart();
    io_.run_for(std::chrono::seconds(1));  // open calls end at once
    if (host_) {
      host_->cancel();
      asio::co_spawn(io_, host_->drain(), [this](std::exception_ptr) { io_.stop(); });
      io_.restart();
      io_.run_for(std::chrono::seconds(static_cast<int>(goodbye_s)));
    }
    std::rethrow_exception(failure_);
  }

  Task<void> campaign(RankLayout layout) {
    if (mpi_.active())
      asio::co_spawn(io_, hub_.run(), [this](std::exception_ptr thrown) {
        if (thrown) end(thrown);
      });
    if (layout.cores_outside > 0)
      console_.event(
          "", true,
          std::to_string(layout.cores_outside) + " of this node's " +
              std::to_string(layout.host.cores.size()) +
              " cores are outside the launcher's binding and stay unused; mpirun --bind-to none frees them");
    co_await learn_time_limit();
    co_await gather_devices(layout);
    std::fputs(pinning_text(all_devices_).c_str(), stdout);
    if (options_.dry_run) {
      std::fputs(forecast_text(campaign_, hotspots_, static_cast<int>(pool_.devices().size())).c_str(),
                 stdout);
    } else if (pool_.devices().empty()) {
      exit_code_ = static_cast<int>(Exit::no_device);
      (void)recorder_->finish("failed");
      std::fputs("noctune: no evaluator can be used; see above\n", stderr);
    } else {
      co_await tune_all();
    }
    if (host_) co_await host_->drain();
    const bool all_left = !mpi_.active() || co_await hub_.stop(goodbye_s, exit_code_);
    stop_watch_->stop_watching();
    if (!all_left)
      mpi_.abort(exit_code_);  // everything is on disk; a rank that does not answer must not hold the job
  }

  // Tasks that would not end in time are not begun; when nothing else is left, the run ends early.
  Task<void> learn_time_limit() {
    if (options_.dry_run) co_return;
    helper_.attach(io_);
    const double limit =
        options_.time_limit_s > 0 ? options_.time_limit_s : co_await job_seconds_left(helper_);
    if (limit <= 0) co_return;
    stop_watch_->limit(limit);
    pool_.end_within(limit - closing_margin_s(limit),
                     [this] { stop_watch_->stop("nothing that is left would end within the time limit"); });
  }

  Task<void> gather_devices(const RankLayout& layout) {
    if (host_) {
      co_await host_->probe(campaign_.platform);
      hub_.add_local(host_->facts(), [this](std::uint64_t task, const std::string& request) {
        asio::co_spawn(io_, serve_here(task, message_from(request)), asio::detached);
      });
    }
    co_await hub_.wait_for(layout.evaluators);
    all_devices_ = hub_.all_devices();
  }

  Task<void> serve_here(std::uint64_t task, Json request) {
    Json reply = co_await host_->serve(std::move(request));
    pool_.answered(mpi_.rank(), task, std::move(reply));
  }

  void warn(const std::string& text) {
    console_.event("", true, text);
    if (recorder_) recorder_->event(0, EventLevel::warning, -1, text);
  }

  void tell_who_shares_gpus() {
    for (const DeviceFacts& device : pool_.devices())
      if (!device.gpu.shared.empty())
        warn("the GPU of rank " + std::to_string(device.rank) + " on " + device.host + " is used " +
             device.gpu.shared);
  }

  // A rank that fell silent may be there again in the next run; a device that is broken will be so, too.
  void gone(const DeviceFacts& device, const std::string& why, bool silent) {
    warn("rank " + std::to_string(device.rank) + " on " + device.host + " (" + device.name +
         ") gets no more work: " + why);
    if (pool_.usable() > 0) return;
    no_device_left_ = !silent;
    stop_watch_->stop("no device is left");
  }

  // Once a run and node kind, however many devices say the same.
  void tell_what_sandboxes_lack() {
    std::set<std::string> told;
    for (const DeviceFacts& device : pool_.devices()) {
      if (device.sandbox_missing.empty() || !told.insert(device.sandbox_missing).second) continue;
      const std::string text = "the sandbox of " + device.host + " has only " + device.sandbox_level +
                               "; missing: " + device.sandbox_missing + "; noctune doctor says what helps";
      warn(text);
    }
  }

  Task<void> tune_all() {
    tell_what_sandboxes_lack();
    tell_who_shares_gpus();
    pool_.on_change({[this](const DeviceFacts& device, const std::string& why, bool silent) {
                       gone(device, why, silent);
                     },
                     [this](const std::string& text) { warn(text); }});
    std::vector<long long> device_ids;
    for (const DeviceFacts& device : pool_.devices()) {
      device_ids.push_back(recorder_->device(device_row(device, campaign_.platform)));
      for (const Ceiling& ceiling : device.ceilings)
        recorder_->row("ceilings", {{"device", device_ids.back()},
                                    {"name", ceiling.name},
                                    {"value", ceiling.value},
                                    {"unit", ceiling.unit}});
    }
    CampaignServices services{io_,
                              pool_,
                              *recorder_,
                              console_,
                              std::move(device_ids),
                              chat_.get(),
                              templates_,
                              patterns_.get(),
                              [this] { return stop_watch_->stopping(); },
                              [this](const std::string& why) { stop_watch_->stop(why); }};
    const CampaignEnd end = co_await run_campaign(std::move(services), campaign_, hotspots_);
    const bool waiting = end == CampaignEnd::waiting;
    const bool stopped = end == CampaignEnd::stopped || waiting;
    const Result<BuildFacts> built = recorder_->finish(stopped ? "stopped" : "finished");
    exit_code_ = static_cast<int>(no_device_left_                   ? Exit::no_device
                                  : waiting                         ? Exit::waiting
                                  : stopped                         ? Exit::resumable
                                  : end == CampaignEnd::no_baseline ? Exit::no_baseline
                                                                    : Exit::ok);
    if (!built) throw UserError(built.error(), Exit::failure);
    end_if_it_leads_nowhere();
    console_.event("", false,
                   "results are in " + output_.string() +
                       (waiting   ? "; only answers of the model are missing: run the same command again "
                                    "once they are there"
                        : stopped ? "; run the same command again to go on"
                                  : ""));
  }

  // A job that puts itself back into the queue must not do so for ever.
  void end_if_it_leads_nowhere() {
    if (exit_code_ != static_cast<int>(Exit::resumable) || !recorder_->idle_twice()) return;
    exit_code_ = static_cast<int>(Exit::failure);
    console_.event(
        "", true,
        "neither this run nor the one before got anything done; the time limit may be shorter than one step");
  }

  // First nothing new is begun, and what runs may end; then it is cut off; then the job ends at once.
  void begin_stop(const std::string& why, bool urgent) {
    const bool waits = !urgent && pool_.running() > 0;
    warn("stopping: " + why + (waits ? "; what runs may end, a second signal cuts it off" : ""));
    pool_.finish_running();
    if (chat_) chat_->stop();
    if (urgent)
      cut_off();
    else
      asio::co_spawn(io_, cut_off_later(), asio::detached);
  }

  Task<void> cut_off_later() {
    co_await sleep_for(finish_s);
    if (!cut_off_) cut_off();
  }

  void cut_off() {
    cut_off_ = true;
    pool_.stop();
    if (host_) host_->cancel();
  }

  void hurry() {
    if (cut_off_) mpi_.abort(static_cast<int>(Exit::resumable));
    warn("stopping at once: what runs is cut off and will be measured again");
    cut_off();
  }

  const Options& options_;
  const fs::path output_;
  Campaign campaign_;
  std::vector<LoadedHotspot> hotspots_;
  std::unique_ptr<Recorder> recorder_;
  MpiSession& mpi_;
  ProcessHelper& helper_;
  asio::io_context io_;
  std::unique_ptr<ChatService> chat_;
  std::shared_ptr<const PromptTemplates> templates_;
  std::unique_ptr<CampaignPatterns> patterns_;
  EvaluatorPool pool_;
  MpiHub hub_;
  Console console_;
  std::unique_ptr<EvaluatorHost> host_;
  std::vector<DeviceFacts> all_devices_;
  StopWatch* stop_watch_ = nullptr;
  std::exception_ptr failure_;
  int exit_code_ = 0;
  bool no_device_left_ = false;
  bool cut_off_ = false;
};

// Any other rank's part.
int evaluate(MpiSession& mpi, ProcessHelper& helper, const Campaign& campaign) {
  if (!agree_on_work(mpi, false)) return static_cast<int>(Exit::ok);
  asio::io_context io;
  const RankLayout layout = lay_out_ranks(mpi, campaign.platform.backend);
  EvaluatorHost host(io, helper, device_facts(layout), layout.run_token);
  // Rank 0 hears the same signals and tells when to leave.
  asio::signal_set ignored(io, SIGINT, SIGTERM, SIGUSR1);
  std::function<void(const asio::error_code&, int)> again = [&](const asio::error_code& error, int) {
    if (!error) ignored.async_wait(again);
  };
  ignored.async_wait(again);
  int exit_code = 0;
  auto main = [&]() -> Task<void> {
    co_await host.probe(campaign.platform);
    exit_code = co_await serve_rank(
        io, mpi, host.facts(), [&host](Json request) { return host.serve(std::move(request)); },
        [&host] { host.cancel(); });
    co_await host.drain();
    ignored.cancel();
  };
  run_to_end(io, main());
  return exit_code;
}

}  // namespace

int tune(const Options& options, int* argc, char*** argv) {
  Campaign campaign = read_campaign(options.config, options.overrides);
  std::vector<LoadedHotspot> hotspots;
  std::unique_ptr<Recorder> recorder;
  fs::path output;
  const bool first = launcher_rank() == 0;
  // Before anything is forked or any thread runs. Other ranks have no use for a key.
  ApiKey key;
  if (first && !options.dry_run)
    key = take_key(campaign.model);
  else
    scrub_environment({campaign.model.key_env});
  if (first) {
    hotspots = load_hotspots(campaign);
    if (options.dry_run) {
      std::fputs(plan_text(campaign, hotspots).c_str(), stdout);
    } else {
      const RunHeader header = run_header(campaign, hotspots);
      output = output_path(options, campaign, header.decides);
      recorder = value_or_throw(Recorder::open(output, header));
    }
  }
  ProcessHelper helper = value_or_throw(ProcessHelper::start(sandbox_helper_path()), Exit::failure);
  MpiSession mpi(argc, argv);
  try {
    if (mpi.rank() != 0) return evaluate(mpi, helper, campaign);
    if (!first)
      throw UserError({"the launcher's rank 0 is not MPI's", "", "start noctune with mpirun or srun"});
    Coordinator coordinator(options, std::move(output), std::move(campaign), std::move(hotspots),
                            std::move(recorder), std::move(key), mpi, helper);
    return coordinator.run();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "noctune: rank %d: %s\n", mpi.rank(), failure.what());
    const auto* said = dynamic_cast<const UserError*>(&failure);
    const int code = static_cast<int>(said ? said->code() : Exit::failure);
    if (mpi.size() > 1) mpi.abort(code);  // the other ranks wait for messages that will not come
    return code;
  }
}

}  // namespace noctune
