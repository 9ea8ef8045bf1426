// The energy of a call: the device repeats a version until its power has settled, and its own counter tells
// how much that took. What the idle device takes is not counted.
#pragma once

#include <memory>
#include <optional>

#include "evaluator/workbench.hpp"

namespace noctune {

// J per call of the heaviest time case; nothing where the device does not count, or the version does not run.
Task<std::optional<double>> energy_per_call(std::shared_ptr<Workbench> work, MepReport report,
                                            std::filesystem::path plugin);

// From what was read before and during calls that went on for `calls_seconds` and ended with the process.
std::optional<double> joules_per_call(const Workbench::Sustained& found, double calls_seconds);

}  // namespace noctune
