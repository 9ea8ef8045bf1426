#include "report/line_diff.hpp"

#include <algorithm>

// Myers' greedy algorithm keeps, for every number of edits d, the furthest x on each diagonal k = x - y. The
// trace of these rows is walked back from the end. It needs d^2 / 2 numbers, so d is bounded.

namespace noctune {
namespace {

constexpr int most_edits = 2000;
// As `patch` wants it; part of the line, so that it differs from the same line with a break.
constexpr const char* no_line_break = "\n\\ No newline at end of file";

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines out;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    out.push_back(text.substr(start, end - start));
    if (end == text.size()) out.back() += no_line_break;
    start = end + 1;
  }
  return out;
}

std::vector<DiffLine> whole_blocks(const Lines& before, const Lines& after) {
  std::vector<DiffLine> out;
  for (const std::string& line : before) out.push_back({LineChange::removed, line});
  for (const std::string& line : after) out.push_back({LineChange::added, line});
  return out;
}

// Row d of the trace holds diagonals -d..d at index k + d.
using Trace = std::vector<std::vector<int>>;

struct Start {
  int x = 0;
  bool down = false;  // came from the diagonal above, by an added line
};

// Where the path with d edits on diagonal k begins, before it follows equal lines.
Start start_of(const Trace& trace, int d, int k) {
  if (d == 0) return {};
  const std::vector<int>& row = trace[static_cast<std::size_t>(d - 1)];
  const auto at = [&](int diagonal) {
    return diagonal < -(d - 1) || diagonal > d - 1 ? -1 : row[static_cast<std::size_t>(diagonal + d - 1)];
  };
  const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
  return {down ? at(k + 1) : at(k - 1) + 1, down};
}

bool equal_at(const Lines& before, const Lines& after, int x, int y) {
  return before[static_cast<std::size_t>(x)] == after[static_cast<std::size_t>(y)];
}

// False when more edits are needed than allowed.
bool find_trace(const Lines& before, const Lines& after, Trace& trace) {
  const int n = static_cast<int>(before.size()), m = static_cast<int>(after.size());
  for (int d = 0; d <= std::min(n + m, most_edits); ++d) {
    std::vector<int> row(static_cast<std::size_t>(2 * d + 1), -1);
    for (int k = -d; k <= d; k += 2) {
      int x = start_of(trace, d, k).x, y = x - k;
      for (; x < n && y >= 0 && y < m && equal_at(before, after, x, y); ++y) ++x;
      row[static_cast<std::size_t>(k + d)] = x;
      if (x >= n && y >= m) {
        trace.push_back(std::move(row));
        return true;
      }
    }
    trace.push_back(std::move(row));
  }
  return false;
}

std::vector<DiffLine> walk_back(const Lines& before, const Lines& after, const Trace& trace) {
  std::vector<DiffLine> out;
  int x = static_cast<int>(before.size()), y = static_cast<int>(after.size());
  for (int d = static_cast<int>(trace.size()) - 1; d >= 0; --d) {
    const Start start = start_of(trace, d, x - y);
    for (; x > start.x; --y) out.push_back({LineChange::kept, before[static_cast<std::size_t>(--x)]});
    if (d == 0) break;
    if (start.down)
      out.push_back({LineChange::added, after[static_cast<std::size_t>(--y)]});
    else
      out.push_back({LineChange::removed, before[static_cast<std::size_t>(--x)]});
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::string range_text(std::size_t line, std::size_t count) {
  // An empty range names the line before it.
  return std::to_string(count == 0 ? line - 1 : line) + "," + std::to_string(count);
}

}  // namespace

std::vector<DiffLine> line_diff(const std::string& before, const std::string& after) {
  const Lines first = lines_of(before), second = lines_of(after);
  Trace trace;
  if (!find_trace(first, second, trace)) return whole_blocks(first, second);
  return walk_back(first, second, trace);
}

std::vector<DiffHunk> diff_hunks(const std::vector<DiffLine>& lines, std::size_t context) {
  std::vector<bool> shown(lines.size(), false);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].change == LineChange::kept) continue;
    const std::size_t last = std::min(lines.size(), i + context + 1);
    for (std::size_t j = i < context ? 0 : i - context; j < last; ++j) shown[j] = true;
  }
  std::vector<DiffHunk> out;
  std::size_t before_line = 1, after_line = 1;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool in_before = lines[i].change != LineChange::added,
               in_after = lines[i].change != LineChange::removed;
    if (shown[i]) {
      if (i == 0 || !shown[i - 1]) out.push_back({before_line, after_line, 0, 0, {}});
      out.back().before_count += in_before;
      out.back().after_count += in_after;
      out.back().lines.push_back(lines[i]);
    }
    before_line += in_before;
    after_line += in_after;
  }
  return out;
}

std::string unified_diff(const std::string& before, const std::string& after, const std::string& before_name,
                         const std::string& after_name) {
  constexpr std::size_t context = 3;
  const std::vector<DiffHunk> hunks = diff_hunks(line_diff(before, after), context);
  if (hunks.empty()) return {};
  std::string out = "--- " + before_name + "\n+++ " + after_name + "\n";
  for (const DiffHunk& hunk : hunks) {
    out += "@@ -" + range_text(hunk.before_line, hunk.before_count) + " +" +
           range_text(hunk.after_line, hunk.after_count) + " @@\n";
    for (const DiffLine& line : hunk.lines)
      out += (line.change == LineChange::kept      ? " "
              : line.change == LineChange::removed ? "-"
                                                   : "+") +
             line.text + "\n";
  }
  return out;
}

}  // namespace noctune
