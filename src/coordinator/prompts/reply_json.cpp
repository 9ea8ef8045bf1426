#include "coordinator/prompts/reply_json.hpp"

#include <algorithm>

namespace noctune {
namespace {

constexpr std::size_t most_starts = 50;
constexpr int deepest = 16;

// JSON as models write it becomes JSON: no commas before a closing bracket, line ends in strings escaped.
std::string repaired(const std::string& text) {
  std::string out;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (inside && c == '\\' && at + 1 < text.size()) {
      out += c;
      out += text[++at];
      continue;
    }
    if (c == '"') inside = !inside;
    if (inside) {
      if (c == '\n')
        out += "\\n";
      else if (c == '\t')
        out += "\\t";
      else
        out += c;
      continue;
    }
    if (c == ',') {
      const auto next = text.find_first_not_of(" \t\n", at + 1);
      if (next != std::string::npos && (text[next] == '}' || text[next] == ']')) continue;
    }
    out += c;
  }
  return out;
}

std::string without_comments(const std::string& text) {
  std::string out;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (inside && c == '\\' && at + 1 < text.size()) {
      out += c;
      out += text[++at];
      continue;
    }
    if (c == '"') inside = !inside;
    if (!inside && text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (!inside && text.compare(at, 2, "/*") == 0) {
      const auto end = text.find("*/", at + 2);
      at = end == std::string::npos ? text.size() : end + 1;
    } else {
      out += c;
    }
  }
  return out;
}

// Where the bracket at `from` is closed; npos where it is not.
std::size_t matching(const std::string& text, std::size_t from) {
  int depth = 0;
  bool inside = false;
  for (std::size_t at = from; at < text.size(); ++at) {
    const char c = text[at];
    if (inside && c == '\\') {
      ++at;
      continue;
    }
    if (c == '"') inside = !inside;
    if (inside) continue;
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (depth == 0) return at;
  }
  return std::string::npos;
}

// Deeper values are left out: copies and destruction of JSON recurse.
bool not_too_deep(int depth, Json::parse_event_t, Json&) {
  return depth <= deepest;
}

}  // namespace

Json first_json(const std::string& text) {
  const std::string clean = without_comments(text);
  std::size_t starts = 0;
  for (auto at = clean.find_first_of("{["); at != std::string::npos && starts < most_starts;
       at = clean.find_first_of("{[", at + 1), ++starts) {
    const std::size_t end = matching(clean, at);
    if (end == std::string::npos) continue;
    Json json = Json::parse(repaired(clean.substr(at, end - at + 1)), not_too_deep, false);
    const bool list = json.is_array() && !json.empty() && json.front().is_object();
    if (list || (json.is_object() && !json.empty())) return json;
  }
  return {};
}

}  // namespace noctune
