// What is asked of a supervised child process and what became of it: plain data, shared with noctune-sandbox.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/confinement.hpp"

namespace noctune {

// A program to run under the sandbox helper. Its standard input is empty; stdout and stderr are collected
// together.
struct ChildRequest {
  std::vector<std::string> argv;         // argv[0] is looked up in PATH of `environment`
  std::string working_folder;            // empty: the helper's own
  std::vector<std::string> environment;  // complete, KEY=VALUE
  double deadline_s = 60;                // then TERM to its group,
  double grace_s = 0.5;                  // and after this KILL to its whole tree
  long long memory_bytes = 0;            // resident, summed over its tree; 0 = no limit
  bool reserves_memory = false;          // maps far more than it ever touches, as sanitizers' runtimes do:
                                         // memory_bytes is then held by watching alone
  long long file_bytes = 0;              // largest file it may write; 0 = no limit
  int processes = 256;                   // further processes and threads it may start
  long long output_bytes = 1 << 20;
  std::vector<int> cpus;  // empty = inherited
  int nice = 0;
  std::vector<std::pair<int, int>> descriptors =
      {};  // {descriptor here, its number in the child, at least 3}
  // Of its working folder with all below it, looked at now and then; 0 = no limit.
  long long folder_bytes = 0;
  long long folder_files = 0;
  Confinement confinement = {};
};

struct ChildOutcome {
  enum class End {
    exited,
    signalled,
    deadline,
    memory,
    output_limit,
    cancelled,
    not_started,  // the program could not be executed, or the request makes no sense: see reason
    helper_lost   // our own fault, never the child's: see reason
  };
  End end = End::not_started;
  int exit_code = 0;  // where its first process exited by itself, whatever `end` says
  int signal = 0;     // where a signal ended it
  double seconds = 0;
  double cpu_seconds = 0;    // user and system, whole tree as far as it was reaped
  long long peak_bytes = 0;  // resident: largest process, or largest sampled sum where a memory limit is set
  bool left_processes = false;  // something of its tree outlived it and was killed
  std::string output;           // stdout and stderr together, made printable, cut at output_bytes
  std::string reason;           // what the fields above cannot say; empty when nothing is odd

  bool clean() const { return end == End::exited && exit_code == 0; }
};

// "was killed by signal 11 (Segmentation fault) after 0.30 s"
std::string describe(const ChildOutcome& outcome);

// Valid UTF-8 without control, escape and text-direction characters; what is not becomes \xNN or \u{N}.
std::string printable(const std::string& bytes);

}  // namespace noctune
