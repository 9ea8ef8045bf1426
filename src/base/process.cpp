// Every request is a job with a number. run() sends it and sleeps on a timer that is also the watchdog: an
// outcome cancels the timer, and a timer that runs out means that the helper hangs. Packets that the socket
// has no room for wait in a queue. The wait handlers own the stream, so it goes with the io_context even
// where that goes first; and there is one only while jobs run, so an idle helper does not keep
// io_context::run() from returning.
#include "base/process.hpp"

#include <fcntl.h>

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <cerrno>
#include <chrono>
#include <deque>
#include <map>
#include <optional>

#include "base/process_spawn.hpp"
#include "base/sandbox_protocol.hpp"

namespace noctune {
namespace {

using End = ChildOutcome::End;

constexpr double watchdog_margin_s = 45;  // the helper's own margins add up to 30 s

ChildOutcome unlucky(End end, std::string reason) {
  ChildOutcome outcome;
  outcome.end = end;
  outcome.reason = std::move(reason);
  return outcome;
}

std::chrono::steady_clock::duration longest_wait(const ChildRequest& request) {
  const double asked =
      request.deadline_s + request.grace_s;  // or no number at all: then the helper refuses it
  const double seconds = watchdog_margin_s + (asked > 0 ? std::min(asked, 1e8) : 0);
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

Result<SandboxPacket> pack(std::uint64_t job, const ChildRequest& request) {
  SandboxPacket packet{SandboxMessage::run, job, {}};
  if (auto done = add_body(packet, encode(request)); !done) return Failure(done.error());
  for (const auto& [fd, number] : request.descriptors) {
    packet.descriptors.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, 3));  // the caller may close its own
    if (!packet.descriptors.back())
      return fail("cannot pass on descriptor " + std::to_string(fd), errno_text(errno));
  }
  return packet;
}

struct Link {
  Link(asio::io_context& io, int fd) : stream(io, fd) {}
  asio::posix::stream_descriptor stream;
  bool listening = false, flushing = false;
};

}  // namespace

class ProcessHelper::Client : public std::enable_shared_from_this<Client> {
 public:
  Client(std::string path, SpawnedHelper helper, SandboxSupport support)
      : path_(std::move(path)), helper_(std::move(helper)), support_(support) {}

  void attach(asio::io_context& io) { io_ = &io; }
  static asio::awaitable<ChildOutcome> run(std::shared_ptr<Client> self, ChildRequest request);
  void send(SandboxMessage kind, std::uint64_t job);
  void stop();
  int pid() const { return helper_.pid; }
  std::size_t running() const { return pending_.size(); }
  const SandboxSupport& support() const { return support_; }

 private:
  // One job in flight; lives in the frame of its coroutine.
  class Pending {
   public:
    Pending(Client& client, const asio::any_io_executor& executor)
        : timer(executor), job(++client.last_job_), client_(client) {
      client.pending_[job] = this;
    }
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;
    ~Pending() { client_.pending_.erase(job); }
    void resolve(ChildOutcome with) {
      outcome = std::move(with);
      timer.cancel();
    }

    asio::steady_timer timer;
    const std::uint64_t job;
    std::optional<ChildOutcome> outcome = {};

   private:
    Client& client_;
  };

  bool ready(std::string& trouble);
  void submit(Pending& pending, const ChildRequest& request);
  std::shared_ptr<Link> link();
  bool waits() const;
  void listen();
  void read_all();
  void take_outcome(SandboxPacket packet);
  void flush();
  void flush_later();
  void lose(const std::string& why, double patience_s);
  void close_link();

  std::string path_;
  SpawnedHelper helper_;
  SandboxSupport support_;
  asio::io_context* io_ = nullptr;
  std::weak_ptr<Link> link_;
  std::deque<SandboxPacket> queue_;
  std::map<std::uint64_t, Pending*> pending_;
  std::uint64_t last_job_ = 0;
  std::string restart_note_;  // why there is no helper, then told with the first outcome of the next
};

std::shared_ptr<Link> ProcessHelper::Client::link() {
  std::shared_ptr<Link> link = link_.lock();
  if (link) return link;
  link = std::make_shared<Link>(*io_, ::fcntl(helper_.socket.get(), F_DUPFD_CLOEXEC, 3));
  link_ = link;
  return link;
}

bool ProcessHelper::Client::waits() const {
  return std::any_of(pending_.begin(), pending_.end(),
                     [](const auto& item) { return !item.second->outcome; });
}

void ProcessHelper::Client::listen() {
  const std::shared_ptr<Link> link = this->link();
  if (std::exchange(link->listening, true)) return;
  link->stream.async_wait(asio::posix::stream_descriptor::wait_read,
                          [weak = weak_from_this(), link](const asio::error_code& error) {
                            link->listening = false;
                            const auto self = weak.lock();
                            if (error || !self) return;
                            self->read_all();
                            if (self->helper_.pid > 0 && self->waits()) self->listen();
                          });
}

void ProcessHelper::Client::read_all() {
  for (;;) {
    SandboxPacket packet;
    switch (receive_packet(helper_.socket.get(), packet)) {
      case Receive::nothing:
        return;
      case Receive::closed:
        return lose("", 1);
      case Receive::packet:
      case Receive::broken:
        if (packet.kind == SandboxMessage::outcome) take_outcome(std::move(packet));
    }
  }
}

void ProcessHelper::Client::take_outcome(SandboxPacket packet) {
  const auto found = pending_.find(packet.job);
  if (found == pending_.end()) return;
  const Result<std::string> body = take_body(packet);
  Result<ChildOutcome> outcome = body ? decode_outcome(*body) : Result<ChildOutcome>(Failure(body.error()));
  if (!outcome) return found->second->resolve(unlucky(End::helper_lost, outcome.error().text()));
  outcome->output = printable(outcome->output);
  outcome->reason = printable(outcome->reason);
  if (outcome->reason.empty()) outcome->reason = std::exchange(restart_note_, {});
  found->second->resolve(std::move(*outcome));
}

// A new helper where the last one was lost. Its greeting is not waited for: the socket keeps our words until
// then.
bool ProcessHelper::Client::ready(std::string& trouble) {
  if (!io_) {
    trouble = "the sandbox helper is not attached to an event loop";
    return false;
  }
  if (helper_.pid > 0) read_all();  // it may have died while nobody listened
  if (helper_.pid > 0) return true;
  Result<SpawnedHelper> fresh = spawn_helper(path_);
  if (!fresh) {
    trouble = fresh.error().text();
    return false;
  }
  helper_ = std::move(*fresh);
  return true;
}

void ProcessHelper::Client::submit(Pending& pending, const ChildRequest& request) {
  std::string trouble;
  if (!ready(trouble)) return pending.resolve(unlucky(End::helper_lost, trouble));
  Result<SandboxPacket> packet = pack(pending.job, request);
  if (!packet) return pending.resolve(unlucky(End::not_started, packet.error().text()));
  queue_.push_back(std::move(*packet));
  flush();
  listen();
}

void ProcessHelper::Client::send(SandboxMessage kind, std::uint64_t job) {
  if (!io_ || helper_.pid <= 0) return;
  queue_.push_back({kind, job, {}});
  flush();
}

void ProcessHelper::Client::flush() {
  while (!queue_.empty() && helper_.pid > 0) {
    const int error = send_packet(helper_.socket.get(), queue_.front(), MSG_DONTWAIT);
    if (error == EAGAIN || error == EWOULDBLOCK) return flush_later();
    if (error == EPIPE || error == ECONNRESET) return;  // the reader will see its end, after its last words
    const auto found = pending_.find(queue_.front().job);
    if (error != 0 && found != pending_.end())
      found->second->resolve(
          unlucky(End::helper_lost, "cannot reach the sandbox helper: " + errno_text(error)));
    queue_.pop_front();
  }
}

void ProcessHelper::Client::flush_later() {
  const std::shared_ptr<Link> link = this->link();
  if (std::exchange(link->flushing, true)) return;
  link->stream.async_wait(asio::posix::stream_descriptor::wait_write,
                          [weak = weak_from_this(), link](const asio::error_code& error) {
                            link->flushing = false;
                            const auto self = weak.lock();
                            if (self && !error) self->flush();
                          });
}

void ProcessHelper::Client::close_link() {
  asio::error_code ignored;
  if (const auto link = link_.lock()) link->stream.close(ignored);
  link_.reset();
}

void ProcessHelper::Client::lose(const std::string& why, double patience_s) {
  close_link();
  queue_.clear();
  const std::string ended = end_helper(helper_, patience_s);
  const std::string reason = "the sandbox helper " + (why.empty() ? ended : why);
  restart_note_ = reason + "; a new one was started";
  for (const auto& [job, pending] : pending_)
    if (!pending->outcome) pending->resolve(unlucky(End::helper_lost, reason));
}

void ProcessHelper::Client::stop() {
  lose("was shut down", 15);
}

asio::awaitable<ChildOutcome> ProcessHelper::Client::run(std::shared_ptr<Client> self, ChildRequest request) {
  asio::any_io_executor executor = co_await asio::this_coro::executor;
  const bool threw = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);  // a cancelled caller still has to see its tree die
  Pending pending(*self, executor);
  self->submit(pending, request);
  bool cancelled = false;
  while (!pending.outcome) {
    asio::error_code error;
    pending.timer.expires_after(longest_wait(request));
    co_await pending.timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
    if (pending.outcome) break;
    if (!error) {
      self->lose("did not answer in time and was killed", 0);
    } else if (!cancelled) {
      cancelled = true;
      self->send(SandboxMessage::cancel, pending.job);
    }
  }
  co_await asio::this_coro::throw_if_cancelled(threw);
  co_return std::move(*pending.outcome);
}

ProcessHelper::ProcessHelper(std::shared_ptr<Client> client) : client_(std::move(client)) {}
ProcessHelper::ProcessHelper(ProcessHelper&&) noexcept = default;

ProcessHelper& ProcessHelper::operator=(ProcessHelper&& other) noexcept {
  if (this != &other && client_) client_->stop();
  client_ = std::move(other.client_);
  return *this;
}

ProcessHelper::~ProcessHelper() {
  if (client_) client_->stop();
}

Result<ProcessHelper> ProcessHelper::start(const std::string& helper_path) {
  Result<SpawnedHelper> helper = spawn_helper(helper_path);
  if (!helper) return Failure(helper.error());
  const Result<SandboxSupport> hello = await_hello(*helper, 30);
  if (!hello) {
    end_helper(*helper, 1);
    return Failure(hello.error());
  }
  return ProcessHelper(std::make_shared<Client>(helper_path, std::move(*helper), *hello));
}

void ProcessHelper::attach(asio::io_context& io) {
  client_->attach(io);
}
asio::awaitable<ChildOutcome> ProcessHelper::run(ChildRequest request) {
  return Client::run(client_, std::move(request));
}
void ProcessHelper::cancel_all() {
  client_->send(SandboxMessage::cancel_all, 0);
}
int ProcessHelper::pid() const {
  return client_->pid();
}
const SandboxSupport& ProcessHelper::support() const {
  return client_->support();
}
std::size_t ProcessHelper::running() const {
  return client_->running();
}

}  // namespace noctune
