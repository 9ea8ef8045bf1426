// What a driver does: check calls for their outputs, judge such outputs by the user's own check, probe for
// sizing, time one side of a pair.
#pragma once

#include "arguments.hpp"
#include "command.hpp"
#include "device.hpp"
#include "plugin.hpp"
#include "report.hpp"
#include "team.hpp"
#include "turns.hpp"

namespace noctune {

struct Driver {
  const Command& command;
  const Plugin& plugin;
  const Team& team;
  const Device& device;
  Report& report;
  timespec started;  // of the process
};

void run_checks(Driver& driver);
// Instead of checks: no version is loaded, and nothing but the user's check is called.
void run_judge(Driver& driver);
void run_probe(Driver& driver, const Probe& probe);
// `turns` was taken before the plugin was loaded, so that none of its code runs while the peer is alone.
void run_timing(Driver& driver, const Timing& timing, Turns& turns);

}  // namespace noctune
