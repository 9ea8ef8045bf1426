#include "report/gate_account.hpp"

#include "base/text.hpp"
#include "report/account_lines.hpp"
#include "report/gate_advice.hpp"
#include "report/report_style.hpp"
#include "report/text_table.hpp"

namespace noctune {
namespace {

constexpr int diagnostic_lines = 20, warning_lines = 6;

// What every gate's part needs.
struct Account {
  const VersionAccount& version;
  const HotspotAccount& hotspot;
  const ReportOptions& options;
  std::optional<Gate> refused;

  const Evaluation& screening() const { return version.screening; }
  bool reached(Gate gate) const { return !refused || *refused >= gate; }
  std::string line(Gate gate, GateState state, const std::string& text) const {
    return gate_line(to_text(gate), state, text, options);
  }
  std::string not_reached(Gate gate) const { return line(gate, GateState::not_reached, ""); }
  std::string advice() const {
    return note_line("what to do", advice_for(screening(), hotspot.setup), options);
  }
  std::string diagnostics(int lines) const {
    return quoted_lines(shortened_diagnostics(screening().diagnostics, version.file, lines), options);
  }
};

// The message with the author's name for the file.
std::string message_of(const Account& account) {
  std::string out = shortened_diagnostics(account.screening().message, account.version.file, 1);
  if (!out.empty()) out.pop_back();
  return out;
}

std::string check_text(const VersionAccount& version) {
  const CheckSummary& check = version.screening.check;
  const std::string looked = counted(version.extent.calls, "call") + " on " +
                             counted(version.extent.cases, "case") + " with " +
                             counted(version.extent.seeds, "input seed");
  if (check.worst_output.empty()) return looked;  // no output is compared by value
  if (check.max_error == 0) return looked + "; every compared output equal";
  return looked + "; worst output " + check.worst_output + ": error " + short_number(check.max_error) +
         ", tolerance " + short_number(check.tolerance);
}

std::string timing_text(const TimingSummary& timing) {
  return timing.case_name + ": " + duration_text(timing.reference_trimmed_mean) + " -> " +
         duration_text(timing.trimmed_mean) + " a call, " + factor(timing.speedup) + ", 95 % interval " +
         interval(timing.interval_low, timing.interval_high) + ", " +
         counted(static_cast<long long>(timing.samples.size()), "round");
}

std::string policy_gate(const Account& account) {
  if (account.refused != Gate::policy) return account.line(Gate::policy, GateState::passed, "");
  return account.line(Gate::policy, GateState::refused, account.screening().message) + account.advice();
}

// A version may be refused by policy for what its build showed.
std::string build_gate(const Account& account) {
  const Evaluation& screening = account.screening();
  if (account.refused == Gate::build)
    return account.line(Gate::build, GateState::refused, message_of(account)) + account.advice() +
           account.diagnostics(diagnostic_lines);
  if (screening.binary_sha.empty()) return account.not_reached(Gate::build);
  const bool same = screening.binary_sha == account.hotspot.baselined.baseline.binary_sha;
  std::string out = account.line(Gate::build, GateState::passed,
                                 "in " + duration_text(screening.seconds.build) +
                                     (same ? "; the same machine code as the original" : ""));
  if (!account.refused) out += account.diagnostics(warning_lines);  // later gates put their output there
  return out;
}

std::string check_gate(const Account& account) {
  if (!account.reached(Gate::check)) return account.not_reached(Gate::check);
  const std::string looked = check_text(account.version);
  if (account.refused != Gate::check) return account.line(Gate::check, GateState::passed, looked);
  std::string out = account.line(Gate::check, GateState::refused, account.screening().message);
  if (account.screening().verdict == Verdict::wrong_result)
    out += note_line("looked at", looked, account.options);
  return out + account.advice() + account.diagnostics(diagnostic_lines);
}

std::string time_gate(const Account& account) {
  if (!account.reached(Gate::time)) return account.not_reached(Gate::time);
  const Evaluation& screening = account.screening();
  if (account.refused == Gate::time)
    return account.line(Gate::time, GateState::refused, screening.message) + account.advice() +
           account.diagnostics(diagnostic_lines);
  std::string all;
  for (const TimingSummary& timing : screening.timings)
    all += (all.empty() ? "" : "; ") + timing_text(timing);
  if (screening.timings.size() > 1) all += "; together " + factor(screening.speedup);
  const auto asked = static_cast<std::size_t>(account.hotspot.setup.search.repeats);
  if (!screening.timings.empty() && screening.timings.front().samples.size() < asked)
    all += " instead of " + std::to_string(asked) + ", since its first call was already hopelessly slow";
  return account.line(Gate::time, GateState::passed, all);
}

std::string verdict_line(const std::string& word, const std::string& colour, const std::string& rest,
                         const ReportOptions& options) {
  const std::string text = wrapped("Verdict: " + word + rest, static_cast<std::size_t>(options.width), 2);
  const std::size_t start = text.find(word);
  return "\n" + text.substr(0, start) + coloured(word, colour, options) + text.substr(start + word.size()) +
         "\n";
}

std::string refused_pair(const Evaluation& pair, const HotspotAccount& hotspot,
                         const ReportOptions& options) {
  return gate_line("confirm", GateState::refused, pair.message, options) +
         note_line("what to do", advice_for(pair, hotspot.setup), options) +
         verdict_line(to_text(pair.verdict), "failed", ", refused in a fresh process", options);
}

std::string explained(GainVerdict verdict, const Confirmation& confirmation, const HotspotAccount& hotspot) {
  if (verdict == GainVerdict::indistinguishable)
    return ": neither a gain nor a loss can be told from noise; more samples (--set search.repeats=...) or "
           "pairs (--set search.confirm_pairs=...) tell smaller differences";
  std::string out = ": " + factor(confirmation.speedup) + " the speed of the original, 95 % interval " +
                    interval(confirmation.low, confirmation.high);
  const double needed = smallest_gain(hotspot.setup.search, hotspot.baselined.report.spread);
  if (verdict == GainVerdict::faster && time_saved(confirmation.speedup) <= needed)
    out += "; a search would not start its next round from so small a gain";
  return out;
}

}  // namespace

const char* to_text(Gate gate) {
  constexpr const char* names[] = {"policy", "build", "check", "time"};
  return names[static_cast<int>(gate)];
}

std::optional<Gate> refusing_gate(const Evaluation& screening) {
  switch (screening.verdict) {
    case Verdict::ok:
      return std::nullopt;
    case Verdict::rejected:
      return Gate::policy;
    case Verdict::build_failed:
    case Verdict::build_timeout:
    case Verdict::duplicate:
      return Gate::build;
    case Verdict::lost:
      if (screening.binary_sha.empty()) return Gate::build;
      break;
    case Verdict::run_failed:
    case Verdict::run_timeout:
    case Verdict::wrong_result:
    case Verdict::unstable:
      break;
  }
  return screening.check.passed ? Gate::time : Gate::check;
}

std::string gate_account(const VersionAccount& version, const HotspotAccount& hotspot,
                         const ReportOptions& options) {
  const Account account{version, hotspot, options, refusing_gate(version.screening)};
  std::string out =
      emphasised("Version " + version.file + (version.flags.empty() ? "" : " with " + version.flags),
                 options) +
      "\n" + policy_gate(account) + build_gate(account) + check_gate(account) + time_gate(account);
  if (!account.refused) return out;
  return out + gate_line("confirm", GateState::not_reached, "", options) +
         verdict_line(to_text(version.screening.verdict), "failed",
                      std::string(", refused at the gate ") + to_text(*account.refused), options);
}

std::string confirmation_account(const Confirmation& confirmation, const std::vector<Evaluation>& pairs,
                                 const HotspotAccount& hotspot, const ReportOptions& options) {
  if (confirmation.refused) return refused_pair(pairs[*confirmation.refused], hotspot, options);
  if (!confirmation.complete()) return refused_pair(pairs.back(), hotspot, options);
  const GainVerdict verdict = judge_gain(confirmation, confirmation.p_value, hotspot.setup.search.min_gain);
  const std::string text =
      counted(static_cast<long long>(confirmation.log_speedups.size()), "fresh process pair") + ": " +
      duration_text(confirmation.baseline_seconds) + " -> " + duration_text(confirmation.seconds) +
      " a call, " + factor(confirmation.speedup) + ", 95 % interval " +
      interval(confirmation.low, confirmation.high) + ", p = " + short_number(confirmation.p_value);
  return gate_line("confirm", GateState::passed, text, options) +
         verdict_line(to_text(verdict), to_text(verdict), explained(verdict, confirmation, hotspot), options);
}

}  // namespace noctune
