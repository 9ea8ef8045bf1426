#include "coordinator/patterns/library_lines.hpp"

#include "coordinator/patterns/conditions.hpp"
#include "model/pattern_json.hpp"

namespace noctune {
namespace {

// A file full of rubbish must not become a report full of rubbish.
constexpr std::size_t most_problems = 20;

std::string line(const char* key, const Json& value) {
  return Json{{key, value}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

template <class T>
Result<void> add(Result<T> one, PatternState& state) {
  if (!one) return Failure(one.error());
  state.add(*one);
  return {};
}

Result<void> add_pattern(const Json& json, PatternState& state) {
  Result<Pattern> pattern = pattern_from(json);
  if (!pattern) return Failure(pattern.error());
  if (pattern->name.empty()) return fail("this is no pattern", "it has no name");
  if (const auto checked = check_conditions(*pattern); !checked) return checked;
  state.add(*pattern);
  return {};
}

Result<void> read_line(std::string_view text, PatternState& state) {
  if (text.size() > longest_line) return fail("the line is too long");
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.size() != 1) return fail("this is no JSON object with one key");
  const std::string& key = json.begin().key();
  const Json& value = json.begin().value();
  if (key == "pattern") return add_pattern(value, state);
  if (key == "evidence") return add(pattern_evidence_from(value), state);
  if (key == "trial") return add(pattern_trial_from(value), state);
  return fail("nothing is called \"" + key + "\"", {}, "lines hold a pattern, evidence or a trial");
}

bool is_blank(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r");
  return start == std::string_view::npos || text.substr(start).starts_with("//");
}

}  // namespace

std::string line_of(const Pattern& pattern) {
  return line("pattern", to_json(pattern));
}

std::string line_of(const PatternEvidence& evidence) {
  return line("evidence", to_json(evidence));
}

std::string line_of(const PatternTrial& trial) {
  return line("trial", to_json(trial));
}

void read_lines(std::string_view text, const std::string& file, PatternState& state,
                std::vector<std::string>& problems) {
  std::size_t number = 0, bad = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    const std::string_view one = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (is_blank(one)) continue;
    const Result<void> read = read_line(one, state);
    if (!read && ++bad <= most_problems)
      problems.push_back(file + ":" + std::to_string(number) + ": " + read.error().text());
  }
  if (bad > most_problems)
    problems.push_back(file + ": " + std::to_string(bad - most_problems) + " more malformed lines");
}

}  // namespace noctune
