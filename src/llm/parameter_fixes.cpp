#include "llm/parameter_fixes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace noctune {
namespace {

constexpr std::array caps = {"max_tokens", "max_completion_tokens", "max_output_tokens"};
// A request makes sense without any of these.
constexpr std::array optional_keys = {
    "temperature",          "reasoning_effort", "reasoning",       "thinking", "output_config",
    "chat_template_kwargs", "stream_options",   "enable_thinking", "store",    "stream"};
constexpr const char* cache_mark = "cache_control";
constexpr int smallest_cap = 256;  // smaller numbers in a message are no caps

bool is_cap(const std::string& key) {
  return std::find(caps.begin(), caps.end(), key) != caps.end();
}

std::vector<std::string> changeable_keys() {
  std::vector<std::string> out(caps.begin(), caps.end());
  out.insert(out.end(), optional_keys.begin(), optional_keys.end());
  return out;
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Where `text` names `word` as a whole word; npos otherwise.
std::size_t find_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_character(text[at - 1])) &&
        (end == text.size() || !is_word_character(text[end])))
      return at;
  }
  return std::string::npos;
}

// The parameter of ours that a refusal is about.
std::string refused_key(const OrderedJson& body, const std::string& param, const std::string& message) {
  if (find_word(param + " " + message, cache_mark) != std::string::npos) return cache_mark;
  const std::string root = param.substr(0, param.find_first_of(".[ "));
  std::string best;
  std::size_t first = std::string::npos;
  for (const std::string& key : changeable_keys()) {
    if (!body.contains(key)) continue;
    if (root == key) return key;
    if (const std::size_t at = find_word(message, key); at < first) {
      first = at;
      best = key;
    }
  }
  return best;
}

// "max_tokens: 128000 > 64000, the maximum": the largest number below what was asked.
int allowed_cap(const std::string& message, int asked) {
  int best = 0;
  for (std::size_t at = 0; at < message.size();) {
    if (std::isdigit(static_cast<unsigned char>(message[at])) == 0) {
      ++at;
      continue;
    }
    int number = 0;
    const char* const end = message.data() + message.size();
    const auto [stop, error] = std::from_chars(message.data() + at, end, number);
    if (error == std::errc() && number >= smallest_cap && number < asked) best = std::max(best, number);
    at = static_cast<std::size_t>(stop - message.data());
  }
  return best;
}

bool learn_cap(ParameterFixes& fixes, const OrderedJson& body, const std::string& key,
               const std::string& message) {
  const std::string other = key == caps[0] ? caps[1] : caps[0];
  // Only chat completions, which are known by their stream options, have two names for it.
  const bool may_rename = key != caps[2] && fixes.renamed.empty() && body.contains("stream_options");
  const bool other_named = find_word(message, other) != std::string::npos;
  const int asked = body[key].is_number_integer() ? body[key].get<int>() : 0;
  if (!other_named)
    if (const int allowed = allowed_cap(message, asked); allowed > 0) {
      fixes.output_cap = allowed;
      return true;
    }
  if (!may_rename) return false;
  fixes.renamed[key] = other;
  return true;
}

void drop_everywhere(OrderedJson& json, const char* key) {
  if (json.is_object()) json.erase(key);
  if (json.is_structured())
    for (OrderedJson& child : json) drop_everywhere(child, key);
}

}  // namespace

bool learn_from(ParameterFixes& fixes, const OrderedJson& body, const std::string& param,
                const std::string& message) {
  const std::string key = refused_key(body, param, message);
  if (key.empty()) return false;
  if (is_cap(key)) return learn_cap(fixes, body, key, message);
  return fixes.dropped.insert(key).second;
}

int cap_within_context(const std::string& message, long long prompt_tokens, int asked) {
  constexpr std::string_view words = "context length is ";
  constexpr long long margin = 64, least = 512;
  const std::size_t at = message.find(words);
  if (at == std::string::npos) return 0;
  long long limit = 0;
  std::from_chars(message.data() + at + words.size(), message.data() + message.size(), limit);
  const long long left = limit - prompt_tokens - margin;
  return left >= least && left < asked ? static_cast<int>(left) : 0;
}

void apply_fixes(const ParameterFixes& fixes, OrderedJson& body) {
  for (const char* key : caps)
    if (fixes.output_cap > 0 && body.contains(key) && body[key].get<int>() > fixes.output_cap)
      body[key] = fixes.output_cap;
  for (const auto& [from, to] : fixes.renamed)
    if (body.contains(from)) {
      body[to] = body[from];
      body.erase(from);
    }
  for (const std::string& key : fixes.dropped) {
    if (key == cache_mark) drop_everywhere(body, cache_mark);
    body.erase(key);
    if (key == "stream") body.erase("stream_options");  // refused without it
  }
}

}  // namespace noctune
