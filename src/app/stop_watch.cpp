#include "app/stop_watch.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "base/clock.hpp"
#include "base/text.hpp"

namespace noctune {

double slurm_seconds_left() {
  const char* text = std::getenv("SLURM_JOB_END_TIME");
  const double end = text ? std::atof(text) : 0;
  return end > 0 ? std::max(1.0, end - wall_seconds()) : 0;
}

double closing_margin_s(double total_s) {
  return std::clamp(0.05 * total_s, 2.0, 60.0);
}

StopWatch::StopWatch(asio::io_context& io, std::filesystem::path stop_file, double time_limit_s,
                     std::function<void(const std::string&)> on_stop, std::function<void()> on_hurry)
    : io_(io),
      stop_file_(std::move(stop_file)),
      on_stop_(std::move(on_stop)),
      on_hurry_(std::move(on_hurry)),
      signals_(io),
      timer_(io) {
  const double limit = time_limit_s > 0 ? time_limit_s : slurm_seconds_left();
  deadline_s_ = limit > 0 ? steady_seconds() + limit - closing_margin_s(limit) : 0;
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

void StopWatch::stop(const std::string& why) {
  if (stopping_) return;
  stopping_ = true;
  on_stop_(why);
}

Task<void> StopWatch::watch_clock() {
  while (watching_ && !stopping_) {
    timer_.expires_after(std::chrono::seconds(1));
    asio::error_code woken;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (!watching_) co_return;
    std::error_code ignored;
    if (std::filesystem::exists(stop_file_, ignored))
      stop("the stop file " + stop_file_.string() + " is there");
    if (deadline_s_ > 0 && steady_seconds() > deadline_s_) stop("the time limit is near");
  }
}

void StopWatch::watch_signals() {
  signals_.async_wait([this](const asio::error_code& error, int number) {
    if (error || !watching_) return;
    if (stopping_) {
      on_hurry_();
    } else {
      stop(std::string("signal ") + (number == SIGINT ? "INT" : number == SIGTERM ? "TERM" : "USR1"));
    }
    watch_signals();
  });
}

}  // namespace noctune
