#include "coordinator/rules/gpu/unused_shapes.hpp"

#include <algorithm>

#include "mep/reading/tokens.hpp"
#include "mep/reading/words.hpp"

namespace noctune::rules::gpu {
namespace {

using reading::Span;
using reading::Tokens;

std::size_t uses_of(const Tokens& tokens, const std::string& name) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) count += tokens[i].text == name ? 1 : 0;
  return count;
}

// The end of "const dim3 block(16, 16), grid(n)" without its semicolon, where nobody else uses its names.
std::size_t unused_declaration(const Tokens& tokens, std::size_t at) {
  std::size_t name = at;
  while (reading::is_qualifier(tokens[name].text) || reading::is_builtin_type_word(tokens[name].text) ||
         tokens[name].text == "dim3" || tokens[name].text == "size_t")
    ++name;
  if (name == at || !tokens.is_name(name)) return at;
  const std::size_t end = tokens.find({name, tokens.size()}, {";"});
  if (end >= tokens.size()) return at;
  for (const Span& part : tokens.split({name, end})) {
    const bool declares =
        tokens.is_name(part.begin) && tokens.is_one_of(part.begin + 1, {"=", "(", "{"}) && part.size() > 1;
    if (!declares || uses_of(tokens, tokens[part.begin].text) != 1) return at;
    for (std::size_t i = part.begin; i < part.end; ++i)
      if (tokens.is_one_of(i, {"++", "--"})) return at;
  }
  return end;
}

// With the line where nothing else stands in it.
void erase(std::string& text, std::size_t begin, std::size_t end) {
  const std::size_t before = begin == 0 ? std::string::npos : text.find_last_not_of(" \t", begin - 1);
  const std::size_t after = text.find_first_not_of(" \t", end);
  const bool alone = before != std::string::npos && text[before] == '\n' && after != std::string::npos &&
                     text[after] == '\n';
  if (alone) {
    begin = before + 1;
    end = after + 1;
  }
  text.erase(begin, end - begin);
}

bool drop_one(std::string& body) {
  const Tokens tokens(reading::lex(body));
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool starts = at == 0 || tokens.is_one_of(at - 1, {";", "{", "}"});
    const std::size_t end = starts ? unused_declaration(tokens, at) : at;
    if (end == at) continue;
    erase(body, tokens[at].begin, tokens[end].end);
    return true;
  }
  return false;
}

}  // namespace

std::string without_unused_shapes(std::string body) {
  // Comments may hold quotes and names; such bodies stay as they are.
  if (body.find("/*") != std::string::npos || body.find("//") != std::string::npos) return body;
  for (int round = 0; round < 32 && drop_one(body); ++round) {
  }
  return body;
}

}  // namespace noctune::rules::gpu
