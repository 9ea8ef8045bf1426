#include "coordinator/prompts/entry_check.hpp"

#include <algorithm>

#include "base/clang_ast.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "evaluator/source_text.hpp"
#include "mep/driver_sources.hpp"
#include "mep/signature.hpp"

namespace noctune {
namespace {

constexpr const char* probe = "noctune_probe";
constexpr std::size_t longest_list = 4000, most_marks_each = 8, longest_alias = 300, most_aliases = 50;

// The lines of context.hpp that say what must be defined.
std::string wanted_prototype(const MepSpec& spec) {
  for (const std::string& line : lines_of(context_header(spec)))
    if (line.find(" " + spec.entry + "(") != std::string::npos) return line.substr(0, line.find(';'));
  return spec.entry;
}

using Tokens = std::vector<std::string>;

bool says_restrict(const std::string& word) {
  return word == "restrict" || word == "__restrict" || word == "__restrict__";
}

Tokens tokens_of(const std::string& text) {
  Tokens out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word_character(text[end])) ++end;
    if (end == at) ++end;
    const std::string token = text.substr(at, end - at);
    if (token.find_first_not_of(" \t\n") != std::string::npos && !says_restrict(token)) out.push_back(token);
    at = end;
  }
  return out;
}

// "double x[]" is "double* x".
Tokens with_pointer(Tokens tokens) {
  const std::size_t size = tokens.size();
  if (size < 4 || tokens[size - 2] != "[" || tokens[size - 1] != "]") return tokens;
  tokens.resize(size - 2);
  tokens.insert(tokens.end() - 1, "*");
  return tokens;
}

std::vector<Tokens> parameters_of(const std::string& list) {
  std::vector<Tokens> out;
  std::size_t from = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    depth += c == '(' || c == '<' || c == '[' ? 1 : c == ')' || c == '>' || c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && at < list.size())) continue;
    out.push_back(with_pointer(tokens_of(list.substr(from, at - from))));
    from = at + 1;
  }
  if (out.size() == 1 && (out[0].empty() || out[0] == Tokens{"void"})) out.clear();
  return out;
}

// The spec's types word for word, with any names but those of other parameters: no parser is needed.
bool plainly_equal(const std::string& list, const MepSpec& spec) {
  const std::vector<Tokens> found = parameters_of(list);
  const std::size_t count = spec.params.size();
  if (found.size() != count + (spec.scratch ? 1 : 0)) return false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Tokens type = tokens_of(i < count ? spec.params[i].type : "void*");
    if (found[i].size() < type.size() || found[i].size() > type.size() + 1) return false;
    if (!std::equal(type.begin(), type.end(), found[i].begin())) return false;
    if (found[i].size() == type.size()) continue;
    const std::string& name = found[i].back();
    if (!is_word_character(name[0])) return false;
    for (std::size_t j = 0; j < count; ++j)
      if (j != i && spec.params[j].name == name) return false;
  }
  return true;
}

// Aliases and plain macros of the source, as far as they are short and cannot multiply.
std::string aliases_of(const std::string& source, const Outline& outline) {
  std::string out;
  std::vector<std::string> names;
  for (const std::string& line : lines_of(source)) {
    if (line.rfind("#define ", 0) != 0 || line.size() > longest_alias || line.back() == '\\') continue;
    const std::string rest = trimmed(line.substr(8));
    const std::string name = rest.substr(0, rest.find_first_of(" \t"));
    const bool plain = std::all_of(name.begin(), name.end(), is_word_character);
    const bool nested = std::any_of(names.begin(), names.end(), [&](const std::string& n) {
      return has_word(rest.substr(name.size()), n);
    });
    if (!plain || nested || names.size() >= most_aliases) continue;
    names.push_back(name);
    out += line + "\n";
  }
  std::size_t count = 0;
  for (const OutlineItem& item : outline.items) {
    const std::string text = source.substr(item.begin, item.end - item.begin);
    const bool alias = text.rfind("using ", 0) == 0 || text.rfind("typedef ", 0) == 0;
    if (item.kind == OutlineItem::Kind::statement && alias && text.size() <= longest_alias &&
        ++count <= most_aliases)
      out += text + "\n";
  }
  return out;
}

// A type of a thousand pointers would exhaust the parser's stack.
bool is_nested(const std::string& list, const MepSpec& spec) {
  const auto marks = std::count_if(list.begin(), list.end(),
                                   [](char c) { return std::string("*&([<").find(c) != std::string::npos; });
  return static_cast<std::size_t>(marks) > most_marks_each * (spec.params.size() + 1);
}

std::optional<std::string> parsed_difference(const std::string& source, const Outline& outline,
                                             const std::string& list, const MepSource& mep) {
  if (list.size() > longest_list || is_nested(list, mep.spec)) return "the parameter list is too complicated";
  const std::string text = aliases_of(source, outline) + "void " + probe + "(" + list + ") {}\n";
  const std::string context = context_header(mep.spec, mep.context);
  Result<Signature> signature = read_signature(text, context, probe, mep.flags);
  if (!signature) return {};
  signature->entry = mep.spec.entry;
  const std::optional<std::string> difference = signature_difference(*signature, mep.spec);
  if (!difference) return {};
  // With unknown types the parser guesses.
  const Result<AstUnit> unit = parse_cpp({text, context, mep.flags});
  if (!unit || !unit->errors.empty()) return {};
  return difference;
}

std::string defined_names(const Outline& outline) {
  std::string out;
  for (const OutlineItem& item : outline.items)
    if (item.kind == OutlineItem::Kind::function && out.size() < 200)
      out += (out.empty() ? "it defines " : ", ") + item.name;
  return out.empty() ? "it defines no function" : out;
}

Error missing(const std::string& name, const Outline& outline, const MepSource& mep) {
  for (const OutlineItem& item : outline.items)
    if (item.hidden && item.name == name)
      return {"`" + name + "` is in an unnamed namespace, where nobody can call it",
              {},
              "define it at file scope"};
  return {"the file does not define `" + name + "`", one_line(defined_names(outline), 300),
          "give the whole file, with " +
              (name == mep.spec.entry ? wanted_prototype(mep.spec) : "`" + name + "`") + " in it"};
}

}  // namespace

std::optional<Error> entry_objection(const std::string& source, const Outline& outline,
                                     const MepSource& mep) {
  const MepSpec& spec = mep.spec;
  const OutlineItem* entry = outline.definition(spec.entry);
  if (!entry) return missing(spec.entry, outline, mep);
  const std::string hint = "define " + wanted_prototype(spec);
  const std::string head = outline.mask.substr(entry->begin, entry->open - entry->begin);
  if (has_word(head, "template"))
    return Error{"`" + spec.entry + "` is a template", "the driver calls a plain function of that name",
                 hint};
  if (!has_word(head, "void") || head.find('*') != std::string::npos)
    return Error{"the signature of `" + spec.entry + "` was changed", "it must return void", hint};
  const std::string list = outline.mask.substr(entry->open + 1, entry->close - entry->open - 1);
  if (!plainly_equal(list, spec))
    if (const auto difference = parsed_difference(source, outline, list, mep))
      return Error{"the signature of `" + spec.entry + "` was changed", *difference, hint};
  if (spec.scratch && !outline.definition(spec.entry + "_scratch_bytes"))
    return missing(spec.entry + "_scratch_bytes", outline, mep);
  if (spec.setup && !outline.definition(spec.entry + "_setup"))
    return missing(spec.entry + "_setup", outline, mep);
  return {};
}

}  // namespace noctune
