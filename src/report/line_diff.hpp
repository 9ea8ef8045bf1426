// What changed between two texts, line by line, by the shortest edit script (Myers 1986). Texts that differ
// too much for it are shown as one removed and one added block.
#pragma once

#include <string>
#include <vector>

namespace noctune {

enum class LineChange { kept, removed, added };

struct DiffLine {
  LineChange change = LineChange::kept;
  std::string text;  // without its line break
};

std::vector<DiffLine> line_diff(const std::string& before, const std::string& after);

// As `patch` reads it, with three lines of context; empty for equal texts.
std::string unified_diff(const std::string& before, const std::string& after, const std::string& before_name,
                         const std::string& after_name);

// The parts of a diff that differ with `context` lines around; what lies between is left out.
struct DiffHunk {
  std::size_t before_line = 1, after_line = 1;  // of its first line, from 1
  std::size_t before_count = 0, after_count = 0;
  std::vector<DiffLine> lines;
};
std::vector<DiffHunk> diff_hunks(const std::vector<DiffLine>& lines, std::size_t context);

}  // namespace noctune
