#include "coordinator/patterns/summary_answer.hpp"

#include <algorithm>
#include <optional>

#include "base/json.hpp"
#include "coordinator/patterns/conditions.hpp"
#include "coordinator/patterns/credit.hpp"
#include "coordinator/patterns/feature_words.hpp"

namespace noctune {
namespace {

// Widths of the results file's columns.
constexpr std::size_t longest_name = 64, longest_category = 64, longest_what = 1024, longest_pitfalls = 512;
constexpr std::size_t longest_answer = 256 << 10, most_conditions = 12;

// --- finding the JSON ---

// Moves only: a copy of an answer that nests thousands of levels deep would overflow the stack.
std::optional<Json> list_in(const std::string& text) {
  Json json = Json::parse(text, nullptr, false, true);
  if (json.is_object() && json.contains("patterns")) {
    Json list = std::move(json["patterns"]);
    json = std::move(list);
  }
  if (json.is_object() && json.contains("name")) {
    Json list = Json::array();
    list.push_back(std::move(json));
    json = std::move(list);
  }
  if (!json.is_array()) return {};
  return json;
}

// Every fenced block in turn, then the widest stretch between brackets of a kind.
std::optional<Json> find_list(const std::string& text) {
  for (std::size_t open = text.find("```"); open != std::string::npos;) {
    const std::size_t begin = text.find('\n', open);
    const std::size_t end = begin == std::string::npos ? begin : text.find("```", begin);
    if (begin == std::string::npos) break;
    if (auto list = list_in(text.substr(begin, end - begin))) return list;
    if (end == std::string::npos) break;
    open = text.find("```", end + 3);
  }
  for (const auto& [left, right] : {std::pair('{', '}'), std::pair('[', ']')}) {
    const std::size_t begin = text.find(left), end = text.rfind(right);
    if (begin == std::string::npos || end == std::string::npos || end < begin) continue;
    if (auto list = list_in(text.substr(begin, end + 1 - begin))) return list;
  }
  return {};
}

// --- one entry ---

std::string tidy(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; },
      ' ');
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

Result<std::string> text_field(const Json& entry, const char* key, std::size_t longest, bool needed) {
  const auto found = entry.find(key);
  if (found == entry.end() || found->is_null())
    return needed ? Result<std::string>(fail(std::string("\"") + key + "\" is missing")) : std::string();
  if (!found->is_string()) return fail(std::string("\"") + key + "\" is no text");
  std::string text = tidy(found->get<std::string>());
  if (needed && text.empty()) return fail(std::string("\"") + key + "\" is empty");
  if (text.size() > longest)
    return fail(std::string("\"") + key + "\" is too long", std::to_string(text.size()) + " bytes",
                "at most " + std::to_string(longest));
  return text;
}

std::optional<std::string> condition_from(const Json& value) {
  if (value.is_string()) return tidy(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return std::to_string(value.get<long long>());
  return {};
}

Result<void> read_when(const Json& entry, Pattern& out) {
  const auto found = entry.find("when");
  if (found == entry.end()) return fail("\"when\" is missing");
  if (!found->is_object()) return fail("\"when\" is no object");
  if (found->size() > most_conditions)
    return fail("\"when\" has too many conditions", "at most " + std::to_string(most_conditions));
  for (const auto& [feature, value] : found->items()) {
    const std::optional<std::string> condition = condition_from(value);
    if (!condition) return fail("the condition on \"" + feature + "\" is no text");
    out.when[feature] = *condition;
  }
  return check_conditions(out);
}

Result<Pattern> read_entry(const Json& entry) {
  if (!entry.is_object()) return fail("it is no object");
  const auto name = text_field(entry, "name", longest_name, true);
  const auto category = text_field(entry, "category", longest_category, true);
  const auto what = text_field(entry, "what", longest_what, true);
  const auto pitfalls = text_field(entry, "pitfalls", longest_pitfalls, false);
  for (const auto* field : {&name, &category, &what, &pitfalls})
    if (!*field) return Failure(field->error());
  Pattern out;
  out.name = pattern_name_of(*name);
  if (out.name.empty()) return fail("\"name\" has no letter and no digit");
  out.category = *category;
  out.what = *what;
  out.pitfalls = *pitfalls;
  if (const auto when = read_when(entry, out); !when) return Failure(when.error());
  return out;
}

}  // namespace

Result<std::vector<Pattern>> read_patterns(const std::string& text, std::vector<std::string>* problems) {
  if (text.size() > longest_answer) return fail("the patterns cannot be read", "the answer is too long");
  const std::optional<Json> list = find_list(text);
  if (!list)
    return fail("the patterns cannot be read", "the answer holds no JSON list of patterns",
                "one fenced block with {\"patterns\": [...]}");
  std::vector<Pattern> out;
  std::string first_problem;
  for (std::size_t i = 0; i < std::min(list->size(), most_patterns_per_answer); ++i) {
    Result<Pattern> one = read_entry((*list)[i]);
    if (one) {
      out.push_back(std::move(*one));
      continue;
    }
    const std::string problem = "pattern " + std::to_string(i + 1) + ": " + one.error().text();
    if (first_problem.empty()) first_problem = problem;
    if (problems) problems->push_back(problem);
  }
  if (problems && list->size() > most_patterns_per_answer)
    problems->push_back("only the first " + std::to_string(most_patterns_per_answer) + " patterns were read");
  if (out.empty() && !first_problem.empty()) return fail("no pattern can be used", first_problem);
  return out;
}

std::string pattern_schema_text() {
  OrderedJson when{{"type", "object"}, {"additionalProperties", false}};
  for (const FeatureWord& word : feature_words()) {
    std::string values = word.is_number() ? "a number; write >=2 or <=2" : "";
    for (const std::string& value : word.values) values += (values.empty() ? "" : ", ") + value;
    when["properties"][word.name] = {{"type", "string"}, {"description", word.rule + " (" + values + ")"}};
  }
  when["description"] = "every entry must hold: a value, a|b, !a, >=2, <=2 or any";
  const auto text = [](std::size_t longest, const char* description) {
    return OrderedJson{{"type", "string"}, {"maxLength", longest}, {"description", description}};
  };
  const OrderedJson entry{
      {"type", "object"},
      {"required", {"name", "category", "when", "what"}},
      {"properties",
       {{"name", text(longest_name, "short, unique: letters, digits, hyphens")},
        {"category", text(longest_category, "mechanism: parallelism, memory access, tiling, ...")},
        {"when", when},
        {"what", text(longest_what, "the change, schematic, without this kernel's names")},
        {"pitfalls", text(longest_pitfalls, "what goes wrong, and when")}}}};
  const OrderedJson schema{
      {"type", "object"},
      {"required", {"patterns"}},
      {"properties",
       {{"patterns", {{"type", "array"}, {"maxItems", most_patterns_per_answer}, {"items", entry}}}}}};
  return schema.dump(1);
}

}  // namespace noctune
