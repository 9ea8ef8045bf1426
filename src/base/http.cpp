// The thread's loop: take over what was queued, let libcurl work, hand back what has ended, end what took too
// long, sleep until a socket, a timer or a wake-up. Only this thread touches libcurl's handles; the queue and
// the two flags beside it are shared, under one mutex.
#include "base/http.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "base/async.hpp"
#include "base/clock.hpp"
#include "base/http_transfer.hpp"

namespace noctune {
namespace {

constexpr double longest_sleep_s = 1;
[[maybe_unused]] constexpr int tick_ms = 50;  // without curl_multi_wakeup

// One send(), shared by its coroutine and the thread. The coroutine's side is `signal`, `done` and
// `response`; they change in handlers posted to the io_context only.
struct Call {
  Call(asio::io_context& io, HttpRequest wanted) : request(std::move(wanted)), signal(io) {}
  HttpRequest request;
  std::atomic<bool> abandoned{false};
  Signal signal;
  bool done = false;
  HttpResponse response;
};
using CallPointer = std::shared_ptr<Call>;

struct Active {
  CallPointer call;
  std::unique_ptr<HttpTransfer> transfer;
};

HttpResponse stopped_response() {
  HttpResponse out;
  out.failure = HttpFailure::stopped;
  out.error = "stopped";
  return out;
}

void initialise_library() {
  static const CURLcode once = curl_global_init(CURL_GLOBAL_DEFAULT);
  (void)once;
}

}  // namespace

class HttpClient::Core {
 public:
  Core(asio::io_context& io, HttpOptions options) : io_(io), options_(std::move(options)) {
    initialise_library();
    open_multi();
  }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  ~Core() { curl_multi_cleanup(multi_); }

  asio::io_context& io() { return io_; }
  void enqueue(const CallPointer& call);
  void abandon(Call& call);
  void stop();
  void run();

 private:
  void open_multi();
  void wake();  // with the mutex held
  bool take_over();
  void begin(const CallPointer& call);
  void collect_ended();
  void end_overdue();
  void end_all(HttpFailure failure, const std::string& error);
  void finish(std::vector<Active>::iterator at, HttpResponse response);
  void deliver(const CallPointer& call, HttpResponse response);
  void sleep();

  asio::io_context& io_;
  HttpOptions options_;
  CURLM* multi_ = nullptr;
  std::vector<Active> active_;

  std::mutex mutex_;
  std::vector<CallPointer> queue_;
  bool stopping_ = false;
};

void HttpClient::Core::open_multi() {
  multi_ = curl_multi_init();
  const long connections = std::max(1, options_.connections);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, connections);
  curl_multi_setopt(multi_, CURLMOPT_MAX_HOST_CONNECTIONS, connections);
}

void HttpClient::Core::wake() {
#if LIBCURL_VERSION_NUM >= 0x074400
  if (multi_ != nullptr) curl_multi_wakeup(multi_);
#endif
}

void HttpClient::Core::enqueue(const CallPointer& call) {
  const std::lock_guard lock(mutex_);
  if (stopping_) {
    call->response = stopped_response();
    call->done = true;
    return;
  }
  queue_.push_back(call);
  wake();
}

void HttpClient::Core::abandon(Call& call) {
  call.abandoned = true;
  const std::lock_guard lock(mutex_);
  wake();
}

void HttpClient::Core::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  wake();
}

void HttpClient::Core::run() {
  while (take_over()) {
    int running = 0;
    if (curl_multi_perform(multi_, &running) != CURLM_OK) {
      end_all(HttpFailure::other, "libcurl lost its state");
      const std::lock_guard lock(mutex_);
      curl_multi_cleanup(multi_);
      open_multi();
    }
    collect_ended();
    end_overdue();
    sleep();
  }
  end_all(HttpFailure::stopped, "stopped");
}

// Begins what was queued. False once the thread is to end; the queue is empty then, and stays so.
bool HttpClient::Core::take_over() {
  std::vector<CallPointer> fresh;
  bool stopping = false;
  {
    const std::lock_guard lock(mutex_);
    fresh.swap(queue_);
    stopping = stopping_;
  }
  for (const CallPointer& call : fresh) {
    if (stopping)
      deliver(call, stopped_response());
    else if (!call->abandoned)
      begin(call);
  }
  return !stopping;
}

void HttpClient::Core::begin(const CallPointer& call) {
  auto transfer = std::make_unique<HttpTransfer>(std::move(call->request), options_);
  if (transfer->handle() == nullptr || curl_multi_add_handle(multi_, transfer->handle()) != CURLM_OK) {
    deliver(call, transfer->given_up(HttpFailure::other, "libcurl made no handle"));
    return;
  }
  active_.push_back({call, std::move(transfer)});
}

void HttpClient::Core::collect_ended() {
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;  // the message goes with the handle
    const CURL* easy = message->easy_handle;
    const auto at = std::find_if(active_.begin(), active_.end(),
                                 [&](const Active& a) { return a.transfer->handle() == easy; });
    if (at != active_.end()) finish(at, at->transfer->ended(code));
  }
}

void HttpClient::Core::end_overdue() {
  const double now = steady_seconds();
  for (std::size_t i = active_.size(); i-- > 0;) {
    const auto at = active_.begin() + static_cast<std::ptrdiff_t>(i);
    if (at->call->abandoned)
      finish(at, stopped_response());
    else if (now >= at->transfer->deadline())
      finish(at, at->transfer->timed_out(now));
  }
}

void HttpClient::Core::end_all(HttpFailure failure, const std::string& error) {
  while (!active_.empty()) finish(active_.end() - 1, active_.back().transfer->given_up(failure, error));
}

void HttpClient::Core::finish(std::vector<Active>::iterator at, HttpResponse response) {
  curl_multi_remove_handle(multi_, at->transfer->handle());
  const CallPointer call = at->call;
  active_.erase(at);  // the sink is the caller's again
  deliver(call, std::move(response));
}

void HttpClient::Core::deliver(const CallPointer& call, HttpResponse response) {
  asio::post(io_, [call, answer = std::move(response)]() mutable {
    call->response = std::move(answer);
    call->done = true;
    call->signal.notify();
  });
}

void HttpClient::Core::sleep() {
  const double now = steady_seconds();
  double until = now + longest_sleep_s;
  for (const Active& active : active_) until = std::min(until, active.transfer->deadline());
  const int wait_ms = std::max(1, static_cast<int>((until - now) * 1e3) + 1);
#if LIBCURL_VERSION_NUM >= 0x074400
  curl_multi_poll(multi_, nullptr, 0, wait_ms, nullptr);
#else
  // curl_multi_wait returns at once where it has no socket to wait for.
  int sockets = 0;
  curl_multi_wait(multi_, nullptr, 0, std::min(wait_ms, tick_ms), &sockets);
  if (active_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(tick_ms));
#endif
}

HttpClient::HttpClient(asio::io_context& io, HttpOptions options)
    : core_(std::make_shared<Core>(io, std::move(options))), thread_([core = core_] { core->run(); }) {}

HttpClient::~HttpClient() {
  stop();
  thread_.join();
}

void HttpClient::stop() {
  core_->stop();
}

asio::awaitable<HttpResponse> HttpClient::send(HttpRequest request) {
  const std::shared_ptr<Core> core = core_;
  const auto call = std::make_shared<Call>(core->io(), std::move(request));
  // Also when the coroutine is cancelled or thrown away while it waits.
  struct Guard {
    Core& core;
    Call& call;
    ~Guard() {
      if (!call.done) core.abandon(call);
    }
  };
  const Guard guard{*core, *call};
  core->enqueue(call);
  while (!call->done) co_await call->signal.wait();
  co_return std::move(call->response);
}

std::string shown_address(const std::string& url) {
  std::string out = url.substr(0, url.find('?'));
  const std::size_t host = out.find("://") == std::string::npos ? 0 : out.find("://") + 3;
  const std::size_t at = out.find('@', host);
  if (at != std::string::npos && at < out.find('/', host)) out.erase(host, at + 1 - host);
  return out;
}

}  // namespace noctune
