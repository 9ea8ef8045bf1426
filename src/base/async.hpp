// Small pieces for coroutines on Asio: a wake-up signal, a mutual exclusion, and work in helper threads.
// Everything here is used from the one thread that runs the io_context, except the body given to in_thread.
#pragma once

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/thread_pool.hpp>
#include <asio/use_awaitable.hpp>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace noctune {

template <class T>
using Task = asio::awaitable<T>;

// Lets coroutines wait until somebody says that something changed. A notification wakes all that wait at
// that moment; who waits must look at the state again.
class Signal {
 public:
  explicit Signal(asio::io_context& io) : timer_(io) {
    timer_.expires_at(asio::steady_timer::time_point::max());
  }

  Task<void> wait() {
    asio::error_code woken;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
  }
  void notify() { timer_.cancel(); }

 private:
  asio::steady_timer timer_;
};

inline Task<void> sleep_for(double seconds) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  timer.expires_after(
      std::chrono::duration_cast<asio::steady_timer::duration>(std::chrono::duration<double>(seconds)));
  co_await timer.async_wait(asio::use_awaitable);
}

// First come, first served exclusion between coroutines of one thread.
class AsyncMutex {
 public:
  explicit AsyncMutex(asio::io_context& io) : io_(io) {}

  class Guard {
   public:
    explicit Guard(AsyncMutex* owner) : owner_(owner) {}
    Guard(Guard&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
    Guard& operator=(Guard&&) = delete;
    ~Guard() {
      if (owner_) owner_->release();
    }

   private:
    AsyncMutex* owner_;
  };

  Task<Guard> lock() {
    auto ticket = std::make_shared<Signal>(io_);
    waiting_.push_back(ticket);
    if (waiting_.front() != ticket) co_await ticket->wait();
    co_return Guard(this);
  }

 private:
  void release() {
    waiting_.pop_front();
    if (!waiting_.empty()) waiting_.front()->notify();
  }

  asio::io_context& io_;
  std::deque<std::shared_ptr<Signal>> waiting_;
};

// Runs `body` on the pool and resumes the caller on its own thread with what it returned.
template <class Body>
auto in_thread(asio::thread_pool& pool, Body body) -> Task<decltype(body())> {
  using Value = decltype(body());
  auto holder = std::make_shared<std::optional<Value>>();
  auto failure = std::make_shared<std::exception_ptr>();
  co_await asio::co_spawn(
      pool,
      [](Body work, std::shared_ptr<std::optional<Value>> out,
         std::shared_ptr<std::exception_ptr> bad) -> Task<void> {
        try {
          out->emplace(work());
        } catch (...) {
          *bad = std::current_exception();
        }
        co_return;
      }(std::move(body), holder, failure),
      asio::use_awaitable);
  if (*failure) std::rethrow_exception(*failure);
  co_return std::move(**holder);
}

}  // namespace noctune
