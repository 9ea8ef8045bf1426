#include "mep/reading/launches.hpp"

#include <algorithm>
#include <set>

#include "mep/reading/expand.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr int most_steps = 4;
constexpr std::size_t longest_shape = 1000;
constexpr std::size_t longest_comment = 20000;

std::set<std::string> names_in(const std::vector<std::string>& texts) {
  std::set<std::string> names;
  for (const std::string& text : texts)
    for (const Token& token : lex(text))
      if (token.kind == Token::Kind::name) names.insert(token.text);
  return names;
}

// Whether a value says how something is computed: no calls but those of arithmetic.
bool is_plain_value(const std::string& value) {
  const std::vector<Token> tokens = lex(value);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool call = tokens[i].kind == Token::Kind::name && tokens[i + 1].text == "(";
    static const std::set<std::string> fine = {"ceil", "ceilf", "min", "max", "sizeof", "MIN",    "MAX",
                                               "sqrt", "log2",  "int", "std", "float",  "double", "dim3"};
    if (call && fine.count(tokens[i].text) == 0) return false;
    if (tokens[i].text == "[" || tokens[i].text == "->") return false;
  }
  return !value.empty();
}

// "dim3(a, b)" and "{a, b}" without what is around them.
std::string without_dim3(const std::string& text) {
  const Tokens tokens(lex(text));
  std::size_t open = tokens.is(0, "dim3") ? 1 : 0;
  if (!tokens.is_one_of(open, {"(", "{"}) || tokens.past(open) != tokens.size() ||
      (open == 0 && tokens.is(0, "(")))
    return text;
  std::string out;
  for (const std::string& part : tokens.split_texts({open + 1, tokens.close(open)}))
    out += (out.empty() ? "" : ", ") + part;
  return out;
}

// "block.x" as the first value of the dim3 `block`; elsewhere a name of several values stays.
std::string with_components(const std::string& text, const std::map<std::string, std::string>& values) {
  const Tokens tokens(lex(text));
  std::map<std::string, std::string> single;
  for (const auto& [name, value] : values)
    if (const Tokens parts(lex(value)); parts.split({0, parts.size()}).size() == 1) single[name] = value;
  std::string out;
  std::size_t begin = 0;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const auto found = tokens.is(i + 1, ".") ? values.find(tokens[i].text) : values.end();
    const std::size_t axis = tokens.is(i + 2, "x")   ? 0
                             : tokens.is(i + 2, "y") ? 1
                             : tokens.is(i + 2, "z") ? 2
                                                     : 3;
    if (found == values.end() || axis > 2) continue;
    const Tokens inner(lex(found->second));
    const std::vector<std::string> parts = inner.split_texts({0, inner.size()});
    const std::string value = axis < parts.size() ? parts[axis] : "1";
    out += text.substr(begin, tokens[i].begin - begin) + (lex(value).size() == 1 ? value : "(" + value + ")");
    begin = tokens[i + 2].end;
  }
  return replace_names(out + text.substr(begin), single);
}

// Each dimension on its own, so that a value that is the whole of it needs no parentheses.
std::string resolved_once(const std::string& shape, const std::map<std::string, std::string>& values) {
  const Tokens tokens(lex(shape));
  std::string out;
  for (const std::string& part : tokens.split_texts({0, tokens.size()})) {
    const auto whole = values.find(part);
    out += (out.empty() ? "" : ", ") +
           (whole != values.end() ? without_dim3(whole->second) : with_components(part, values));
  }
  return out;
}

std::string resolved(const std::string& shape, const std::map<std::string, std::string>& values) {
  std::string text = without_dim3(shape);
  for (int step = 0; step < most_steps; ++step) {
    const std::string next = resolved_once(text, values);
    if (next == text || next.size() > longest_shape) break;
    text = next;
  }
  return text;
}

}  // namespace

void resolve_shapes(std::vector<SourceLaunch>& launches, const SourceFunction& host,
                    const std::map<std::string, std::map<char, std::string>>& dims) {
  std::map<std::string, std::string> all;
  for (const SourceLocal& local : host.locals) {
    const bool dim3 = local.type.find("dim3") != std::string::npos;
    if ((!local.assigned_again || dim3) && is_plain_value(local.value))
      all[local.name] = without_dim3(local.value);
  }
  for (const auto& [name, parts] : dims) {
    std::string text;
    for (const char axis : {'x', 'y', 'z'})
      if (const auto part = parts.find(axis); part != parts.end())
        text += (text.empty() ? "" : ", ") + part->second;
    if (!text.empty()) all[name] = text;
  }
  for (SourceLaunch& launch : launches) {
    std::map<std::string, std::string> values = all;
    for (const std::string& name : names_in(launch.args)) values.erase(name);
    for (const SourceLoop& loop : launch.loops) values.erase(loop.variable);
    for (std::string* shape : {&launch.grid, &launch.block, &launch.shared_bytes})
      *shape = resolved(*shape, values);
  }
}

namespace {

bool is_declared(const std::vector<std::string>& args) {
  for (const std::string& arg : args) {
    const std::vector<Token> tokens = lex(arg);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if (tokens[i].kind == Token::Kind::name && tokens[i + 1].kind == Token::Kind::name) return true;
  }
  return false;
}

// A call in prose counts where it could be one: as many arguments as parameters, none of them a declaration.
bool is_believable(SourceLaunch& launch, const SourceFacts& facts) {
  // "k<<<...>>>(s0, ..., t8)" abbreviates.
  if (std::find(launch.args.begin(), launch.args.end(), "...") != launch.args.end()) launch.args.clear();
  if (!launch.grid.empty()) return true;
  const SourceFunction* function = facts.function(launch.kernel);
  return function != nullptr && function->params.size() == launch.args.size() && !is_declared(launch.args);
}

SourceFunction::Kind callable_kind(const SourceFacts& facts) {
  return facts.language == "cuda" || facts.language == "hip" ? SourceFunction::Kind::kernel
                                                             : SourceFunction::Kind::host;
}

}  // namespace

std::vector<SourceLaunch> launches_in(const std::string& code, const SourceFacts& facts, const Macros& macros,
                                      bool in_comment) {
  Prepared prepared = prepare(code, {}, true);
  prepared.macros.insert(macros.begin(), macros.end());
  const Tokens tokens(expand(lex(prepared.text), prepared.macros));
  SourceFacts known = facts;
  // Any function of the file may be called by a snippet, kernels by their plain name too.
  for (SourceFunction& function : known.functions)
    if (function.kind == callable_kind(facts))
      function.kind = SourceFunction::Kind::host;
    else if (function.kind == SourceFunction::Kind::host)
      function.kind = SourceFunction::Kind::device;
  const FileNames names(known);
  SourceFunction host;
  BodyReader::Options options;
  options.calls_are_launches = true;
  options.in_comment = in_comment;
  options.in_snippet = !in_comment;
  BodyReader reader(tokens, names, host, options);
  reader.read({0, tokens.size()});
  resolve_shapes(reader.launches, host, reader.dims());
  std::vector<SourceLaunch> launches;
  for (SourceLaunch& launch : reader.launches)
    if (!in_comment || is_believable(launch, facts)) launches.push_back(std::move(launch));
  return launches;
}

namespace {

// Without the stars that start the lines of a block comment.
std::string without_bullets(const std::string& text) {
  std::string out = text;
  bool line_start = false;
  for (char& c : out) {
    if (line_start && c == '*') c = ' ';
    line_start = c == '\n' || (line_start && (c == ' ' || c == '\t'));
  }
  return out;
}

}  // namespace

std::vector<SourceLaunch> launches_in_comments(const std::vector<Comment>& comments, const SourceFacts& facts,
                                               const Macros& macros) {
  std::vector<SourceLaunch> launches;
  std::size_t budget = 1 << 20;
  for (const Comment& comment : comments) {
    const bool launch =
        comment.text.find("<<<") != std::string::npos || comment.text.find("hipLaunch") != std::string::npos;
    const auto names = [&](const std::string& name) {
      return comment.text.find(name + "(") != std::string::npos;
    };
    const bool call = std::any_of(facts.functions.begin(), facts.functions.end(),
                                  [&](const SourceFunction& function) { return names(function.name); });
    const bool pasted = std::any_of(macros.begin(), macros.end(), [&](const auto& macro) {
      return macro.second.function_like && names(macro.first);
    });
    if ((!launch && !call && !pasted) || comment.text.size() > longest_comment ||
        comment.text.size() > budget)
      continue;
    budget -= comment.text.size();
    std::string code = without_bullets(comment.text);
    for (char& c : code)
      if (c == '\'' || c == '"' || c == '`') c = ' ';
    for (SourceLaunch& one : launches_in(code, facts, macros, true)) {
      one.where = comment.where;
      launches.push_back(std::move(one));
    }
  }
  return launches;
}

}  // namespace noctune::reading
