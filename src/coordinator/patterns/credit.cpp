#include "coordinator/patterns/credit.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "coordinator/rules/rules.hpp"
#include "evaluator/gain.hpp"

namespace noctune {
namespace {

// What `from` has and `taken` has not, counting repetitions.
std::vector<std::string> without(std::vector<std::string> from, const std::vector<std::string>& taken) {
  for (const std::string& one : taken)
    if (const auto found = std::find(from.begin(), from.end(), one); found != from.end()) from.erase(found);
  return from;
}

const rules::Rule* rule_of(const std::string& strategy) {
  for (const rules::Rule& rule : rules::catalogue())
    if (rule.strategy == strategy) return &rule;
  return nullptr;
}

// Parameters of the steps that both versions share, "tile.size" for instance.
std::map<std::string, std::string> shared_params(const Candidate& candidate, const std::string& changed) {
  const rules::Rule* rule = rule_of(changed);
  const std::string prefix = rule ? std::string(rule->name) + "." : std::string();
  std::map<std::string, std::string> out;
  for (const auto& [key, value] : candidate.params)
    if (key != "recipe" && (prefix.empty() || !key.starts_with(prefix))) out.emplace(key, value);
  return out;
}

std::optional<PatternChange> strategy_change(const Candidate& candidate, const Candidate& base) {
  const std::vector<std::string> added = without(candidate.strategies, base.strategies);
  const std::vector<std::string> removed = without(base.strategies, candidate.strategies);
  if (added.size() + removed.size() != 1) return {};
  const std::string& strategy = added.empty() ? removed[0] : added[0];
  if (shared_params(candidate, strategy) != shared_params(base, strategy)) return {};
  return PatternChange{pattern_name_of(strategy), added.empty()};
}

const Attempt* attempt_of(const std::vector<Attempt>& attempts, long long id) {
  const auto found = std::find_if(attempts.begin(), attempts.end(),
                                  [id](const Attempt& one) { return one.candidate.id == id; });
  return found == attempts.end() ? nullptr : &*found;
}

bool is_judged(const Attempt& attempt) {
  return !attempt.pending && attempt.verdict != Verdict::lost && attempt.verdict != Verdict::duplicate;
}

bool has_ratio(const Attempt& attempt) {
  return attempt.verdict == Verdict::ok && attempt.speedup > 0 && std::isfinite(attempt.speedup);
}

// The evidence's candidate is the version with the pattern, its base the one without.
PatternEvidence measured(const Attempt& attempt, const Candidate& base, const PatternChange& change) {
  PatternEvidence out;
  out.pattern = change.pattern;
  out.verdict = to_text(attempt.verdict);
  out.candidate = change.removed ? base.sha : attempt.candidate.sha;
  out.base = change.removed ? attempt.candidate.sha : base.sha;
  if (!has_ratio(attempt)) return out;
  const double speedup = change.removed ? 1 / attempt.speedup : attempt.speedup;
  out.log_ratio = std::log(speedup);
  out.gain = time_saved(speedup) > attempt.smallest_gain;
  return out;
}

}  // namespace

std::string pattern_name_of(const std::string& strategy) {
  std::string name;
  for (const char c : strategy) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name;
}

std::set<std::string> patterns_used(const Candidate& candidate) {
  std::set<std::string> names;
  for (const std::string& strategy : candidate.strategies) names.insert(pattern_name_of(strategy));
  names.insert(candidate.patterns.begin(), candidate.patterns.end());
  return names;
}

std::optional<PatternChange> pattern_change(const Candidate& candidate, const Candidate& base) {
  if (candidate.proposer == "rules") return strategy_change(candidate, base);
  const std::vector<std::string>& names = candidate.patterns;
  return names.size() == 1 ? std::optional(PatternChange{names[0]}) : std::nullopt;
}

std::vector<PatternEvidence> evidence_from(const std::vector<Attempt>& attempts,
                                           const CreditContext& context) {
  std::vector<PatternEvidence> out;
  for (const Attempt& attempt : attempts) {
    const Attempt* base = attempt_of(attempts, attempt.candidate.base);
    if (!base || base == &attempt || !is_judged(attempt)) continue;
    const auto change = pattern_change(attempt.candidate, base->candidate);
    if (!change || (change->removed && !has_ratio(attempt))) continue;
    PatternEvidence one = measured(attempt, base->candidate, *change);
    one.campaign = context.campaign;
    one.hotspot = context.hotspot;
    one.platform = context.platform;
    if (context.features)
      one.features = context.features(change->removed ? attempt.candidate : base->candidate);
    out.push_back(std::move(one));
  }
  return out;
}

std::string platform_name(const PrepareTask& task, const DeviceFacts& device) {
  return task.platform.backend + ", " + device.name + ", " + device.compiler;
}

}  // namespace noctune
