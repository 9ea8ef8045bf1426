#include "app/stop_watch.hpp"

#include <algorithm>
#include <csignal>

#include "base/clock.hpp"

namespace noctune {
namespace {

// A launcher and the batch system may each pass on the same signal.
constexpr double echo_s = 0.5;

}  // namespace

double closing_margin_s(double total_s) {
  return std::clamp(0.05 * total_s, 2.0, 60.0);
}

StopWatch::StopWatch(asio::io_context& io, std::filesystem::path stop_file, StopActions actions)
    : io_(io), stop_file_(std::move(stop_file)), actions_(std::move(actions)), signals_(io), timer_(io) {}

void StopWatch::limit(double seconds) {
  deadline_s_ = seconds > 0 ? steady_seconds() + seconds - closing_margin_s(seconds) : 0;
}

void StopWatch::start() {
  std::error_code ignored;
  std::filesystem::remove(stop_file_, ignored);
  for (const int number : {SIGINT, SIGTERM, SIGUSR1}) signals_.add(number);
  asio::co_spawn(io_, watch_clock(), asio::detached);
  watch_signals();
}

void StopWatch::stop_watching() {
  watching_ = false;
  timer_.cancel();
  signals_.cancel();
}

void StopWatch::stop(const std::string& why, bool urgent) {
  if (stopping_) return;
  stopping_ = true;
  actions_.stop(why, urgent);
}

Task<void> StopWatch::watch_clock() {
  while (watching_) {
    timer_.expires_after(std::chrono::seconds(1));
    asio::error_code woken;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (!watching_) co_return;
    std::error_code ignored;
    if (!stopping_ && std::filesystem::exists(stop_file_, ignored))
      stop("the stop file " + stop_file_.string() + " is there");
    if (deadline_s_ == 0 || steady_seconds() < deadline_s_) continue;
    deadline_s_ = 0;  // said once
    if (stopping_)
      actions_.hurry();
    else
      stop("the time limit is near", true);
  }
}

void StopWatch::watch_signals() {
  signals_.async_wait([this](const asio::error_code& error, int number) {
    if (error || !watching_) return;
    heard(number);
    watch_signals();
  });
}

void StopWatch::heard(int number) {
  const double now = steady_seconds();
  const bool echo = number == last_signal_ && now - last_signal_s_ < echo_s;
  last_signal_ = number;
  last_signal_s_ = now;
  if (echo) return;
  if (stopping_)
    actions_.hurry();
  else
    stop(std::string("signal ") + (number == SIGINT    ? "INT"
                                   : number == SIGTERM ? "TERM"
                                                       : "USR1"),
         number == SIGTERM);
}

}  // namespace noctune
