#include "mep/reading/expand.hpp"

#include <algorithm>
#include <set>

#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr int deepest = 12;
constexpr std::size_t most_arguments = 64;
constexpr std::size_t longest_call = 20000;  // tokens of a use with its arguments

// PolyBench's headers are seldom at hand; its array macros say what they mean.
const Macros& known_macros() {
  static const Macros macros = [] {
    Macros known;
    std::string value = "var";
    Macro macro;
    macro.function_like = true;
    macro.params = {"var"};
    std::vector<std::string> sizes;
    for (int dims = 1; dims <= 5; ++dims) {
      value += "[dd" + std::to_string(dims) + "]";
      sizes.push_back("dd" + std::to_string(dims));
      macro.params.insert(macro.params.begin() + dims, "d" + std::to_string(dims));
      Macro complete = macro;
      complete.params.insert(complete.params.end(), sizes.begin(), sizes.end());
      complete.value = value;
      known["POLYBENCH_" + std::to_string(dims) + "D"] = complete;
    }
    return known;
  }();
  return macros;
}

// A value that hides structure: an object-like macro of this kind is expanded as well.
bool hides_structure(const Macro& macro, const Macros& macros) {
  static const std::set<std::string> marks = {"[", "=", ";", "{", "return", "<<<", "."};
  for (const Token& token : lex(macro.value)) {
    if (token.kind == Token::Kind::name &&
        (is_device_word(token.text) || is_storage_word(token.text) || is_qualifier(token.text)))
      return token.text != "const" && token.text != "struct" && token.text != "inline";
    if (token.kind == Token::Kind::punct && marks.count(token.text)) return true;
    const auto inner = macros.find(token.text);
    if (inner != macros.end() && inner->second.function_like) return true;
  }
  return false;
}

// MIN(a, b) says more than what is behind it.
bool is_extremum(const std::string& name) {
  return name == "MIN" || name == "MAX" || name == "min" || name == "max";
}

class Expander {
 public:
  Expander(const Macros& macros, std::size_t budget) : macros_(macros), budget_(budget) {
    for (const auto& [name, macro] : macros)
      if (!is_extremum(name) && (macro.function_like || hides_structure(macro, macros)))
        bodies_[name] = lex(macro.value);
    for (const auto& [name, macro] : known_macros())
      if (macros.count(name) == 0) bodies_[name] = lex(macro.value);
  }

  std::vector<Token> run(const std::vector<Token>& tokens, int depth) {
    std::vector<Token> out;
    for (std::size_t i = 0; i < tokens.size();) {
      const auto body = tokens[i].kind == Token::Kind::name ? bodies_.find(tokens[i].text) : bodies_.end();
      const std::size_t used = body == bodies_.end() || depth >= deepest || active_.count(tokens[i].text) > 0
                                   ? 0
                                   : use(tokens, i, body->second, depth, out);
      if (used == 0) out.push_back(tokens[i]);
      i += std::max<std::size_t>(used, 1);
    }
    return out;
  }

 private:
  using Row = std::vector<Token>;

  const Macro& macro_of(const std::string& name) const {
    const auto found = macros_.find(name);
    return found != macros_.end() ? found->second : known_macros().at(name);
  }

  // Appends the expansion of the use at i; the number of tokens used up, 0 where it is none.
  std::size_t use(const Row& tokens, std::size_t i, const Row& body, int depth, Row& out) {
    const Macro& macro = macro_of(tokens[i].text);
    std::vector<Row> arguments;
    std::size_t used = 1;
    if (macro.function_like) {
      used = read_arguments(tokens, i + 1, arguments);
      if (used == 0 || arguments.size() < macro.params.size()) return 0;
      ++used;
    }
    if (calls_a_macro(body)) name_arguments(arguments);
    Row inner = substituted(body, macro, arguments, tokens[i]);
    if (inner.size() > budget_) return 0;
    budget_ -= inner.size();
    const std::string name = tokens[i].text;
    active_.insert(name);
    inner = run(inner, depth + 1);
    active_.erase(name);
    if (!inner.empty()) inner.front().space = tokens[i].space;
    out.insert(out.end(), inner.begin(), inner.end());
    return used;
  }

  static std::size_t read_arguments(const Row& tokens, std::size_t open, std::vector<Row>& arguments) {
    if (open >= tokens.size() || tokens[open].text != "(") return 0;
    int depth = 0;
    arguments.emplace_back();
    for (std::size_t i = open; i < std::min(tokens.size(), open + longest_call); ++i) {
      const std::string& text = tokens[i].text;
      const bool opening = text == "(" || text == "[" || text == "{";
      const bool closing = text == ")" || text == "]" || text == "}";
      if (closing && --depth == 0) return i - open + 1;
      if (text == "," && depth == 1 && arguments.size() < most_arguments)
        arguments.emplace_back();
      else if (depth > 0)
        arguments.back().push_back(tokens[i]);
      if (opening) ++depth;
    }
    return 0;
  }

  bool calls_a_macro(const Row& body) const {
    return std::any_of(body.begin(), body.end(),
                       [&](const Token& token) { return bodies_.count(token.text) > 0; });
  }

  // Arguments that are macros for one name are that name before an inner macro pastes them.
  void name_arguments(std::vector<Row>& arguments) const {
    for (Row& argument : arguments)
      for (Token& token : argument) {
        const auto found = macros_.find(token.text);
        if (found == macros_.end() || found->second.function_like) continue;
        const Row value = lex(found->second.value);
        if (value.size() == 1 && value[0].kind == Token::Kind::name && !is_known_type(value[0].text))
          token.text = value[0].text;
      }
  }

  static const Row* argument_of(const std::string& name, const Macro& macro,
                                const std::vector<Row>& arguments) {
    const auto at = std::find(macro.params.begin(), macro.params.end(), name);
    if (at == macro.params.end()) return nullptr;
    return &arguments[static_cast<std::size_t>(at - macro.params.begin())];
  }

  static Row substituted(const Row& body, const Macro& macro, const std::vector<Row>& arguments,
                         const Token& place) {
    Row out;
    bool paste = false;
    for (const Token& token : body) {
      if (token.text == "##") {
        paste = !out.empty();
        continue;
      }
      const Row* argument = argument_of(token.text, macro, arguments);
      const std::size_t first = out.size();
      for (Token copy : argument ? *argument : Row{token}) {
        // A caller's own tokens keep their offsets: accesses point at what was written there.
        if (!argument) copy.begin = place.begin, copy.end = place.end, copy.line = place.line;
        if (argument && out.size() == first) copy.space = token.space;
        if (paste)
          out.back().text += copy.text;
        else
          out.push_back(copy);
        paste = false;
      }
    }
    return out;
  }

  const Macros& macros_;
  std::map<std::string, Row> bodies_;
  std::set<std::string> active_;
  std::size_t budget_;
};

}  // namespace

std::vector<Token> expand(std::vector<Token> tokens, const Macros& macros) {
  return Expander(macros, 4 * tokens.size() + 100000).run(tokens, 0);
}

}  // namespace noctune::reading
