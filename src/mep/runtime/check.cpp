#include "clock.hpp"
#include "modes.hpp"

namespace noctune {
namespace {

void run_check(Driver& driver, const Check& check, std::uint64_t index) {
  driver.report.frame(FrameType::run_begin, Payload().count(index));
  const CaseData& data = driver.command.cases[check.case_index];
  ArgumentSet set(data, check.offset, driver.plugin, driver.team, driver.report);
  driver.team.wake();
  set.fill(check.seed, check.variant, check.only_param);
  set.poison(check.poison);
  set.remember_inputs();
  set.setup();
  driver.team.wake();
  const timespec start = now();
  for (long long call = 0; call < check.calls; ++call) set.call();
  const double seconds = seconds_since(start);
  driver.team.wake();
  set.write_outputs(driver.report, index);
  const std::string damage = set.damage(), changed = set.changed_input();
  driver.report.frame(FrameType::run_end, Payload().count(index).number(seconds).text(damage).text(changed));
}

}  // namespace

void run_checks(Driver& driver) {
  std::uint64_t index = 0;
  for (const Check& check : driver.command.checks) run_check(driver, check, index++);
}

}  // namespace noctune
