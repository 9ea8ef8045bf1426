#include "coordinator/prompts/diagnostics.hpp"

#include <cstdio>

#include "coordinator/prompts/plain_text.hpp"

namespace noctune {
namespace {

constexpr std::size_t most_errors = 4, most_lines_each = 10, most_lines = 40, most_bytes = 4000;
constexpr std::size_t longest_line = 400, longest_message = 1500, longest_input = 256 * 1024;

bool has(const std::string& line, const char* words) {
  return line.find(words) != std::string::npos;
}

bool tells_error(const std::string& line) {
  return has(line, "error:") || has(line, "Error:") || has(line, "undefined reference");
}

// Begins something that does not belong to the error before.
bool begins_other(const std::string& line) {
  return has(line, "warning:") || has(line, ": In function") || has(line, ": In instantiation") ||
         line.rfind("In file included", 0) == 0;
}

std::vector<std::string> first_errors(const std::vector<std::string>& lines) {
  std::vector<std::string> out;
  std::size_t errors = 0, left = 0, total = 0;
  for (const std::string& line : lines) {
    const bool error = tells_error(line);
    if (error) ++total;
    if (error && ++errors <= most_errors) left = most_lines_each;
    if ((error && errors > most_errors) || begins_other(line)) left = 0;
    if (left > 0) {
      out.push_back(line);
      --left;
    }
  }
  if (total > most_errors)
    out.push_back("[" + std::to_string(total - most_errors) + " more errors left out]");
  return out;
}

std::string harmless(const std::string& text, const std::vector<std::uint64_t>& secrets) {
  return without_numbers(without_paths(without_fences(text)), secrets);
}

// "case odd (n=5), inputs sign_mixed, 3 threads: ..." tells nothing about the kind of inputs.
std::string without_input_kind(std::string text) {
  const auto at = text.find(", inputs ");
  if (at == std::string::npos) return text;
  const auto end = text.find_first_of(",:", at + 2);
  if (end != std::string::npos) text.erase(at, end - at);
  return text;
}

const char* introduction(Verdict verdict) {
  switch (verdict) {
    case Verdict::rejected:
      return "It was refused: it ";
    case Verdict::build_timeout:
      return "Compiling it took too long: ";
    case Verdict::run_timeout:
      return "It ran too long: ";
    case Verdict::run_failed:
      return "It failed while it ran: ";
    case Verdict::wrong_result:
      return "Its results differ from the original's: ";
    default:
      return "";
  }
}

}  // namespace

std::string first_error_line(const std::string& diagnostics) {
  for (const std::string& line : lines_of(clean_text(diagnostics.substr(0, longest_input))))
    if (tells_error(line)) return line;
  return {};
}

std::string diagnostics_text(const Evaluation& evaluation, const std::vector<std::uint64_t>& secrets) {
  std::vector<std::string> lines = lines_of(clean_text(evaluation.diagnostics.substr(0, longest_input)));
  std::vector<std::string> chosen = first_errors(lines);
  if (chosen.empty()) {
    if (lines.size() > most_lines) lines.resize(most_lines);
    chosen = std::move(lines);
  }
  std::string out;
  for (const std::string& line : chosen)
    out += (line.size() > longest_line ? capped(line, longest_line) : line) + "\n";
  out = trimmed(capped(harmless(out, secrets), most_bytes));
  return fenced("", out);
}

std::string failure_text(const Evaluation& evaluation, const std::vector<std::uint64_t>& secrets) {
  std::string message = one_line(evaluation.message, longest_message);
  if (evaluation.verdict == Verdict::rejected && message.rfind("it ", 0) == 0) message = message.substr(3);
  message = harmless(without_input_kind(message), secrets);
  std::string out = introduction(evaluation.verdict) + message;
  const CheckSummary& check = evaluation.check;
  if (evaluation.verdict == Verdict::wrong_result && !check.worst_output.empty()) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "\nOver all checks the largest norm-wise error is %.2g where %.2g is allowed, in ",
                  check.max_error, check.tolerance);
    out += text + ("`" + check.worst_output + "`.");
  }
  return out;
}

std::string repairs_left_text(int left, const std::string& of) {
  if (left <= 0) return {};
  if (left == 1) return "This is the last repair" + of + ".";
  return std::to_string(left) + " repairs are left, this one included.";
}

}  // namespace noctune
