#include "llm/json_field.hpp"

#include "base/utf8.hpp"

namespace noctune {
namespace {

constexpr double largest_count = 1e9;
const Json nothing;

}  // namespace

const Json& field(const Json& json, const char* key) {
  if (!json.is_object()) return nothing;
  const auto found = json.find(key);
  return found == json.end() ? nothing : *found;
}

const Json& element(const Json& json, std::size_t index) {
  return json.is_array() && index < json.size() ? json[index] : nothing;
}

std::string text_field(const Json& json, const char* key) {
  const Json& value = field(json, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool is_count(const Json& json, const char* key) {
  const Json& value = field(json, key);
  if (!value.is_number()) return false;
  const auto number = value.get<double>();
  return number >= 0 && number <= largest_count;
}

long long count_field(const Json& json, const char* key) {
  return is_count(json, key) ? static_cast<long long>(field(json, key).get<double>()) : 0;
}

std::string word_field(const Json& json, const char* key) {
  const Json& value = field(json, key);
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_integer() ? std::to_string(value.get<long long>()) : std::string();
}

Json parsed_reply(std::string_view bytes) {
  return Json::parse(repaired_utf8(bytes), nullptr, false);
}

}  // namespace noctune
