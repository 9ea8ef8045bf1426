// How strong the sandbox is on this node, restriction by restriction, and in words.
#pragma once

#include <string>
#include <vector>

#include "base/confinement.hpp"
#include "evaluator/confinement.hpp"

namespace noctune {

// One restriction as `doctor` shows it.
struct SandboxPart {
  std::string name;  // "files", "network", ...
  bool in_force = false;
  std::string detail;  // by what it is kept up, or why it is not
  std::string remedy;  // of what is missing; empty where nothing helps
};

struct SandboxState {
  SandboxSupport support;
  std::string kernel;   // its release
  SandboxLevel level;   // what is switched on
  std::string trouble;  // what the test kernel said under more than that; empty where nothing was lowered
};

SandboxState full_sandbox(const SandboxSupport& support);
// What to try when `level` fails: its restrictions less one, then less two, and so on; the strongest first.
std::vector<SandboxLevel> weaker_levels(const SandboxLevel& level);

std::vector<SandboxPart> sandbox_parts(const SandboxState& state);
// "landlock 7 (files, network, signals) + seccomp + limits", "limits only"
std::string level_text(const SandboxState& state);
// "files, signals (no Landlock: ...), calls (...)"; empty when nothing is missing.
std::string missing_text(const SandboxState& state);

}  // namespace noctune
