// A report of UndefinedBehaviorSanitizer is one line, "<file>:<line>:<column>: runtime error: <what>". One of
// AddressSanitizer has a head ("==7==ERROR: AddressSanitizer: <kind> on address ..."), "WRITE of size 8 at
// ...", frames ("#0 0x... in f /path/candidate.cpp:3") and "0x... is located 0 bytes to the right of 40-byte
// region".
#include "evaluator/sanitizer_report.hpp"

#include <cctype>
#include <sstream>

namespace noctune {
namespace {

struct Kind {
  const char* name;   // in the report
  const char* words;  // for people
};
constexpr Kind kinds[] = {
    {"heap-buffer-overflow", "outside of memory that it allocated"},
    {"stack-buffer-overflow", "behind the end of a local array"},
    {"stack-buffer-underflow", "in front of a local array"},
    {"dynamic-stack-buffer-overflow", "outside of a local array of variable length"},
    {"global-buffer-overflow", "outside of a global array"},
    {"heap-use-after-free", "in memory that was released"},
    {"stack-use-after-scope", "in a local variable that is gone"},
    {"stack-use-after-return", "in a local variable that is gone"},
    {"use-after-poison", ""},  // beside a buffer of ours
    {"memcpy-param-overlap", "copies between ranges that overlap"},
    {"negative-size-param", "copies a negative number of bytes"},
    {"alloc-dealloc-mismatch", "releases memory by another way than it was allocated"},
    {"attempting double-free", "releases memory twice"},
    {"attempting free", "releases memory that was not allocated"},
    {"SEGV", ""},
};

bool is_ours(const std::string& file) {
  return file.find("candidate.cpp") != std::string::npos || file.find("context.hpp") != std::string::npos;
}

// "/x/candidate.cpp:3:10" -> "line 3 of the source"; as it is where that is not its form.
std::string place_of(const std::string& location) {
  const std::string name = location.substr(location.rfind('/') + 1);
  const auto colon = name.find(':');
  if (colon == std::string::npos) return name;
  const auto end = name.find_first_not_of("0123456789", colon + 1);
  const std::string line = name.substr(colon + 1, end == std::string::npos ? end : end - colon - 1);
  if (line.empty()) return name;
  const std::string file = name.substr(0, colon);
  return "line " + line + " of " + (file == "candidate.cpp" ? "the source" : file);
}

std::optional<std::string> undefined_behaviour(const std::string& line) {
  const std::string mark = ": runtime error: ";
  const auto at = line.find(mark);
  if (at == std::string::npos) return {};
  return place_of(line.substr(0, at)) + ": " + line.substr(at + mark.size());
}

// What the lines after the head say.
struct Details {
  std::string access, frame, region, place;  // frame: of the code under test
};

Details details_in(std::istringstream& lines) {
  Details out;
  std::string line;
  while (std::getline(lines, line)) {
    const auto in = line.find(" in ");
    const bool frame = line.find('#') != std::string::npos && in != std::string::npos;
    if (out.access.empty() && line.starts_with("READ of size ")) out.access = "reads";
    if (out.access.empty() && line.starts_with("WRITE of size ")) out.access = "writes";
    if (out.access.empty() && line.find("caused by a READ") != std::string::npos) out.access = "reads";
    if (out.access.empty() && line.find("caused by a WRITE") != std::string::npos) out.access = "writes";
    if (frame && out.frame.empty() && is_ours(line)) out.frame = place_of(line.substr(line.rfind(' ') + 1));
    const std::string located = "is located ";
    if (const auto at = line.find(located); at != std::string::npos && out.region.empty())
      out.region = line.substr(at + located.size());
    if (line.find("SUMMARY:") != std::string::npos) break;
  }
  return out;
}

const Kind* kind_of(const std::string& head) {
  for (const Kind& kind : kinds)
    if (head.find(std::string("AddressSanitizer: ") + kind.name) != std::string::npos) return &kind;
  return nullptr;
}

std::optional<std::string> memory_error(const std::string& head, const std::string& near,
                                        std::istringstream& lines) {
  const Kind* kind = kind_of(head);
  if (!kind) return {};
  const Details found = details_in(lines);
  // Its own trouble crashes as well; then no line of the code is named.
  if (found.frame.empty()) return {};
  const std::string where = found.frame + ": ";
  if (!near.empty()) return where + (found.access.empty() ? "touches" : found.access) + " " + near;
  if (std::string(kind->name) == "SEGV")
    return where + (found.access.empty() ? "touches" : found.access) + " memory that is not there";
  const std::string region = found.region.empty() ? "" : " (" + found.region + ")";
  return where + (found.access.empty() ? "" : found.access + " ") + kind->words + region;
}

}  // namespace

std::vector<std::string> sanitizer_environment() {
  return {
      "ASAN_OPTIONS=detect_leaks=0:halt_on_error=1:abort_on_error=0:exitcode=99:handle_segv=2:handle_sigbus="
      "2:"
      "handle_abort=0:handle_sigfpe=0:detect_odr_violation=0:detect_stack_use_after_return=0:"
      "quarantine_size_mb=16:allocator_may_return_null=1:print_legend=0:print_full_thread_history=0:color="
      "never",
      "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=0:color=never"};
}

std::optional<std::string> sanitizer_finding(const std::string& output) {
  std::istringstream lines(output);
  std::string line, near;
  while (std::getline(lines, line)) {
    if (const auto found = undefined_behaviour(line)) return found;
    if (line.starts_with("memory ")) near = line;
    if (line.find("ERROR: AddressSanitizer: ") == std::string::npos) continue;
    return memory_error(line, near, lines);
  }
  return {};
}

std::optional<std::string> memcheck_finding(const std::string& output) {
  static constexpr std::string_view mark = "========= ";
  std::istringstream lines(output);
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.starts_with(mark)) continue;
    std::string text = line.substr(mark.size());
    if (!text.starts_with("Invalid ") && !text.starts_with("Misaligned ")) continue;
    std::string at;
    if (std::getline(lines, at) && at.starts_with(mark))
      text += " " + at.substr(at.find_first_not_of(' ', mark.size()));
    return text;
  }
  return {};
}

}  // namespace noctune
