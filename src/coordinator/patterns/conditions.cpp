#include "coordinator/patterns/conditions.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/json.hpp"
#include "coordinator/patterns/feature_words.hpp"

namespace noctune {
namespace {

constexpr const char* anything = "any";

std::vector<std::string> terms_of(const std::string& condition) {
  std::vector<std::string> terms;
  for (std::size_t at = 0; at <= condition.size();) {
    const std::size_t bar = std::min(condition.find('|', at), condition.size());
    terms.push_back(condition.substr(at, bar - at));
    at = bar + 1;
  }
  return terms;
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return {};
  return value;
}

bool is_bound(const std::string& term) {
  return term.starts_with(">=") || term.starts_with("<=");
}

bool term_holds(const std::string& term, const std::string& value) {
  if (is_bound(term)) {
    const auto bound = number_in(term.substr(2)), number = number_in(value);
    if (!bound || !number) return false;
    return term[0] == '>' ? *number >= *bound : *number <= *bound;
  }
  if (term.starts_with("!")) return term.size() > 1 && term.substr(1) != value;
  return !term.empty() && term == value;
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

Result<void> check_term(const FeatureWord& word, const std::string& term, const std::string& problem) {
  if (is_bound(term)) {
    if (!word.is_number()) return fail(problem, "it is no number and has no bounds", listed(word.values));
    if (!number_in(term.substr(2))) return fail(problem, "\"" + term + "\" has no number");
    return {};
  }
  const std::string value = term.starts_with("!") ? term.substr(1) : term;
  if (value.empty()) return fail(problem, "a term is empty", "write a|b, !a, >=2 or any");
  if (value == anything) return fail(problem, "\"any\" stands alone");
  if (word.is_number() ? number_in(value).has_value()
                       : std::find(word.values.begin(), word.values.end(), value) != word.values.end())
    return {};
  return fail(problem, "\"" + value + "\" is no value of it",
              word.is_number() ? "write a number, >=2 or <=2" : "it is one of " + listed(word.values));
}

}  // namespace

Result<void> check_condition(const std::string& feature, const std::string& condition) {
  const std::string problem = "the condition \"" + feature + "\": \"" + condition + "\" cannot be checked";
  const FeatureWord* word = find_feature(feature);
  if (!word) {
    const std::string near = closest(feature, feature_names());
    return fail(problem, "there is no feature \"" + feature + "\"",
                near.empty() ? "features are " + listed(feature_names()) : "did you mean \"" + near + "\"?");
  }
  if (condition == anything) return {};
  for (const std::string& term : terms_of(condition))
    if (const auto checked = check_term(*word, term, problem); !checked) return checked;
  return {};
}

Result<void> check_conditions(const Pattern& pattern) {
  for (const auto& [feature, condition] : pattern.when)
    if (const auto checked = check_condition(feature, condition); !checked) return checked;
  return {};
}

bool holds(const std::string& condition, const std::string& value) {
  if (condition == anything) return true;
  if (value.empty() || value == unknown_feature) return false;
  const std::vector<std::string> terms = terms_of(condition);
  return std::any_of(terms.begin(), terms.end(),
                     [&](const std::string& term) { return term_holds(term, value); });
}

std::vector<std::string> unmet(const Pattern& pattern, const KernelFeatures& features) {
  std::vector<std::string> out;
  for (const auto& [feature, condition] : pattern.when) {
    const auto found = features.find(feature);
    const std::string value = found == features.end() ? unknown_feature : found->second;
    if (!holds(condition, value)) out.push_back(feature + " is " + value + ", not " + condition);
  }
  return out;
}

bool applies(const Pattern& pattern, const KernelFeatures& features) {
  return unmet(pattern, features).empty();
}

}  // namespace noctune
