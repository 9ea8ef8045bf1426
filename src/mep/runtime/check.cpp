#include <algorithm>

#include "clock.hpp"
#include "modes.hpp"

namespace noctune {
namespace {

// The same arguments in double precision. By-value ones stay: the plugin for such a run converts them itself.
CaseData widened(CaseData data) {
  static const ElementTraits* const wide = find_element("f64");
  static const ElementTraits* const wide_complex = find_element("c128");
  for (std::size_t i = 0; i < data.args.size(); ++i) {
    Argument& argument = data.args[i];
    const Element element = argument.type->element;
    const bool narrow = element == Element::f32 || element == Element::f16 || element == Element::bf16;
    if (!argument.pointer || entry_places[i].stride != 0 || (!narrow && element != Element::c64)) continue;
    argument.narrow = argument.type;
    argument.type = narrow ? wide : wide_complex;
  }
  return data;
}

void run_check(Driver& driver, const Check& check, std::uint64_t index) {
  driver.report.frame(FrameType::run_begin, Payload().count(index));
  const CaseData& planned = driver.command.cases[check.case_index];
  const CaseData data = check.mutation == Mutation::widened ? widened(planned) : planned;
  ArgumentSet set(data, check.offset, driver.plugin, driver.team, driver.report);
  driver.team.wake();
  set.fill(check.seed, check.variant, check.only_param);
  if (check.mutation == Mutation::rounded) set.round_inputs();
  if (check.mutation == Mutation::shortened) set.shorten(static_cast<std::size_t>(check.only_param));
  set.poison(check.poison);
  set.remember_inputs();
  driver.team.offer(check.threads);
  set.setup(driver.device);
  driver.team.wake();
  const timespec start = now();
  for (long long call = 0; call < check.calls; ++call) set.call();
  driver.device.settle();
  const double seconds = seconds_since(start);
  driver.team.offer(0);
  driver.team.wake();
  watch_fences(driver.report);
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
