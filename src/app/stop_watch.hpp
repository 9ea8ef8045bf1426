// Watches for reasons to stop: signals, the time limit, a stop file.
#pragma once

#include <asio/signal_set.hpp>
#include <filesystem>
#include <functional>
#include <string>

#include "base/async.hpp"

namespace noctune {

// What is done about it. `urgent`: somebody will kill us soon (SIGTERM, the end of the time), so what runs
// cannot be waited for.
struct StopActions {
  std::function<void(const std::string& why, bool urgent)> stop;  // once
  std::function<void()> hurry;  // a later reason: a further signal, or the time is over while stopping
};

class StopWatch {
 public:
  StopWatch(asio::io_context& io, std::filesystem::path stop_file, StopActions actions);

  // Seconds from now that the run may take, of which some are kept for ending cleanly; 0 = no limit.
  void limit(double seconds);
  // Starts watching; ends with `stop_watching`. A stop file of an earlier run is removed.
  void start();
  // Stops for a reason of the program's own.
  void stop(const std::string& why, bool urgent = false);
  void stop_watching();
  bool stopping() const { return stopping_; }

 private:
  Task<void> watch_clock();
  void watch_signals();
  void heard(int signal);

  asio::io_context& io_;
  std::filesystem::path stop_file_;
  double deadline_s_ = 0;  // on the steady clock; 0 = none
  StopActions actions_;
  asio::signal_set signals_;
  asio::steady_timer timer_;
  int last_signal_ = 0;
  double last_signal_s_ = 0;
  bool stopping_ = false, watching_ = true;
};

// What a run of `total_s` seconds keeps back for ending cleanly.
double closing_margin_s(double total_s);

}  // namespace noctune
