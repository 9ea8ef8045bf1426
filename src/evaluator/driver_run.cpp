#include "evaluator/driver_run.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/digest.hpp"
#include "evaluator/driver_launch.hpp"
#include "evaluator/gpu_devices.hpp"
#include "evaluator/scratch_trouble.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

// Numbers the inherited descriptors have in a driver.
constexpr int report_number = 3, outputs_number = 4;

constexpr long long tool_folder_bytes = 256 << 20;
constexpr std::size_t longest_table = 16 << 20;

Result<std::string> read_descriptor(int fd) {
  return read_file("/proc/self/fd/" + std::to_string(fd));
}

bool write_whole(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(fd, bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 30));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

// A plain file that has no name any more, open for reading only.
Result<Descriptor> outputs_file(const fs::path& folder, const std::vector<std::string_view>& outputs) {
  const fs::path path = folder / "outputs";
  const Descriptor writing(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  Descriptor reading(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int error = errno;
  ::unlink(path.c_str());
  if (!writing || !reading) return fail("cannot make " + path.string(), errno_text(error));
  for (const std::string_view one : outputs)
    if (!write_whole(writing.get(), one)) return fail("cannot write " + path.string(), errno_text(errno));
  return reading;
}

std::vector<std::string> driver_environment(const DriverLimits& limits, const fs::path& folder) {
  std::vector<std::string> extra = {"OMP_NUM_THREADS=" + std::to_string(limits.threads), "OMP_DYNAMIC=false",
                                    "OMP_PLACES=cores", "OMP_PROC_BIND=close", "LC_ALL=C"};
  extra.insert(extra.end(), limits.environment.begin(), limits.environment.end());
  if (limits.tool.confined)  // where tools keep locks and settings
    extra.insert(extra.end(), {"HOME=" + folder.string(), "TMPDIR=" + folder.string()});
  std::vector<std::string> out = candidate_environment(std::move(extra));
  if (!limits.gpu) return out;
  out = with_gpu(std::move(out), *limits.gpu);
  // Code is loaded before it is timed, and nothing is kept between processes.
  out.insert(out.end(), {"CUDA_MODULE_LOADING=EAGER", "CUDA_CACHE_DISABLE=1"});
  return out;
}

// The largest report that honest work makes: the outputs of every call and room for times and messages.
long long report_room(const DriverWork& work) {
  double bytes = 64 << 20;
  if (const auto* checks = std::get_if<std::vector<CheckRun>>(&work))
    for (const CheckRun& run : *checks) bytes += 2 * run.resolved.data_bytes;
  if (const auto* timing = std::get_if<TimeRun>(&work))
    for (const ResolvedCase& one : timing->cases) bytes += 2 * one.data_bytes;
  return static_cast<long long>(bytes);
}

void add_files(const ResolvedCase& resolved, std::vector<std::string>& files) {
  for (const JointSet& set : resolved.data)
    for (const JointPart& part : set.parts)
      if (!part.file.empty() && std::find(files.begin(), files.end(), part.file) == files.end())
        files.push_back(part.file);
}

// Captured inputs that the driver reads.
std::vector<std::string> data_files(const DriverWork& work) {
  std::vector<std::string> files;
  const auto add_runs = [&](const std::vector<CheckRun>& runs) {
    for (const CheckRun& run : runs) add_files(run.resolved, files);
  };
  if (const auto* checks = std::get_if<std::vector<CheckRun>>(&work)) add_runs(*checks);
  if (const auto* judging = std::get_if<JudgeRun>(&work)) add_runs(judging->runs);
  if (const auto* probing = std::get_if<ProbeRun>(&work)) add_files(probing->resolved, files);
  if (const auto* timing = std::get_if<TimeRun>(&work))
    for (const ResolvedCase& one : timing->cases) add_files(one, files);
  return files;
}

// The process is gone, but what it ran could have put anything in the tool's place.
std::string table_in(const fs::path& folder, const std::vector<std::string>& ends) {
  std::error_code bad;
  std::vector<fs::path> found;
  if (!ends.empty())
    for (fs::recursive_directory_iterator at(folder, bad), last; !bad && at != last; at.increment(bad)) {
      const std::string name = at->path().filename().string();
      const bool fits =
          std::any_of(ends.begin(), ends.end(), [&](const std::string& end) { return name.ends_with(end); });
      const bool plain = fs::is_regular_file(at->symlink_status(bad));
      if (fits && plain && at->file_size(bad) <= longest_table) found.push_back(at->path());
    }
  if (found.empty()) return {};
  return read_file(*std::min_element(found.begin(), found.end())).value_or(std::string());
}

}  // namespace

Verdict DriverRun::verdict() const {
  using End = ChildOutcome::End;
  switch (outcome.end) {
    case End::helper_lost:
    case End::not_started:
    case End::cancelled:
      return Verdict::lost;
    case End::deadline:
      return Verdict::run_timeout;
    case End::memory:
    case End::output_limit:
    case End::signalled:
      return Verdict::run_failed;
    case End::exited:
      break;
  }
  if (!report) return no_room ? Verdict::lost : Verdict::run_failed;
  if (report->fault == DriverFault::driver || report->fault == DriverFault::peer) return Verdict::lost;
  if (!report->error.empty() || !report->ended || outcome.exit_code != 0) return Verdict::run_failed;
  return Verdict::ok;
}

std::string DriverRun::message() const {
  if (outcome.end == ChildOutcome::End::exited && report && !report->error.empty()) return report->error;
  if (outcome.end == ChildOutcome::End::exited && !report)
    return "the process " + describe(outcome) + " and left no complete result (" +
           (no_room ? "the scratch folder is full" : report.error().text()) + ")";
  return "the process " + describe(outcome);
}

Result<DriverRunner::Launch> DriverRunner::make_launch(const fs::path& driver, const fs::path& plugin,
                                                       DriverWork work, const DriverLimits& limits) {
  Result<ScratchFolder> folder = ScratchFolder::make("run", scratch_);
  if (!folder) return Failure(folder.error());
  Launch launch{{}, {}, {}, {}, limits.tool.table_ends, random_u64(), std::move(*folder)};
  const fs::path report_file = launch.folder.path() / "report",
                 command_file = launch.folder.path() / "command";
  launch.report = Descriptor(::open(report_file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!launch.report) return fail("cannot make " + report_file.string(), errno_text(errno));
  ::unlink(report_file.c_str());
  DriverCommand command;
  command.plugin = plugin.string();
  command.report_fd = report_number;
  command.nonce = launch.nonce;
  command.work = std::move(work);
  if (Result<void> written = write_file(command_file, render_command(command)); !written)
    return Failure(written.error());
  for (const auto& [name, text] : limits.tool.files)
    if (Result<void> written = write_file(launch.folder.path() / name, text); !written)
      return Failure(written.error());
  ChildRequest& request = launch.request;
  request.argv = limits.tool.command;
  request.argv.insert(request.argv.end(), {driver.string(), command_file.string()});
  request.working_folder = launch.folder.path().string();
  request.environment = driver_environment(limits, launch.folder.path());
  request.deadline_s = limits.seconds;
  request.memory_bytes = static_cast<long long>(limits.memory_bytes);
  request.reserves_memory = limits.reserves_memory;
  request.output_bytes = static_cast<long long>(limits.output_bytes);
  request.file_bytes = report_room(command.work);
  request.folder_bytes = limits.tool.table_ends.empty() ? 1 << 20 : tool_folder_bytes;  // no driver's own
  request.folder_files = 100;
  std::vector<std::string> readable = data_files(command.work);
  readable.insert(readable.end(), {driver.string(), plugin.string()});
  const fs::path& room = launch.folder.path();
  if (limits.tool.command.empty())
    request.confinement = rules_.for_candidate(room, std::move(readable));
  else if (limits.tool.confined)
    request.confinement = rules_.for_profiled(room, std::move(readable), limits.tool.folders);
  request.cpus = limits.cpus;
  request.descriptors = {{launch.report.get(), report_number}};
  return launch;
}

Task<DriverRun> DriverRunner::finish(std::shared_ptr<Launch> launch, ChildOutcome outcome) {
  auto parse = [launch, outcome = std::move(outcome)]() mutable {
    DriverRun run;
    run.outcome = std::move(outcome);
    Result<std::string> bytes = read_descriptor(launch->report.get());
    run.bytes = std::make_shared<const std::string>(bytes ? std::move(*bytes) : std::string());
    run.report = parse_report(*run.bytes, launch->nonce);
    run.no_room = !run.report && scratch_is_full(launch->folder.path());  // which its report still fills
    run.table = table_in(launch->folder.path(), launch->table_ends);
    return run;
  };
  DriverRun run = co_await in_thread(threads_, std::move(parse));
  co_return run;
}

Task<Result<void>> DriverRunner::hand_over(std::shared_ptr<Launch> launch,
                                           std::vector<std::string_view> outputs) {
  auto writing = [launch, outputs = std::move(outputs)] {
    return outputs_file(launch->folder.path(), outputs);
  };
  Result<Descriptor> file = co_await in_thread(threads_, writing);
  if (!file) co_return Result<void>(Failure(file.error()));
  launch->outputs = std::move(*file);
  launch->request.descriptors.emplace_back(launch->outputs.get(), outputs_number);
  co_return Result<void>();
}

Task<DriverRun> DriverRunner::run(fs::path driver, fs::path plugin, DriverWork work, DriverLimits limits) {
  DriverRun failed;
  JudgeRun* judging = std::get_if<JudgeRun>(&work);
  std::vector<std::string_view> outputs;
  if (judging) {
    outputs = judging->outputs;
    judging->outputs_fd = outputs_number;
  }
  const bool hands_over = judging != nullptr;
  Result<Launch> made = make_launch(driver, plugin, std::move(work), limits);
  if (!made) {
    failed.outcome.reason = made.error().text();
    co_return failed;
  }
  auto launch = std::make_shared<Launch>(std::move(*made));
  if (hands_over) {
    const Result<void> handed = co_await hand_over(launch, std::move(outputs));
    if (!handed) {
      failed.outcome.reason = handed.error().text();
      co_return failed;
    }
  }
  ChildRequest request = launch->request;
  ChildOutcome outcome = co_await helper_.run(std::move(request));
  DriverRun done = co_await finish(launch, std::move(outcome));
  co_return done;
}

}  // namespace noctune
