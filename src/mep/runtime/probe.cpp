#include <algorithm>
#include <map>

#include "call_clock.hpp"
#include "modes.hpp"

namespace noctune {
namespace {

// Other load only ever adds to a call: the better ones count.
double low_quartile(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 4];
}

// Values of the later calls: two seeds in turn, twice, then two others, so that most seeds come back.
std::uint64_t seed_of(std::uint64_t base, std::size_t later) {
  return base + 1 + (later / 4 % 2) * 2 + later % 2;
}

struct Spread {
  double fastest = 0, slowest = 0;  // among the seeds' best calls
};

Spread spread_over_seeds(const std::vector<double>& later, double typical) {
  std::map<std::uint64_t, std::vector<double>> by_seed;
  for (std::size_t i = 0; i < later.size(); ++i) by_seed[seed_of(0, i)].push_back(later[i]);
  Spread out;
  for (const auto& [seed, calls] : by_seed) {
    if (calls.size() < 2) continue;  // one call alone may have met other load
    const double best = *std::min_element(calls.begin(), calls.end());
    out.fastest = out.slowest == 0 ? best : std::min(out.fastest, best);
    out.slowest = std::max(out.slowest, best);
  }
  return out.slowest > 0 ? out : Spread{typical, typical};
}

double middle(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

// Without the clock's own kernel, which a profiler that runs kernels one by one would never let go on.
double call_for_profiler(ArgumentSet& set, const Device& device, bool marked) {
  if (marked) device.start_profile();
  const timespec start = now();
  set.call();
  device.settle();
  const double seconds = seconds_since(start);
  if (marked) device.stop_profile();
  return seconds;
}

// Waits for the device about every 20 ms, so that the host is never far ahead of it.
double sustained_call_seconds(ArgumentSet& set, const Device& device, double one_call, double seconds) {
  const auto at_once = static_cast<long long>(std::clamp(0.02 / std::max(one_call, 1e-9), 1.0, 2000.0));
  long long calls = 0;
  const timespec start = now();
  do {
    for (long long i = 0; i < at_once; ++i) set.call();
    calls += at_once;
    device.settle();
  } while (seconds_since(start) < seconds);
  return seconds_since(start) / static_cast<double>(calls);
}

}  // namespace

void run_probe(Driver& driver, const Probe& probe) {
  const timespec start = now();
  ArgumentSet set(driver.command.cases[probe.case_index], 0, driver.plugin, driver.team, driver.report);
  driver.team.wake();
  set.fill(probe.seed, Variant::normal, -1);
  const double generate_seconds = seconds_since(start);

  CallClock clock(driver.device);
  std::vector<double> setups, calls;
  const timespec begin = now();
  const auto wanted = [&] {
    if (calls.size() < 2) return true;
    if (probe.mode == ProbeMode::profiled) return false;
    const double spent =
        seconds_since(begin);  // values made in between count: tiny calls must not take for ever
    const bool few = static_cast<long long>(calls.size()) <= probe.calls;
    return spent < probe.seconds || (few && spent < 3 * probe.seconds);
  };
  while (wanted()) {
    if (!calls.empty()) set.fill(seed_of(probe.seed, calls.size() - 1), Variant::normal, -1);
    set.poison(0);
    setups.push_back(set.setup(driver.device));
    driver.team.wake();
    if (probe.mode == ProbeMode::profiled) {
      calls.push_back(call_for_profiler(set, driver.device, calls.size() == 1));
      continue;
    }
    calls.push_back(clock.time([&] { set.call(); }).seconds);
    if (probe.mode == ProbeMode::sustained) {
      calls.push_back(sustained_call_seconds(set, driver.device, calls[0], probe.seconds));
      break;
    }
    if (calls.size() == 1 && calls[0] > 10 * probe.seconds) break;  // too long to be measured once more
  }
  const double first = calls.front();
  const std::vector<double> later(calls.begin() + (calls.size() > 1 ? 1 : 0), calls.end());
  Payload payload;
  payload.number(first)
      .number(low_quartile(later))
      .count(later.size())
      .number(middle(setups))
      .number(generate_seconds);
  payload.number(seconds_since(driver.started)).number(set.data_bytes()).number(set.scratch_bytes());
  const Spread spread = spread_over_seeds(later, later.empty() ? first : low_quartile(later));
  payload.number(spread.fastest).number(spread.slowest);
  driver.report.frame(FrameType::probe, payload);
}

}  // namespace noctune
