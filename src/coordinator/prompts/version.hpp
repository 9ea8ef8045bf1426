// A version of the entry from a model's answer.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/task.hpp"

namespace noctune {

struct WrittenVersion {
  std::string source;                 // whole file, mended
  std::string summary;                // the model's rationale, one line
  std::vector<std::string> flags;     // extra ones, value-preserving
  std::vector<std::string> patterns;  // ids of those it says it used: "3"
  std::vector<std::string> mended;    // what was put right, and flags that were refused
};

// Chooses the block, mends what can be mended, and rejects what cannot be built with an error that
// format_prompt() passes on: no or cut code, placeholders, a missing entry, a changed signature, no change.
// `base`: the source to improve; the same program again is no version, nor is K(0)'s.
Result<WrittenVersion> read_version(const std::string& reply, const MepSource& mep,
                                    const std::string& base = {});

// "P3, #4 and 5" -> {"3", "4", "5"}; other words stay as they are, "none" and the like are left out.
std::vector<std::string> read_pattern_ids(const std::string& text);

}  // namespace noctune
