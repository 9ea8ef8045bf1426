#include "model/c_type.hpp"

#include <algorithm>
#include <sstream>

#include "model/expression.hpp"

namespace noctune {
namespace {

constexpr long long largest_array = 1LL << 30;

std::string trimmed_right(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// The "(* const)" of a pointer to arrays: from its bracket to behind the closing one; npos where there is
// none.
std::size_t inner_pointer(const std::string& type) {
  const std::size_t open = type.find('(');
  if (open == std::string::npos) return open;
  const std::size_t star = type.find_first_not_of(' ', open + 1);
  return star != std::string::npos && type[star] == '*' ? open : std::string::npos;
}

bool is_qualifier(const std::string& word) {
  for (const char* known : {"const", "volatile", "restrict", "__restrict", "__restrict__", "struct"})
    if (word == known) return true;
  return false;
}

std::string without_qualifiers(const std::string& type) {
  std::istringstream words(type);
  std::string out, word;
  while (words >> word)
    if (!is_qualifier(word)) out += (out.empty() ? "" : " ") + word;
  return out;
}

// An extent is a number, or a macro that the spec defines.
std::optional<long long> extent_value(const std::string& text,
                                      const std::map<std::string, std::string>& defines, int depth = 0) {
  const auto names = names_in(text);
  if (!names || depth > 8) return {};
  Symbols symbols;
  for (const std::string& name : *names) {
    const auto found = defines.find(name);
    if (found == defines.end()) return {};
    const auto value = extent_value(found->second, defines, depth + 1);
    if (!value) return {};
    symbols[name] = static_cast<double>(*value);
  }
  const auto value = evaluate_integer(text, symbols);
  return value ? std::optional<long long>(*value) : std::nullopt;
}

}  // namespace

std::string parameter_type(const std::string& type) {
  const std::size_t bracket = type.find('[');
  if (bracket == std::string::npos || inner_pointer(type) != std::string::npos) return type;
  const std::size_t end = type.rfind(']');
  const std::string base = trimmed_right(type.substr(0, bracket));
  const std::string behind = end == std::string::npos ? "" : type.substr(end + 1);
  if (behind.find('*') != std::string::npos)
    return base + " (" + trimmed_right(behind.substr(behind.find('*'))) + ")" +
           type.substr(bracket, end + 1 - bracket);
  const std::size_t second = type.find('[', bracket + 1);
  return second == std::string::npos ? base + "*" : base + " (*)" + type.substr(second);
}

std::string declared(const std::string& type, const std::string& name) {
  if (const std::size_t open = inner_pointer(type); open != std::string::npos) {
    const std::size_t close = type.find(')', open);
    const bool word = close != std::string::npos && type[close - 1] != '*';
    return close == std::string::npos ? type
                                      : type.substr(0, close) + (word ? " " : "") + name + type.substr(close);
  }
  const std::size_t bracket = type.find('[');
  if (bracket == std::string::npos) return type + " " + name;
  return trimmed_right(type.substr(0, bracket)) + " " + name + type.substr(bracket);
}

std::string without_restrict(const std::string& type) {
  std::string out = type;
  for (const char* word : {"__restrict__", "__restrict", "restrict"})
    for (std::size_t at = out.find(word); at != std::string::npos; at = out.find(word))
      out.erase(at, std::string(word).size());
  return trimmed_right(out);
}

bool is_pointer_type(const std::string& type) {
  return type.find('*') != std::string::npos;
}

int stars_of(const std::string& type) {
  return static_cast<int>(std::count(type.begin(), type.end(), '*'));
}

std::string pointee(const std::string& type) {
  if (const std::size_t open = inner_pointer(type); open != std::string::npos) {
    const std::size_t close = type.find(')', open);
    return without_qualifiers(type.substr(0, open)) +
           (close == std::string::npos ? "" : type.substr(close + 1));
  }
  return without_qualifiers(type.substr(0, type.rfind('*')));
}

std::vector<std::string> extents_of(const std::string& type) {
  std::vector<std::string> out;
  for (std::size_t open = type.find('['); open != std::string::npos; open = type.find('[', open + 1)) {
    const std::size_t close = type.find(']', open);
    if (close == std::string::npos) break;
    out.push_back(type.substr(open + 1, close - open - 1));
  }
  return out;
}

std::optional<long long> elements_per(const std::string& type,
                                      const std::map<std::string, std::string>& defines) {
  long long elements = 1;
  for (const std::string& extent : extents_of(type)) {
    const auto value = extent_value(extent, defines);
    if (!value || *value < 1 || *value > largest_array / elements) return {};
    elements *= *value;
  }
  return elements;
}

}  // namespace noctune
