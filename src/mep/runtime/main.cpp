// driver <command file>: does what the file asks and writes framed results to the descriptor it names.
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <deque>

#include "clock.hpp"
#include "modes.hpp"

namespace noctune {
namespace {

void validate(const Command& command, Report& report) {
  std::string wrong;
  for (const Check& check : command.checks)
    if (check.case_index >= command.cases.size()) wrong = "a check names a case that is not there";
  for (const Probe& probe : command.probes)
    if (probe.case_index >= command.cases.size()) wrong = "a probe names a case that is not there";
  for (const Timing& timing : command.timings) {
    const char other = timing.side == 'a' ? 'b' : 'a';
    if (timing.side != 'a' && timing.side != 'b') wrong = "the side must be a or b";
    if (timing.schedule.find_first_not_of("ab") != std::string::npos)
      wrong = "the schedule has letters other than a and b";
    if (timing.token_in < 0 && timing.schedule.find(other) != std::string::npos)
      wrong = "the schedule has turns of a peer, but no token pipes are given";
    if (timing.batch < 1 || command.cases.empty()) wrong = "timing needs a case and a batch of at least 1";
  }
  if (command.outputs_fd >= 0 && !(command.probes.empty() && command.timings.empty()))
    wrong = "a driver that judges outputs can do nothing else";
  if (!wrong.empty()) report.refuse(Fault::driver, wrong);
}

// Threads beyond the first; -1 where /proc does not say.
long long other_threads() {
  DIR* tasks = opendir("/proc/self/task");
  if (!tasks) return -1;
  long long threads = 0;
  while (const dirent* entry = readdir(tasks)) threads += entry->d_name[0] != '.';
  closedir(tasks);
  return threads - 1;
}

// Threads beyond the first once the OpenMP team is let go. Those of the team take a moment to end.
long long leftover_threads(const Team& team) {
  if (NOCTUNE_GPU || !team.rest()) return -1;  // a GPU's run time has threads of its own
  const timespec start = now(), pause{0, 500000};
  long long threads = other_threads();
  while (threads > 0 && seconds_since(start) < 1) {
    nanosleep(&pause, nullptr);
    threads = other_threads();
  }
  return threads;
}

void work(const Command& command, Report& report, const timespec& started) {
  const Team team;
  team.wake();
  validate(command, report);
  const Device device(report);
  std::deque<Turns> turns;
  for (const Timing& timing : command.timings) {
    turns.emplace_back(timing, team, report);
    if (timing.opening_fd >= 0) close(timing.opening_fd);
  }
  if (!turns.empty()) turns.front().take();
  const bool judging = command.outputs_fd >= 0;
  const Plugin plugin = load_plugin(command.plugin, judging ? Loads::check : Loads::version, team, report);
  Payload hello;
  hello.count(wire_version).text(entry_name).count(static_cast<std::uint64_t>(team.size()));
  hello.number(plugin.load_seconds).flag(plugin.arithmetic_changed);
  report.frame(FrameType::hello, hello);
  device.describe(report);
  blame_plugin();
  Driver driver{command, plugin, team, device, report, started};
  judging ? run_judge(driver) : run_checks(driver);
  for (const Probe& probe : command.probes) run_probe(driver, probe);
  for (std::size_t i = 0; i < turns.size(); ++i) run_timing(driver, command.timings[i], turns[i]);
  const bool changed = team.arithmetic_was_changed();
  report.end(leftover_threads(team), changed);
}

}  // namespace
}  // namespace noctune

int main(int argc, char** argv) {
  using namespace noctune;
  const timespec started = now();
  if (argc != 2) {
    fprintf(stderr, "usage: %s <command file>\n", argv[0]);
    return 2;
  }
  Command command;
  std::string reason;
  const bool understood = read_command(argv[1], command, reason);
  unlink(argv[1]);  // it holds the nonce and the seeds; the plugin must not read them
  if (command.report_fd < 0) {
    fprintf(stderr, "driver: %s\n", understood ? "the command names no report descriptor" : reason.c_str());
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  Report report(command.report_fd, command.nonce);
  if (!understood) report.refuse(Fault::driver, reason);
  watch_fences(report);
  work(command, report, started);
}
