#include "coordinator/prompts/failure.hpp"

#include <cctype>

#include "coordinator/prompts/diagnostics.hpp"
#include "coordinator/prompts/plain_text.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest_signature = 240;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "candidate.cpp:12:3: error: x" -> "error: x".
std::string without_place(const std::string& line) {
  for (const char* mark : {"error:", "Error:", "undefined reference"})
    if (const auto at = line.find(mark); at != std::string::npos) return line.substr(at);
  return line;
}

// Numbers of their own, with what belongs to them (0x7f, 1.5e-3), become '#'; those within names stay, but
// for the counters that compilers append (".isra.0", "_omp_fn.3").
std::string without_numerals(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool inside = at > 0 && is_word(text[at - 1]);
    if (!is_digit(text[at]) || inside) {
      out += text[at++];
      continue;
    }
    while (at < text.size() &&
           (is_word(text[at]) || text[at] == '.' ||
            ((text[at] == '-' || text[at] == '+') && (text[at - 1] == 'e' || text[at - 1] == 'E'))))
      ++at;
    out += '#';
  }
  return out;
}

}  // namespace

FailureKind failure_kind(const Evaluation& evaluation) {
  switch (evaluation.verdict) {
    case Verdict::rejected:
    case Verdict::build_failed:
    case Verdict::build_timeout:
      return FailureKind::build;
    case Verdict::run_failed:
    case Verdict::run_timeout:
    case Verdict::wrong_result:
      return FailureKind::run;
    case Verdict::ok:
    case Verdict::duplicate:
    case Verdict::unstable:
    case Verdict::lost:
      break;
  }
  return FailureKind::none;
}

bool repairable(const Evaluation& evaluation) {
  return failure_kind(evaluation) != FailureKind::none;
}

std::string failure_signature(const Evaluation& evaluation) {
  std::string first;
  if (evaluation.verdict == Verdict::build_failed) first = first_error_line(evaluation.diagnostics);
  if (first.empty()) first = evaluation.message;
  first = without_numerals(without_place(without_paths(one_line(first, 4 * longest_signature))));
  return std::string(to_text(evaluation.verdict)) + ": " + one_line(first, longest_signature);
}

}  // namespace noctune
