// Walks the declarations of a scope. Namespaces and extern "C" blocks are simply entered, classes are read as
// scopes of their own; what is no declaration is skipped to the next ';' or brace.
#include "mep/reading/file_reader.hpp"

#include <algorithm>

#include "mep/reading/words.hpp"

namespace noctune::reading {
FileFacts FileReader::read() {
  scope({0, tokens_.size()}, "", 0);
  for (SourceFunction& function : out_.facts.functions)
    function.c_linkage = function.c_linkage || out_.c_prototypes.count(function.name) > 0;
  return std::move(out_);
}

void FileReader::scope(Span span, const std::string& owner, int depth) {
  for (std::size_t at = span.begin; at < span.end;) {
    const std::size_t next = enter_or_skip(at, span.end);
    at = next != at ? next : std::max(one(at, span.end, owner, depth), at + 1);
  }
}

// Marks between declarations, and the heads of blocks that do not matter.
std::size_t FileReader::enter_or_skip(std::size_t at, std::size_t end) {
  const Token& token = tokens_[at];
  if (token.kind == Token::Kind::pragma || tokens_.is_one_of(at, {";", "}", "{", ")", "]"})) return at + 1;
  if (tokens_.is_one_of(at, {"public", "private", "protected"}) && tokens_.is(at + 1, ":")) return at + 2;
  if (token.text == "extern" && tokens_[at + 1].text == "\"C\"" && tokens_.is(at + 2, "{")) {
    c_blocks_.push_back({at + 2, tokens_.close(at + 2)});
    return at + 3;
  }
  if (token.text == "namespace" || (token.text == "inline" && tokens_.is(at + 1, "namespace"))) {
    const std::size_t stop = tokens_.find({at, end}, {"{", ";"});
    return stop + 1;
  }
  if (token.text == "static_assert" || token.text == "asm") return tokens_.find({at, end}, {";"}) + 1;
  return at;
}

// One declaration; the token behind it.
std::size_t FileReader::one(std::size_t at, std::size_t end, const std::string& owner, int depth) {
  Templates templates;
  std::size_t head = at;
  while (tokens_.is(head, "template") && head < end) head = this->templates(head, templates);
  if (templates.explicit_instance) {
    const std::size_t stop = tokens_.find({head, end}, {";"});
    instance({head, stop});
    return stop + 1;
  }
  if (tokens_.is(head, "using")) return using_alias(head, end);
  if (tokens_.is(head, "friend")) return tokens_.find({head, end}, {";"}) + 1;
  if (tokens_.is(head, "enum") || (tokens_.is(head, "typedef") && tokens_.is(head + 1, "enum")))
    return enumeration(head, end);
  const std::size_t structs = out_.facts.structs.size();
  const std::size_t type = type_definition(head, end, depth);
  if (templates.present && out_.facts.structs.size() > structs) out_.facts.structs[structs].plain = false;
  if (type != head) return type;
  if (tokens_.is(head, "typedef")) {
    const std::size_t stop = tokens_.find({head, end}, {";"});
    alias(head + 1, stop);
    return stop + 1;
  }
  std::size_t params = nowhere;
  const std::size_t stop = declaration_end(head, end, params);
  if (params != nowhere && tokens_.is(stop, "{")) {
    function({at, stop}, params, stop, templates, owner);
    return tokens_.past(stop);
  }
  if (params != nowhere)
    prototype({at, stop}, params);
  else
    variables({head, stop}, owner);
  return stop + 1;
}

// The ';' or the body's brace that ends the declaration; `params` is the parenthesis of a function's
// parameters.
std::size_t FileReader::declaration_end(std::size_t at, std::size_t end, std::size_t& params) const {
  bool assigned = false;
  for (std::size_t i = at; i < end; i = tokens_.past(i)) {
    if (tokens_.is_one_of(i, {";", "}"})) return i;
    if (tokens_.is(i, "=") && params == nowhere) assigned = true;
    if (tokens_.is(i, "{") && params != nowhere && !assigned) return i;
    if (tokens_.is(i, ":") && params != nowhere) return body_of(i, end);
    if (!tokens_.is(i, "(") || assigned || i == at) continue;
    const bool named = tokens_.is_name(i - 1) && !is_attribute(tokens_[i - 1].text);
    // Two groups in a row: the function's name is made by a macro.
    const bool pasted = params != nowhere && tokens_.is(i - 1, ")") && tokens_.open(i - 1) == params;
    const bool operation = tokens_.is(i - 1, ")") && i > 2 && tokens_.is(i - 3, "operator");
    const bool overloads =
        tokens_[i - 1].kind == Token::Kind::punct && i > at + 1 && tokens_.is(i - 2, "operator");
    if (named || pasted || operation || overloads) params = i;
  }
  return end;
}

// Behind a constructor's initialisers.
std::size_t FileReader::body_of(std::size_t params, std::size_t end) const {
  for (std::size_t i = params; i < end; i = tokens_.past(i)) {
    if (tokens_.is(i, ";")) return i;
    const bool initialiser = tokens_.is_name(i - 1) && i > params + 1;
    if (tokens_.is(i, "{") && !initialiser) return i;
  }
  return end;
}

std::size_t FileReader::templates(std::size_t at, Templates& out) {
  if (out.begin == nowhere) out.begin = at;
  out.present = true;
  const std::size_t close = tokens_.is(at + 1, "<") ? tokens_.angle_close(at + 1) : nowhere;
  if (!tokens_.is(at + 1, "<")) out.explicit_instance = true;
  if (close == nowhere) return at + 1;
  for (const Span& part : tokens_.split({at + 2, close})) {
    const std::size_t equals = tokens_.find(part, {"="});
    std::size_t name = equals;
    while (name > part.begin && !tokens_.is_name(name - 1)) --name;
    if (name <= part.begin) continue;
    TemplateParam param;
    param.name = tokens_[name - 1].text;
    param.kind = tokens_.type_text({part.begin, name - 1});
    if (param.kind == "class") param.kind = "typename";
    if (equals < part.end) param.default_value = tokens_.text({equals + 1, part.end});
    out.params.push_back(param);
  }
  return close + 1;
}

// "template __global__ void k<float, 256>(...)" without its first word.
void FileReader::instance(Span span) {
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const std::size_t close = tokens_.is(i, "<") ? tokens_.angle_close(i) : nowhere;
    if (close == nowhere || i == span.begin || !tokens_.is(close + 1, "(")) continue;
    for (SourceFunction& function : out_.facts.functions)
      if (function.name == tokens_[i - 1].text) function.instances.push_back(tokens_.text({i + 1, close}));
    return;
  }
}

// Of a head: extern "C" in it, or a block of it around.
bool FileReader::has_c_linkage(Span head) const {
  for (std::size_t i = head.begin; i < head.end; ++i)
    if (tokens_.is(i, "extern") && tokens_.is(i + 1, "\"C\"")) return true;
  return std::any_of(c_blocks_.begin(), c_blocks_.end(),
                     [&](const Span& block) { return block.begin < head.begin && head.begin < block.end; });
}

void FileReader::problem(const std::string& text, std::size_t at, bool fatal, const std::string& function) {
  SourceProblem one;
  one.text = text;
  one.line = tokens_[at].line;
  one.fatal = fatal;
  one.function = function;
  out_.facts.problems.push_back(one);
}

// Names that stand for types, less template parameters.
void FileReader::use_types(const Declaration& declaration, const std::vector<TemplateParam>& templates) {
  for (const std::string& name : declaration.base_names) {
    const bool param = std::any_of(templates.begin(), templates.end(),
                                   [&](const TemplateParam& one) { return one.name == name; });
    if (!param) out_.used_types.insert(name);
  }
}

}  // namespace noctune::reading
