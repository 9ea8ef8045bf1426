#include "integration/application_run.hpp"

#include <algorithm>

#include "integration/kernel_time.hpp"

namespace noctune {
namespace {

using End = ChildOutcome::End;

// A run may print much, and start many ranks and threads.
constexpr long long most_output = 16 << 20;
constexpr int most_processes = 1 << 16;
constexpr std::size_t tail_bytes = 300;
constexpr double profiling_factor = 3, profiling_s = 120;  // how much longer a run may take then

std::string last_words(const std::string& output) {
  std::string tail = output.substr(output.size() - std::min(output.size(), tail_bytes));
  while (!tail.empty() && tail.back() == '\n') tail.pop_back();
  for (char& c : tail)
    if (c == '\n') c = '|';
  return tail.empty() ? "it printed nothing" : "its output ends: " + tail;
}

// What was wrong with a command, or nothing.
std::string complaint(const std::string& what, const ChildOutcome& outcome) {
  if (outcome.clean()) return "";
  const std::string missing =
      outcome.end == End::exited && outcome.exit_code == 127 ? " (command not found)" : "";
  return what + " " + describe(outcome) + missing + "; " + last_words(outcome.output);
}

bool is_ours(const ChildOutcome& outcome) {
  return outcome.end == End::helper_lost || outcome.end == End::not_started || outcome.end == End::cancelled;
}

}  // namespace

Task<ChildOutcome> ApplicationRun::command(std::string text, double deadline_s, std::string flags) {
  ChildRequest request;
  request.argv = {"/bin/sh", "-c", std::move(text)};
  request.working_folder = folder_.string();
  std::vector<std::string> extra = {"NOCTUNE_FLAGS=" + flags};
  request.environment = application_environment(std::move(extra));
  request.deadline_s = deadline_s;
  request.grace_s = 2;
  request.processes = most_processes;
  request.output_bytes = most_output;
  ChildOutcome outcome = co_await helper_.run(std::move(request));
  co_return outcome;
}

std::string ApplicationRun::run_command() const {
  return config_.launch.empty() ? config_.run : config_.launch + " " + config_.run;
}

Task<StepOutcome> ApplicationRun::build(std::string flags) {
  StepOutcome out;
  const ChildOutcome built = co_await command(config_.build, config_.build_s, std::move(flags));
  out.output = built.output;
  out.reason = complaint("the build", built);
  if (!out.reason.empty()) out.verdict = is_ours(built) ? StepVerdict::lost : StepVerdict::build_failed;
  co_return out;
}

Task<StepOutcome> ApplicationRun::run(double run_s) {
  StepOutcome out;
  const ChildOutcome ran = co_await command(run_command(), run_s > 0 ? run_s : config_.run_s);
  out.output = ran.output;
  out.seconds = ran.seconds;
  out.reason = complaint("the run", ran);
  if (!out.reason.empty()) {
    out.verdict = is_ours(ran)               ? StepVerdict::lost
                  : ran.end == End::deadline ? StepVerdict::run_timeout
                                             : StepVerdict::run_failed;
    co_return out;
  }
  if (!config_.verify.empty()) {
    const ChildOutcome verified = co_await command(config_.verify, config_.run_s);
    out.reason = complaint("the verify command", verified);
    if (!out.reason.empty()) {
      out.verdict = is_ours(verified) ? StepVerdict::lost : StepVerdict::not_verified;
      co_return out;
    }
  }
  const RunTraces traces{out.seconds, out.output, folder_};
  const Result<double> metric = read_metric(config_.metric, traces);
  if (metric) {
    out.metric = *metric;
  } else {
    out.verdict = StepVerdict::no_metric;
    out.reason = metric.error().text();
  }
  co_return out;
}

Task<FunctionProfile> ApplicationRun::profile(std::string backend) {
  FunctionProfile out;
  for (const KernelProfiler& one : kernel_profilers(backend, run_command(), folder_.string() + ".profile")) {
    const ChildOutcome there = co_await command("command -v " + one.program, profiling_s);
    if (!there.clean()) continue;
    out.profiler = one.program;
    const ChildOutcome ran = co_await command(one.record, profiling_factor * config_.run_s + profiling_s);
    out.reason = complaint("the run under " + one.program, ran);
    if (!out.reason.empty()) co_return out;
    const ChildOutcome listed = co_await command(one.list, profiling_s);
    out.reason = complaint("the list of " + one.program, listed);
    out.seconds = function_seconds(listed.output);
    co_return out;
  }
  out.reason = "no profiler for this backend is in PATH";
  co_return out;
}

}  // namespace noctune
