// Watches for reasons to stop: signals, the time limit, Slurm's end time, a stop file.
#pragma once

#include <asio/signal_set.hpp>
#include <filesystem>
#include <functional>
#include <string>

#include "base/async.hpp"

namespace noctune {

class StopWatch {
 public:
  // `on_stop` is called once, with the reason. A second signal calls `on_hurry`.
  StopWatch(asio::io_context& io, std::filesystem::path stop_file, double time_limit_s,
            std::function<void(const std::string&)> on_stop, std::function<void()> on_hurry);

  // Starts watching; ends with `stop_watching`. A stop file of an earlier run is removed.
  void start();
  // Stops for a reason of the program's own.
  void stop(const std::string& why);
  void stop_watching();
  bool stopping() const { return stopping_; }

 private:
  Task<void> watch_clock();
  void watch_signals();

  asio::io_context& io_;
  std::filesystem::path stop_file_;
  double deadline_s_;  // on the steady clock; 0 = none
  std::function<void(const std::string&)> on_stop_;
  std::function<void()> on_hurry_;
  asio::signal_set signals_;
  asio::steady_timer timer_;
  bool stopping_ = false, watching_ = true;
};

// Seconds left in the Slurm job (SLURM_JOB_END_TIME), or 0 when unknown.
double slurm_seconds_left();
// What a run of `total_s` seconds keeps back for ending cleanly.
double closing_margin_s(double total_s);

}  // namespace noctune
