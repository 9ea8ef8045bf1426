// The loop waits for: the child's end (SIGCHLD), its output, the end of the rank (hang-up of the control
// socket), a word from the helper or its death (SIGTERM, also as parent-death signal), the deadline, and the
// next look at the tree. It ends with the child or with a verdict against it; then whatever is left of the
// tree is killed.
#include "sandbox/warden.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>

#include "base/clock.hpp"
#include "base/sandbox_protocol.hpp"
#include "sandbox/child.hpp"
#include "sandbox/folder_use.hpp"
#include "sandbox/reaper.hpp"

namespace noctune {
namespace {

using End = ChildOutcome::End;

class Warden {
 public:
  explicit Warden(WardenTask task) : task_(std::move(task)), request_(task_.request) {}

  // The outcome, or nothing where nobody is left to hear it.
  ChildOutcome supervise();
  bool heard() const { return !unheard_; }

 private:
  bool launch();
  void loop();
  void wait_for_events();
  double next_wake() const;
  void read_signals();
  void reap();
  void read_output();
  void check_start();
  void look_around();
  void look_at_tree();
  void look_at_folder();
  void check_deadline();
  void clear_tree();
  void conclude();
  void verdict(End end, std::string reason = {});

  WardenTask task_;
  const ChildRequest& request_;
  ProcessTree tree_;
  Reaper reaper_;
  ChildOutcome outcome_;
  Descriptor output_, start_;
  pid_t child_ = -1;
  double started_ = 0, term_at_ = 0, kill_at_ = 0, look_at_ = 0;
  bool watches_ = false, asked_to_end_ = false, judged_ = false, unheard_ = false;
};

bool Warden::launch() {
  int output[2], start[2];
  if (::pipe2(output, O_CLOEXEC) != 0 || ::pipe2(start, O_CLOEXEC) != 0) {
    verdict(End::not_started, "cannot make a pipe: " + errno_text(errno));
    return false;
  }
  const Descriptor output_end(output[1]), start_end(start[1]);
  output_ = Descriptor(output[0]);
  start_ = Descriptor(start[0]);
  ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(start_.get(), F_SETFL, O_NONBLOCK);
  ChildFiles files{output_end.get(), start_end.get(), {}};
  for (const Descriptor& fd : task_.passed) files.passed.push_back(fd.get());
  started_ = steady_seconds();
  const pid_t self = ::getpid();
  child_ = ::fork();
  if (child_ == 0) become_child(request_, files, self);
  if (child_ < 0) verdict(End::not_started, "cannot fork: " + errno_text(errno));
  ::setpgid(child_, child_);  // in both, so that neither has to wait for the other
  task_.passed.clear();       // or readers of the other ends would never see their end
  return child_ > 0;
}

void Warden::verdict(End end, std::string reason) {
  if (judged_) return;  // the first cause counts
  judged_ = true;
  outcome_.end = end;
  if (!reason.empty()) outcome_.reason = std::move(reason);
}

double Warden::next_wake() const {
  double wake = asked_to_end_ ? kill_at_ : term_at_;
  if (watches_) wake = std::min(wake, look_at_);
  return wake;
}

void Warden::wait_for_events() {
  std::array<pollfd, 4> events{{{task_.signals, POLLIN, 0},
                                {output_.get(), POLLIN, 0},
                                {start_.get(), POLLIN, 0},
                                {task_.control, 0, 0}}};  // only its hang-up
  const double wait_ms = std::ceil((next_wake() - steady_seconds()) * 1000);
  if (::poll(events.data(), events.size(), static_cast<int>(std::clamp(wait_ms, 0.0, 1e9))) <= 0) return;
  if (events[3].revents & (POLLHUP | POLLERR)) {
    unheard_ = true;
    verdict(End::cancelled);
  }
  if (events[0].revents) read_signals();
  if (events[1].revents) read_output();
  if (events[2].revents) check_start();
}

// A signal tells who sent it, unless it was forged by sigqueue: then its code is not SI_USER.
void Warden::read_signals() {
  signalfd_siginfo info{};
  while (::read(task_.signals, &info, sizeof info) == sizeof info) {
    if (::getppid() != task_.helper) {
      unheard_ = true;  // the rank learns it from the socket, which hangs up when the last of us is done
      verdict(End::cancelled);
    } else if (info.ssi_signo == SIGTERM && info.ssi_code == SI_USER &&
               info.ssi_pid == static_cast<std::uint32_t>(task_.helper))
      verdict(End::cancelled);
  }
}

void Warden::reap() {
  reaper_.reap();
  reaper_.take_stopped();  // the deadline will end those, too
  if (const auto status = reaper_.status_of(child_)) {
    outcome_.seconds = steady_seconds() - started_;
    if (WIFEXITED(*status)) outcome_.exit_code = WEXITSTATUS(*status);
    if (WIFSIGNALED(*status)) outcome_.signal = WTERMSIG(*status);
  }
}

void Warden::read_output() {
  char block[65536];
  for (int turn = 0; turn < 64 && output_; ++turn) {
    const ssize_t n = ::read(output_.get(), block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return output_.reset();
    const auto room = static_cast<std::size_t>(request_.output_bytes) - outcome_.output.size();
    outcome_.output.append(block, std::min(room, static_cast<std::size_t>(n)));
    if (static_cast<std::size_t>(n) > room) {
      verdict(End::output_limit);
      return output_.reset();  // the flood meets a closed pipe
    }
  }
}

void Warden::check_start() {
  char words[4096];
  const ssize_t n = ::read(start_.get(), words, sizeof words);
  if (n < 0) return;
  if (n > 0) verdict(End::not_started, std::string(words, static_cast<std::size_t>(n)));
  start_.reset();
  if (n > 0) return;
  // It executes now. Where memory runs out, the kernel shall take it and not a rank.
  static_cast<void>(write_file("/proc/" + std::to_string(child_) + "/oom_score_adj", "900"));
}

// The kernel limits single files only. What was written between two looks stays until the folder is removed.
void Warden::look_at_folder() {
  if (request_.folder_bytes <= 0 && request_.folder_files <= 0) return;
  const FolderUse use = folder_use(request_.working_folder, request_.folder_files);
  const bool large = request_.folder_bytes > 0 && use.bytes > request_.folder_bytes;
  const bool many = request_.folder_files > 0 && use.entries > request_.folder_files;
  if (!large && !many) return;
  outcome_.signal = SIGKILL;
  verdict(
      End::signalled,
      large ? "it wrote more than " + std::to_string(request_.folder_bytes / 1000000) + " MB into its folder"
            : "it made more than " + std::to_string(request_.folder_files) + " files in its folder");
}

// Each look costs what it costs; the pause grows with it, so that looking never takes more than a twentieth.
void Warden::look_around() {
  const double before = steady_seconds();
  if (!watches_ || before < look_at_) return;
  look_at_tree();
  look_at_folder();
  const double after = steady_seconds();
  look_at_ = after + std::max(0.02, 20 * (after - before));
}

void Warden::look_at_tree() {
  if (request_.memory_bytes <= 0 && ::geteuid() != 0) return;
  long long bytes = 0;
  long tasks = 0;
  for (const ProcessFacts& process : tree_.descendants(::getpid())) {
    bytes += process.resident_bytes;
    tasks += process.threads;
  }
  outcome_.peak_bytes = std::max(outcome_.peak_bytes, bytes);
  if (request_.memory_bytes > 0 && bytes > request_.memory_bytes) verdict(End::memory);
  if (tasks - 1 > request_.processes) {
    outcome_.signal = SIGKILL;
    verdict(End::signalled,
            "it started more than " + std::to_string(request_.processes) + " processes and threads");
  }
}

void Warden::check_deadline() {
  const double now = steady_seconds();
  if (!asked_to_end_ && now >= term_at_) {
    asked_to_end_ = true;
    kill_at_ = now + request_.grace_s;
    ::kill(-child_, SIGTERM);
    ::kill(-child_, SIGCONT);  // a stopped process hears nothing
  }
  if (asked_to_end_ && now >= kill_at_) verdict(End::deadline);
}

void Warden::loop() {
  term_at_ = started_ + request_.deadline_s;
  look_at_ = started_ + 0.01;
  watches_ = request_.memory_bytes > 0 || request_.folder_bytes > 0 || request_.folder_files > 0 ||
             ::geteuid() == 0;  // root is exempt from the kernel's process limit
  while (!judged_ && !reaper_.status_of(child_)) {
    wait_for_events();
    reap();
    look_around();
    check_deadline();
  }
}

void Warden::clear_tree() {
  const bool ended_alone = reaper_.status_of(child_).has_value();
  if (!ended_alone) ::kill(-child_, SIGKILL);  // at one blow, before counting heads
  const bool left = reaper_.has_children();
  outcome_.left_processes = ended_alone && left;
  const double give_up_at = steady_seconds() + 10;
  while (reaper_.has_children() && steady_seconds() < give_up_at) {
    kill_round(tree_, ::getpid(), {});
    reaper_.wait(0.002);
    reap();
  }
  if (reaper_.has_children()) outcome_.reason = "something of it could not be killed within 10 s";
}

void Warden::conclude() {
  check_start();
  read_output();
  outcome_.cpu_seconds = reaper_.cpu_seconds();
  outcome_.peak_bytes = std::max(outcome_.peak_bytes, reaper_.largest_bytes());
  if (outcome_.seconds == 0) outcome_.seconds = steady_seconds() - started_;
  if (judged_) return;
  if (asked_to_end_) return verdict(End::deadline);
  look_at_folder();  // at what it did since the last look
  if (judged_) return;
  verdict(outcome_.signal ? End::signalled : End::exited);
  if (outcome_.signal == SIGTERM) outcome_.reason = "the signal did not come from Noctune";
}

ChildOutcome Warden::supervise() {
  if (!launch()) return outcome_;
  loop();
  clear_tree();
  conclude();
  return std::move(outcome_);
}

bool deliver(const WardenTask& task, const ChildOutcome& outcome) {
  SandboxPacket packet{SandboxMessage::outcome, task.job, {}};
  return add_body(packet, encode(outcome)) && send_packet(task.control, packet, 0) == 0;
}

}  // namespace

void run_warden(WardenTask task) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (::getppid() != task.helper) ::_exit(static_cast<int>(WardenExit::not_delivered));
  WardenTask address{task.job, {}, {}, task.control, task.signals, task.helper};
  Warden warden(std::move(task));
  const ChildOutcome outcome = warden.supervise();
  const bool done = !warden.heard() || deliver(address, outcome);
  ::_exit(static_cast<int>(done ? WardenExit::delivered : WardenExit::not_delivered));
}

}  // namespace noctune
