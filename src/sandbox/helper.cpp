// Why every job has a warden: orphans must be told apart when several jobs run at once. A daemon that forks
// twice and leaves its session has lost every mark that another process could not have, but it cannot leave
// the subtree of the nearest child subreaper above it. So each job gets a small process of its own that is
// one; the job's tree is exactly what descends from it, and one waitpid that knows of no child proves that
// the tree is gone.
//
// The helper is a subreaper too: should hostile code kill its warden, which it can as the same user, the
// orphans come here, are recognised as the children that are no wardens, and are killed; only that job is
// lost. A warden ends its tree when the helper dies (parent-death signal) or the rank does (hang-up of the
// control socket, which it holds too). The helper continues wardens that were stopped and kills those that
// hang; the rank does so with a hanging helper.
#include "sandbox/helper.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <limits>
#include <set>

#include "base/clock.hpp"
#include "sandbox/restrict.hpp"
#include "sandbox/warden.hpp"

namespace noctune {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double warden_margin_s = 20;  // a warden gives up on killing after 10 s
constexpr double sweep_limit_s = 10;

// One descriptor for the children's deaths and the helper's word. All other signals stay blocked: what a
// batch system sends to the whole job is the rank's to decide upon.
Descriptor block_signals() {
  sigset_t all, wanted;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  ::sigemptyset(&wanted);
  ::sigaddset(&wanted, SIGCHLD);
  ::sigaddset(&wanted, SIGTERM);
  return Descriptor(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
}

void allow_many_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::string fault_of(const ChildRequest& request, std::size_t passed) {
  if (request.argv.empty() || request.argv.front().empty()) return "the request names no program";
  if (!(request.deadline_s > 0 && request.deadline_s < 1e9)) return "the request has no usable deadline";
  if (!(request.grace_s >= 0 && request.grace_s < 1e6)) return "the request has no usable grace period";
  if (request.output_bytes < 0 || request.output_bytes > (1LL << 32))
    return "the output limit makes no sense";
  if (request.memory_bytes < 0 || request.file_bytes < 0 || request.processes < 0 ||
      request.folder_bytes < 0 || request.folder_files < 0)
    return "a limit is negative";
  if (request.descriptors.size() != passed) return "descriptors got lost on the way";
  for (int cpu : request.cpus)
    if (cpu < 0 || cpu >= 65536) return "there is no processor " + std::to_string(cpu);
  std::set<int> numbers;
  for (const auto& [fd, number] : request.descriptors)
    if (number < 3 || number > 999 || !numbers.insert(number).second)
      return "descriptor number " + std::to_string(number) + " is taken twice or not within 3 to 999";
  return {};
}

}  // namespace

Helper::Helper(Descriptor control) : control_(std::move(control)), signals_(block_signals()) {
  ::setsid();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  allow_many_descriptors();
}

void Helper::serve() {
  SandboxPacket hello{SandboxMessage::hello, static_cast<std::uint64_t>(::getpid()), {}};
  if (add_body(hello, encode(find_support()))) waiting_.push_back(std::move(hello));
  send_waiting();
  while (!rank_gone_) {
    wait_for_events();
    reap();
    kill_overdue();
    sweep();
    send_waiting();
  }
  shut_down();
}

double Helper::next_wake() const {
  double wake = lost_.empty() ? never : steady_seconds() + 0.002;
  for (const auto& [warden, job] : jobs_) wake = std::min(wake, job.kill_at);
  return wake;
}

void Helper::wait_for_events() {
  const short sending = waiting_.empty() ? 0 : POLLOUT;
  std::array<pollfd, 2> events{
      {{control_.get(), static_cast<short>(POLLIN | sending), 0}, {signals_.get(), POLLIN, 0}}};
  const double wake = next_wake();
  const double wait_ms =
      wake == never ? -1 : std::clamp(std::ceil((wake - steady_seconds()) * 1000), 0.0, 1e9);
  if (::poll(events.data(), events.size(), static_cast<int>(wait_ms)) <= 0) return;
  signalfd_siginfo ignored{};
  while (::read(signals_.get(), &ignored, sizeof ignored) == sizeof ignored) {
  }
  if (events[0].revents & ~POLLOUT) receive();
}

void Helper::receive() {
  for (;;) {
    SandboxPacket packet;
    const Receive got = receive_packet(control_.get(), packet);
    if (got == Receive::nothing) return;
    if (got == Receive::closed) {
      rank_gone_ = true;
      return;
    }
    if (got == Receive::broken)
      refuse(packet.job, "its descriptors got lost on the way: too many are open");
    else if (packet.kind == SandboxMessage::run)
      start(std::move(packet));
    else if (packet.kind == SandboxMessage::cancel)
      cancel(packet.job);
    else if (packet.kind == SandboxMessage::cancel_all)
      cancel_all();
  }
}

void Helper::start(SandboxPacket packet) {
  const Result<std::string> body = take_body(packet);
  Result<ChildRequest> request = body ? decode_request(*body) : Result<ChildRequest>(Failure(body.error()));
  if (!request) return refuse(packet.job, request.error().text());
  const std::string fault = fault_of(*request, packet.descriptors.size());
  if (!fault.empty()) return refuse(packet.job, fault);
  start_warden(packet.job, std::move(*request), std::move(packet.descriptors));
}

void Helper::start_warden(std::uint64_t job, ChildRequest request, std::vector<Descriptor> passed) {
  const double kill_at = steady_seconds() + request.deadline_s + request.grace_s + warden_margin_s;
  const pid_t self = ::getpid();
  const pid_t warden = ::fork();
  if (warden == 0)
    run_warden({job, std::move(request), std::move(passed), control_.get(), signals_.get(), self});
  if (warden < 0) return refuse(job, "cannot fork: " + errno_text(errno));
  jobs_[warden] = {job, kill_at};
}

void Helper::cancel(std::uint64_t job) {
  for (const auto& [warden, facts] : jobs_)
    if (facts.id == job) ::kill(warden, SIGTERM);
}

void Helper::cancel_all() {
  for (const auto& [warden, job] : jobs_) ::kill(warden, SIGTERM);
}

void Helper::reap() {
  reaper_.reap();
  for (pid_t pid : reaper_.take_stopped())
    if (jobs_.contains(pid)) ::kill(pid, SIGCONT);  // a deadline must not stop with its keeper
  for (const auto& [pid, status] : reaper_.take_statuses()) {
    const auto found = jobs_.find(pid);
    if (found == jobs_.end()) continue;  // an orphan
    const bool delivered =
        WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(WardenExit::delivered);
    if (!delivered) lose(found->second, status);
    jobs_.erase(found);
  }
}

// Its outcome is given when its tree is gone: see sweep().
void Helper::lose(const Job& job, int status) {
  ChildOutcome outcome;
  outcome.end = ChildOutcome::End::helper_lost;
  outcome.reason = job.overdue ? "its supervisor did not answer and was killed" : "its supervisor failed";
  if (!job.overdue && WIFSIGNALED(status)) {
    outcome.end = ChildOutcome::End::signalled;
    outcome.signal = WTERMSIG(status);
    outcome.reason = "its supervisor was killed too, most likely by itself";
  }
  quiet_rounds_ = 0;
  lost_.push_back({job.id, std::move(outcome), steady_seconds() + sweep_limit_s});
}

// A warden that hangs or starves. Its tree then comes to us.
void Helper::kill_overdue() {
  const double now = steady_seconds();
  for (auto& [warden, job] : jobs_) {
    if (now < job.kill_at) continue;
    job.overdue = true;
    job.kill_at = now + 1;
    ::kill(warden, SIGKILL);
  }
}

std::vector<pid_t> Helper::wardens() const {
  std::vector<pid_t> out;
  for (const auto& [warden, job] : jobs_) out.push_back(warden);
  return out;
}

// A snapshot can miss a process whose parent dies while it is taken, so one that shows nobody is no proof
// yet.
void Helper::sweep() {
  if (lost_.empty()) return;
  const std::size_t alive = kill_round(tree_, ::getpid(), wardens());
  quiet_rounds_ = alive > 0 ? 0 : quiet_rounds_ + 1;
  const double now = steady_seconds();
  for (Lost& lost : lost_) lost.outcome.left_processes |= alive > 0;
  std::erase_if(lost_, [&](Lost& lost) {
    if (quiet_rounds_ < 4 && now < lost.answer_at) return false;
    answer(lost.id, lost.outcome);
    return true;
  });
}

void Helper::refuse(std::uint64_t job, std::string reason) {
  ChildOutcome outcome;
  outcome.reason = std::move(reason);
  answer(job, outcome);
}

void Helper::answer(std::uint64_t job, const ChildOutcome& outcome) {
  SandboxPacket packet{SandboxMessage::outcome, job, {}};
  if (add_body(packet, encode(outcome))) waiting_.push_back(std::move(packet));
}

void Helper::send_waiting() {
  while (!waiting_.empty()) {
    const int error = send_packet(control_.get(), waiting_.front(), MSG_DONTWAIT);
    if (error == EAGAIN || error == EWOULDBLOCK) return;
    waiting_.erase(waiting_.begin());  // sent, or the rank has gone: the next receive will tell
  }
}

// Wardens see the rank's end for themselves; the first round only makes sure.
void Helper::shut_down() {
  const double began = steady_seconds();
  cancel_all();
  for (double now = began; reaper_.has_children() && now < began + 2 * sweep_limit_s;
       now = steady_seconds()) {
    const bool patient = !jobs_.empty() && now < began + sweep_limit_s;
    kill_round(tree_, ::getpid(), patient ? wardens() : std::vector<pid_t>{});
    reaper_.wait(0.005);
    reap();
  }
}

}  // namespace noctune
