#include <algorithm>

#include "clock.hpp"
#include "modes.hpp"

namespace noctune {
namespace {

// Other load only ever adds to a call: the better ones count.
double low_quartile(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 4];
}

double middle(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace

void run_probe(Driver& driver, const Probe& probe) {
  const timespec start = now();
  ArgumentSet set(driver.command.cases[probe.case_index], 0, driver.plugin, driver.team, driver.report);
  driver.team.wake();
  set.fill(probe.seed, Variant::normal, -1);
  const double generate_seconds = seconds_since(start);

  std::vector<double> setups, calls;
  const timespec begin = now();
  const auto wanted = [&] {
    if (calls.size() < 2) return true;
    const double spent =
        seconds_since(begin);  // values made in between count: tiny calls must not take for ever
    const bool few = static_cast<long long>(calls.size()) <= probe.calls;
    return spent < probe.seconds || (few && spent < 3 * probe.seconds);
  };
  while (wanted()) {
    if (!calls.empty()) set.fill(probe.seed + calls.size(), Variant::normal, -1);
    set.poison(0);
    setups.push_back(set.setup());
    driver.team.wake();
    const timespec before = now();
    set.call();
    calls.push_back(seconds_since(before));
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
  driver.report.frame(FrameType::probe, payload);
}

}  // namespace noctune
