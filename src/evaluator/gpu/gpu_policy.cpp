#include "evaluator/gpu/gpu_policy.hpp"

#include <algorithm>
#include <set>

#include "evaluator/gpu/gpu_names.hpp"
#include "evaluator/source_text.hpp"

namespace noctune {
namespace {

using Kind = SourcePiece::Kind;
using Objections = std::vector<std::string>;

// Each word once, in the order in which they appear.
std::vector<std::string> words_of(const std::string& code) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at;
    while (end < code.size() && is_word_character(code[end])) ++end;
    if (end > at && seen.insert(code.substr(at, end - at)).second) out.push_back(code.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return out;
}

void judge_names(const std::string& code, const AllowedLibraries& allowed, Objections& out) {
  for (const std::string& word : words_of(code)) {
    const std::string_view reason = gpu_name_reason(word);
    if (!reason.empty() && !allowed.allows_symbol(word))
      out.push_back("uses " + word + ": it " + std::string(reason));
  }
}

// Variables may be called clock; calls of it read one.
void judge_clock_calls(const std::string& code, Objections& out) {
  const std::string name = "clock";
  for (auto at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
    const bool starts = at == 0 || !is_word_character(code[at - 1]);
    const auto next = code.find_first_not_of(" \t\r\n", at + name.size());
    if (!starts || next == std::string::npos || code[next] != '(') continue;
    out.emplace_back("uses clock: it reads a clock: a kernel has no business with the time");
    return;
  }
}

// <cub/cub.cuh> or "cub/cub.cuh" without its marks.
std::string header_of(const Directive& line) {
  const auto end = line.rest.find_first_of(">\"", 1);
  return end == std::string::npos ? std::string() : line.rest.substr(1, end - 1);
}

std::string uses_library(const VendorLibrary& library, const std::string& by) {
  return "uses the library " + std::string(library.name) + " (" + by +
         "), which this campaign does not allow (allow_libraries)";
}

void judge_headers(const std::string& flat, const AllowedLibraries& allowed, Objections& out) {
  for (const Directive& line : directives(flat)) {
    if (line.name != "include") continue;
    const std::string header = header_of(line);
    if (header == "cuda.h" || header == "cudaTypedefs.h")
      out.push_back("includes the driver's interface (" + line.text() + "); launch with <<<...>>>");
    if (const VendorLibrary* library = library_not_allowed(header, allowed))
      out.push_back(uses_library(*library, line.text()));
  }
}

// Clocks of the device in inline assembly; other assembly is welcome.
void judge_assembly(const std::string& code, const std::vector<SourcePiece>& pieces, Objections& out) {
  const bool assembles = has_word(code, "asm") || has_word(code, "__asm__") || has_word(code, "__asm");
  if (!assembles) return;
  for (const SourcePiece& piece : pieces)
    for (const std::string clock : {"%clock", "%globaltimer", "s_memtime", "s_memrealtime"})
      if (piece.kind == Kind::literal && piece.text.find(clock) != std::string::npos)
        out.push_back("reads a clock in inline assembly (" + clock +
                      "): a kernel has no business with the time");
}

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(" \t\r\n"), to = text.find_last_not_of(" \t\r\n");
  return from == std::string::npos ? std::string() : text.substr(from, to - from + 1);
}

// The arguments between <<< at `from` and its >>>, split at commas outside brackets; empty if it never ends.
std::vector<std::string> launch_arguments(const std::string& code, std::size_t from) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (std::size_t at = from + 3; at < code.size(); ++at) {
    const char c = code[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0 || c == ';' || code.compare(at, 3, "<<<") == 0) return {};
    if (depth == 0 && code.compare(at, 3, ">>>") == 0) return out;
    if (depth == 0 && c == ',')
      out.emplace_back();
    else
      out.back() += c;
  }
  return {};
}

void judge_launches(const std::string& code, Objections& out) {
  for (auto at = code.find("<<<"); at != std::string::npos; at = code.find("<<<", at + 3)) {
    const std::vector<std::string> arguments = launch_arguments(code, at);
    if (arguments.empty()) continue;
    const std::string stream = arguments.size() > 3 ? trimmed(arguments[3]) : "";
    if (!stream.empty() && stream != "0" && stream != "NULL" && stream != "nullptr") continue;
    out.emplace_back(
        "launches a kernel on the default stream; the fourth launch argument must be the entry's `stream`");
    return;
  }
}

Objections all_objections(const std::string& source, const AllowedLibraries& allowed) {
  const std::vector<SourcePiece> pieces = source_pieces(source);
  std::string code;
  for (const SourcePiece& piece : pieces)
    if (piece.kind == Kind::code) code += piece.text + " ";
  Objections out;
  judge_headers(flat_code(pieces), allowed, out);
  judge_names(code, allowed, out);
  judge_clock_calls(code, out);
  judge_assembly(code, pieces, out);
  judge_launches(code, out);
  return out;
}

bool contains(const std::vector<std::string>& list, const std::string& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

}  // namespace

std::optional<std::string> gpu_source_objection(const std::string& source, const std::string& original,
                                                const AllowedLibraries& allowed) {
  const Objections found = all_objections(source, allowed);
  if (found.empty()) return {};
  const Objections waived = all_objections(original, allowed);
  for (const std::string& one : found)
    if (!contains(waived, one)) return one;
  return {};
}

std::optional<std::string> gpu_binary_objection(const PluginBinary& binary,
                                                const std::vector<std::string>& waived,
                                                const AllowedLibraries& allowed) {
  for (const std::string& needed : binary.undefined) {
    if (contains(waived, needed) || allowed.allows_symbol(needed)) continue;
    if (const VendorLibrary* library = library_of_symbol(needed)) return uses_library(*library, needed);
    const std::string_view reason = gpu_symbol_reason(needed);
    if (!reason.empty()) return "uses " + needed + ": it " + std::string(reason);
  }
  return {};
}

std::vector<std::string> needs_of_libraries(const PluginBinary& binary, const AllowedLibraries& allowed) {
  std::vector<std::string> out;
  const std::string start = "[library ";
  for (const std::string& needed : binary.undefined) {
    const bool file = needed.starts_with(start) &&
                      allowed.allows_file(needed.substr(start.size(), needed.size() - start.size() - 1));
    if (file || allowed.allows_symbol(needed)) out.push_back(needed);
  }
  return out;
}

}  // namespace noctune
