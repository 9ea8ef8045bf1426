// Compiler flags that a version may add: those that leave every value as it is. Each backend's compiler has
// its own.
#pragma once

#include <string>
#include <vector>

namespace noctune {

struct ReadFlags {
  std::vector<std::string> accepted;  // each once, in order
  std::vector<std::string> refused;   // with the reason: "-ffast-math changes values"
};
// The words of a reply's `flags:` line; "none", "-" and the like are no flags.
ReadFlags read_flags(const std::string& line, const std::string& backend);

// For prompts: "-fno-math-errno, -funroll-loops, ..."
std::string allowed_flags_text(const std::string& backend);

}  // namespace noctune
