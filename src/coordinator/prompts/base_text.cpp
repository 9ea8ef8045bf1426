#include "coordinator/prompts/base_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "coordinator/prompts/ledger.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "evaluator/ceilings.hpp"
#include "mep/mutants.hpp"

namespace noctune {
namespace {

constexpr std::size_t most_references = 2, most_patterns = 5, longest_reference = 8000;

std::string roofline(const PromptInput& input, double seconds) {
  const SizedCase* one = heaviest_case(input.report);
  if (!one || seconds <= 0) return {};
  const auto floor = roofline_floor(input.device.ceilings, *one, has_narrow_floats(input.task.mep.spec));
  if (!floor || floor->seconds <= 0) return {};
  return " No version can take less than about " + duration_text(floor->seconds) + " (" + floor->words +
         "); this one takes " + fixed(seconds / floor->seconds, 1) + " times that.";
}

std::string flags_of(const Candidate& candidate) {
  std::string out;
  for (const std::string& flag : candidate.extra_flags) out += " " + flag;
  return out.empty() ? out : " It is built with the extra flags" + out + ".";
}

}  // namespace

std::string base_words(const PromptInput& input, long long base) {
  const Attempt* attempt = find_attempt(input.history, base);
  const double original = input.report.baseline_seconds;
  if (!attempt) {
    std::string out = "The original above.";
    if (original > 0) out += " A call takes " + duration_text(original) + ".";
    return out + roofline(input, original);
  }
  std::string out = "Version " + version_name(input.history, base) + ", the best so far.";
  if (attempt->total_speedup > 0) {
    out += " It is about " + fixed(attempt->total_speedup, 2) + " times as fast as the original";
    if (original > 0)
      out += "; a call takes about " + duration_text(original / attempt->total_speedup) + "." +
             roofline(input, original / attempt->total_speedup);
    else
      out += ".";
  }
  return out + flags_of(attempt->candidate);
}

std::string base_source(const PromptInput& input, long long base) {
  const Attempt* attempt = find_attempt(input.history, base);
  return attempt ? fenced("cpp", clean_text(attempt->candidate.source)) : std::string();
}

std::string references_text(const PromptInput& input, long long base) {
  std::string out;
  std::size_t shown = 0;
  for (const long long id : input.references) {
    const Attempt* attempt = find_attempt(input.history, id);
    if (!attempt || id == base || shown == most_references) continue;
    ++shown;
    out += (out.empty() ? "" : "\n\n") + ("Version " + version_name(input.history, id));
    if (attempt->total_speedup > 0) out += ", " + fixed(attempt->total_speedup, 2) + "x the original";
    out += ":\n\n" + fenced("cpp", capped(clean_text(attempt->candidate.source), longest_reference));
  }
  return out;
}

std::string patterns_text(const PromptInput& input) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most_patterns, input.patterns.size()); ++i) {
    const OfferedPattern& offered = input.patterns[i];
    std::string when;
    for (const auto& [feature, value] : offered.pattern.when)
      when += (when.empty() ? "" : ", ") + feature + " " + value;
    out += "- P" + std::to_string(offered.id) + " " + one_line(offered.pattern.name, 80) + " [" +
           one_line(offered.pattern.category, 40) + "]: " + one_line(offered.pattern.what, 600);
    if (!when.empty()) out += " When: " + one_line(when, 200) + ".";
    if (!offered.pattern.pitfalls.empty()) out += " Pitfalls: " + one_line(offered.pattern.pitfalls, 300);
    if (!offered.evidence.empty()) out += " Measured: " + one_line(offered.evidence, 120) + ".";
    out += "\n";
  }
  return without_fences(out);
}

}  // namespace noctune
