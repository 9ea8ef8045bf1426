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
  export_hotspot,
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
  // mep, init, capture, export
  bool force = false;
  std::vector<std::string> sources;  // capture: that name arguments
  // try, capture
  std::string file;
  std::string flags;  // try: beyond the campaign's
  // prompt
  std::string purpose = "plan";
  // integrate
  std::vector<std::string> hotspots;  // empty = all that have a place
  std::string keep;                   // where the copies stay; empty = removed
  bool no_profile = false;
  // report, export, patterns, rebuild, integrate
  std::string results;
  std::string later_results;  // report: compared with `results`; empty = none
  std::string html, csv, t4;  // report: files or folders to write; empty = none
  bool follow = false;        // report
  std::string hotspot;        // try, mep, export as well
  bool json = false;          // patterns
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
