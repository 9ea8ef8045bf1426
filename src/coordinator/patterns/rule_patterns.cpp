#include "coordinator/patterns/rule_patterns.hpp"

#include <algorithm>
#include <set>

#include "coordinator/patterns/credit.hpp"
#include "coordinator/patterns/feature_words.hpp"
#include "coordinator/patterns/ranking.hpp"
#include "coordinator/patterns/rule_texts.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune {
namespace {

using Values = std::set<std::string>;

// Values of a feature, without unknown ones; nothing where any is unknown.
Values values_of(const std::vector<PatternEvidence>& evidence, const std::string& feature, bool gain,
                 int& uses) {
  Values values;
  uses = 0;
  for (const PatternEvidence& one : evidence) {
    if (one.gain != gain) continue;
    const auto found = one.features.find(feature);
    if (found == one.features.end() || found->second == unknown_feature) return {};
    values.insert(found->second);
    ++uses;
  }
  return values;
}

bool have_common(const Values& a, const Values& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& value) { return b.count(value) > 0; });
}

std::string either(const Values& values) {
  std::string out;
  for (const std::string& value : values) out += (out.empty() ? "" : "|") + value;
  return out;
}

void narrow(Pattern& pattern, const FeatureWord& word, const std::vector<PatternEvidence>& evidence) {
  int gains = 0, failures = 0;
  const Values good = values_of(evidence, word.name, true, gains);
  const Values bad = values_of(evidence, word.name, false, failures);
  const bool told_apart = failures >= uses_to_narrow && !bad.empty() && !have_common(good, bad);
  if (gains < uses_to_narrow || good.empty() || !(told_apart || word.name == "dtype")) return;
  pattern.when[word.name] = either(good);
}

}  // namespace

const std::vector<Pattern>& rule_patterns() {
  static const std::vector<Pattern> patterns = [] {
    std::vector<Pattern> all;
    for (const rules::Rule& rule : rules::catalogue()) {
      const RuleText text = rule_text(rule.name);
      Pattern one;
      one.name = pattern_name_of(rule.strategy);
      one.category = rule.kind;
      one.when = text.when;
      one.what = text.what;
      one.pitfalls = text.pitfalls;
      all.push_back(std::move(one));
    }
    return all;
  }();
  return patterns;
}

Pattern narrowed(const Pattern& pattern, const std::vector<PatternEvidence>& evidence) {
  Pattern out = pattern;
  for (const FeatureWord& word : feature_words())
    if (!word.is_number() && word.name != "backend") narrow(out, word, evidence);
  if (out.when != pattern.when) out.revision = static_cast<int>(evidence.size());
  return out;
}

std::vector<Pattern> learnt_rule_patterns(const std::vector<KnownPattern>& known) {
  std::vector<Pattern> out;
  for (const Pattern& pattern : rule_patterns()) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const KnownPattern& one) {
      return one.pattern.name == pattern.name;
    });
    if (found == known.end()) {
      out.push_back(pattern);
      continue;
    }
    const Pattern better = narrowed(pattern, found->evidence);
    if (better.revision > found->pattern.revision) out.push_back(better);
  }
  return out;
}

std::map<std::string, double> rule_priors(const std::vector<KnownPattern>& patterns,
                                          const KernelFeatures& features, const std::string& platform) {
  std::map<std::string, double> priors;
  const std::vector<Offer> offers = offered(patterns, features, platform, {}, patterns.size());
  for (const rules::Rule& rule : rules::catalogue())
    for (const Offer& offer : offers)
      if (offer.pattern.name == pattern_name_of(rule.strategy) && offer.here.uses + offer.elsewhere.uses > 0)
        priors[rule.strategy] = believed_effect(offer);
  return priors;
}

}  // namespace noctune
