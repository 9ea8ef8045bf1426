#include "coordinator/prompts/plan_reply.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "coordinator/prompts/plain_text.hpp"
#include "coordinator/prompts/reply_blocks.hpp"
#include "coordinator/prompts/reply_json.hpp"
#include "coordinator/prompts/version.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest_plan = 256 * 1024, most_entries = 20;

bool is_entry(const Json& json) {
  return json.is_object() && json.contains("name") && json.contains("what");
}

// The list itself, or a list one or two objects down, or a single entry.
const Json* find_list(const Json& json, Json& single, int depth = 0) {
  if (json.is_array()) return &json;
  if (!json.is_object() || depth > 2) return nullptr;
  if (is_entry(json)) {
    single = Json::array({json});
    return &single;
  }
  for (const auto& [key, value] : json.items())
    if (value.is_array() && !value.empty() && value.front().is_object()) return &value;
  for (const auto& [key, value] : json.items())
    if (const Json* found = find_list(value, single, depth + 1)) return found;
  return nullptr;
}

Result<Json> read_list(const std::string& reply) {
  const std::string hint = "answer with one fenced block of JSON as shown, and nothing else";
  if (reply.size() > longest_plan)
    return fail("the answer is too long", std::to_string(reply.size()) + " bytes", hint);
  const ReplyText read = read_blocks(reply);
  std::vector<std::string> texts;
  for (const ReplyBlock& block : read.blocks) texts.push_back(block.content);
  texts.push_back(read.outside);
  for (const std::string& text : texts) {
    const Json json = first_json(text);
    Json single;
    if (const Json* list = find_list(json, single)) return *list;
  }
  return fail("the answer holds no list in JSON", "no complete JSON object was found", hint);
}

std::string text_of(const Json& entry, const char* key, std::size_t bytes) {
  const auto found = entry.find(key);
  if (found == entry.end() || found->is_null()) return {};
  if (found->is_string()) return one_line(found->get_ref<const std::string&>(), bytes);
  return found->is_number() ? found->dump() : std::string();
}

bool flag_of(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end()) return false;
  if (found->is_boolean()) return found->get<bool>();
  return found->is_string() && (lower_case(*found) == "true" || lower_case(*found) == "yes");
}

// 1.3, "1.3x", "30 %" and 0.3 are the same gain.
double gain_of(const Json& entry) {
  const std::string text = text_of(entry, "expected_gain", 40);
  const auto from = text.find_first_of("0123456789.");
  if (from == std::string::npos) return 1;
  double value = std::strtod(text.c_str() + from, nullptr);
  if (text.find('%') != std::string::npos) value = 1 + value / 100;
  if (value < 1) value += 1;
  return std::isfinite(value) ? std::min(value, 1000.0) : 1;
}

std::vector<std::string> ids_of(const Json& entry) {
  const auto found = entry.find("patterns");
  std::string text;
  if (found != entry.end() && found->is_array())
    for (const Json& one : *found)
      text += (one.is_string() ? one.get<std::string>() : one.is_number() ? one.dump() : "") + " ";
  else
    text = text_of(entry, "patterns", 400);
  return read_pattern_ids(text);
}

// Nothing where `why` says what is missing.
bool read_hypothesis(const Json& entry, Hypothesis& out, std::string& why) {
  if (!entry.is_object()) {
    why = "an entry is no object";
    return false;
  }
  out.name = text_of(entry, "name", 80);
  out.what = text_of(entry, "what", 1200);
  const std::string mechanism = text_of(entry, "mechanism", 80);
  out.mechanism = mechanism_from(mechanism);
  out.counter = text_of(entry, "counter", 300);
  out.risk = text_of(entry, "risk", 300);
  out.expected_gain = gain_of(entry);
  out.patterns = ids_of(entry);
  out.radical = flag_of(entry, "radical");
  out.combines = flag_of(entry, "combines");
  if (out.name.empty())
    why = "an entry has no name";
  else if (out.what.empty())
    why = "`what` of \"" + out.name + "\" is missing";
  else if (out.mechanism.empty())
    why = "the mechanism \"" + mechanism + "\" of \"" + out.name + "\" is not known";
  else
    return true;
  return false;
}

}  // namespace

std::string mechanism_from(const std::string& words) {
  const std::string text = lower_case(words);
  struct Meaning {
    const char* stem;
    std::size_t mechanism;
  };
  // The first stem that occurs decides; synchronisation in both spellings.
  constexpr Meaning meanings[] = {
      {"synchroni", 3}, {"parallel", 0},   {"thread", 0},    {"launch", 0}, {"tiling", 2}, {"tile", 2},
      {"reuse", 2},     {"block", 2},      {"memory", 1},    {"cache", 1},  {"layout", 1}, {"compiler", 6},
      {"algorithm", 5}, {"arithmetic", 4}, {"precision", 4}, {"vector", 4}, {"simd", 4},   {"flags", 6}};
  std::size_t first = std::string::npos, chosen = mechanisms.size();
  for (const Meaning& meaning : meanings)
    if (const auto at = text.find(meaning.stem); at < first) {
      first = at;
      chosen = meaning.mechanism;
    }
  return chosen < mechanisms.size() ? mechanisms[chosen] : "";
}

Result<std::vector<Hypothesis>> read_plan(const std::string& reply) {
  const Result<Json> list = read_list(reply);
  if (!list) return Failure(list.error());
  std::vector<Hypothesis> out;
  std::string first_problem;
  for (const Json& entry : *list) {
    Hypothesis one;
    std::string why;
    if (read_hypothesis(entry, one, why) && out.size() < most_entries) out.push_back(std::move(one));
    if (first_problem.empty()) first_problem = why;
  }
  if (!out.empty()) return out;
  std::string known;
  for (const char* mechanism : mechanisms) known += (known.empty() ? "" : ", ") + std::string(mechanism);
  return fail("the plan holds no hypothesis that can be used",
              first_problem.empty() ? "the list is empty" : first_problem,
              "every entry needs name, what and a mechanism of " + known);
}

}  // namespace noctune
