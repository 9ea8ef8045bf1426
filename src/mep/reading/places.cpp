#include "mep/reading/places.hpp"

#include <algorithm>

#include "mep/reading/tokens.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr std::size_t longest_index = 1000;

std::string sum(const std::string& left, const std::string& right) {
  if (left.empty() || left == "0") return as_term(right);
  if (right.empty() || right == "0") return left;
  if (left.size() + right.size() > longest_index) return "?";
  return left + " + " + as_term(right);
}

// An index of records of another size, in elements of the array: of the last that is touched.
std::string scaled(const std::string& index, const std::string& view, const std::string& base) {
  const int wide = view == base || view.empty() ? 0 : size_of_type(view), narrow = size_of_type(base);
  if (wide == 0 || narrow == 0 || wide == narrow) return index;
  if (wide < narrow) return "(" + index + ")/" + std::to_string(narrow / wide);
  const int ratio = wide / narrow;
  if (index == "0") return std::to_string(ratio - 1);
  return std::to_string(ratio) + "*(" + index + ") + " + std::to_string(ratio - 1);
}

}  // namespace

std::string as_term(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    const bool arrow = (c == '>' && i > 0 && text[i - 1] == '-');
    if (depth == 0 && !arrow &&
        (c == '?' || c == '<' || c == '>' || c == '&' || c == '|' || c == '^' || c == '=' || c == ','))
      return "(" + text + ")";
  }
  return text;
}

std::string plus(const std::string& text, int number) {
  const std::vector<Token> tokens = lex(text);
  const auto is_small = [](const Token& token) {
    return token.kind == Token::Kind::number && token.text.size() < 9 &&
           token.text.find_first_not_of("0123456789") == std::string::npos;
  };
  if (tokens.size() == 1 && is_small(tokens[0])) return std::to_string(std::stoi(text) + number);
  std::string first = as_term(text);
  const std::string mark = tokens.size() > 2 ? tokens[tokens.size() - 2].text : "";
  if (first == text && is_small(tokens.empty() ? Token{} : tokens.back()) && (mark == "+" || mark == "-")) {
    const int last = std::stoi(tokens.back().text);
    number += mark == "+" ? last : -last;
    first = first.substr(0, tokens[tokens.size() - 2].begin);
    while (!first.empty() && first.back() == ' ') first.pop_back();
  }
  if (number == 0) return first;
  return first + (number > 0 ? " + " : " - ") + std::to_string(number > 0 ? number : -number);
}

void Place::subscript(const std::string& index) {
  if (dims <= 0) return;
  --dims;
  if (dims == 0) {
    offset = sum(offset, scaled(index, view, base));
    if (offset.empty()) offset = "0";
    return;
  }
  prefix += (prefix.empty() ? "" : "][") + sum(offset, index);
  offset.clear();
}

void Place::move(const std::string& by) {
  offset = sum(offset, dims == 1 ? scaled(by, view, base) : by);
}

std::string Place::index() const {
  if (unclear || offset.find('?') == 0 || prefix.size() + offset.size() > longest_index) return "?";
  const std::string last = offset.empty() ? "0" : offset;
  return prefix.empty() ? last : prefix + "][" + last;
}

void Scopes::leave() {
  if (levels_.empty()) return;
  for (const std::string& name : levels_.back()) names_[name].pop_back();
  levels_.pop_back();
}

void Scopes::declare(const std::string& name, Binding binding) {
  if (levels_.empty()) enter();
  names_[name].push_back(std::move(binding));
  levels_.back().push_back(name);
}

Binding* Scopes::find(const std::string& name) {
  const auto found = names_.find(name);
  return found == names_.end() || found->second.empty() ? nullptr : &found->second.back();
}

std::string replace_names(const std::string& text, const std::map<std::string, std::string>& values) {
  const std::vector<Token> tokens = lex(text);
  std::string out;
  for (std::size_t i = 0; i < tokens.size() && out.size() <= longest_index; ++i) {
    if (tokens[i].space && !out.empty()) out += ' ';
    const bool member =
        i > 0 && (tokens[i - 1].text == "." || tokens[i - 1].text == "->" || tokens[i - 1].text == "::");
    const auto found =
        tokens[i].kind == Token::Kind::name && !member ? values.find(tokens[i].text) : values.end();
    if (found == values.end()) {
      out += tokens[i].text;
      continue;
    }
    const auto inner = lex(found->second);
    const bool alone = tokens.size() == 1 || inner.size() == 1;
    out += alone ? found->second : "(" + found->second + ")";
  }
  return out;
}

}  // namespace noctune::reading
