// What starting a driver takes; for the files that start them.
#pragma once

#include "evaluator/driver_run.hpp"

namespace noctune {

struct DriverRunner::Launch {
  ChildRequest request;
  Descriptor report;              // a plain unlinked file, so that the child never waits for us
  std::vector<Descriptor> pipes;  // closed here once the child has its copies
  Descriptor outputs;             // that a judging driver reads
  std::vector<std::string> table_ends = {};
  std::uint64_t nonce = 0;
  ScratchFolder folder;  // all of ours that the driver can see; it removes its command file there
};

}  // namespace noctune
