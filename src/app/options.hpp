// The command line: what was asked, or a message that teaches.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace noctune {

enum class Verb {
  none,
  tune,
  mep,
  init,
  try_version,
  prompt,
  integrate,
  report,
  patterns,
  rebuild,
  doctor,
  relay,
  capture
};

struct Options {
  Verb verb = Verb::none;
  // tune, mep, try, doctor, relay
  std::string config;
  std::vector<std::string> overrides;
  std::string output;
  bool dry_run = false;
  bool force_new = false;   // tune
  double time_limit_s = 0;  // 0 = none
  // mep, init, capture
  bool force = false;
  std::vector<std::string> sources;  // capture: that name arguments
  // try, capture
  std::string file;
  // prompt
  std::string purpose = "plan";
  // integrate
  std::vector<std::string> hotspots;  // empty = all that have a place
  std::string keep;                   // where the copies stay; empty = removed
  // report, patterns, rebuild, integrate
  std::string results;
  std::string hotspot;  // try, mep as well
  bool json = false;    // patterns
  bool prune = false;
  // relay
  std::string spool;
  std::string replay;  // a folder of answers instead of an endpoint
  bool once = false;
  // capture
  std::string mep_folder;  // starter specs go there; empty = none
  // Set when the line was answered (help, version) or refused: the exit code.
  std::optional<int> exit_code;
};

Options parse_options(int argc, char** argv);

}  // namespace noctune
