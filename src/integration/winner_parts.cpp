#include "integration/winner_parts.hpp"

#include <algorithm>

#include "integration/source_edit.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

using Kind = SourceFunction::Kind;

std::string whole(const std::string& text, const SourceFunction& function) {
  return text.substr(function.declaration.begin, function.body.end - function.declaration.begin);
}

std::string without_c_linkage(const std::string& head) {
  const std::size_t at = head.find("extern \"C\"");
  if (at == std::string::npos) return head;
  std::size_t end = at + 10;
  while (end < head.size() && std::isspace(static_cast<unsigned char>(head[end]))) ++end;
  return head.substr(0, at) + head.substr(end);
}

const SourceSymbol* symbol_of(const SourceFacts& facts, const std::string& name) {
  for (const SourceSymbol& one : facts.symbols)
    if (one.name == name) return &one;
  return nullptr;
}

bool defines_type_or_macro(const SourceFacts& facts, const std::string& name) {
  const auto named = [&](const auto& one) { return one.name == name; };
  return std::any_of(facts.structs.begin(), facts.structs.end(), named) ||
         std::any_of(facts.aliases.begin(), facts.aliases.end(), named) ||
         std::any_of(facts.macros.begin(), facts.macros.end(), named);
}

bool is_taken(const SourceFacts& file, const std::string& name) {
  return file.function(name) || symbol_of(file, name) || defines_type_or_macro(file, name);
}

std::map<std::string, std::string> clashes(const SourceFacts& winner, const SourceFacts& file,
                                           const std::set<std::string>& alike) {
  std::map<std::string, std::string> out;
  const auto look_at = [&](const auto& named) {
    for (const auto& one : named)
      if (is_taken(file, one.name) && !alike.contains(one.name)) out[one.name] = one.name + "_noctune";
  };
  look_at(winner.functions);
  look_at(winner.symbols);
  look_at(winner.structs);
  look_at(winner.aliases);
  look_at(winner.macros);
  return out;
}

// All names that a source defines at file scope.
std::set<std::string> defined_names(const SourceFacts& facts) {
  std::set<std::string> out;
  const auto take = [&](const auto& named) {
    for (const auto& one : named) out.insert(one.name);
  };
  take(facts.functions);
  take(facts.symbols);
  take(facts.structs);
  take(facts.aliases);
  take(facts.macros);
  return out;
}

// A function is another one where something that it uses is.
void drop_users_of_others(const std::string& winner, const SourceFacts& facts, std::set<std::string>& alike) {
  const std::set<std::string> names = defined_names(facts);
  for (bool again = true; again;) {
    again = false;
    for (const SourceFunction& one : facts.functions) {
      if (!alike.contains(one.name)) continue;
      const std::string text = whole(winner, one);
      for (const std::string& name : names)
        if (!alike.contains(name) && uses_of(text, name) > 0) again = alike.erase(one.name) > 0 || again;
    }
  }
}

// Functions that winner and file define with the same text, and that mean the same.
std::set<std::string> defined_alike(const PlaceRequest& request, const std::string& winner,
                                    const SourceFacts& of_winner, const SourceFacts& file) {
  std::set<std::string> out;
  for (const SourceFunction& one : of_winner.functions) {
    const SourceFunction* other = file.function(one.name);
    if (one.name != request.entry && other &&
        canonical(whole(winner, one)) == canonical(whole(request.file, *other)))
      out.insert(one.name);
  }
  drop_users_of_others(winner, of_winner, out);
  return out;
}

// Helpers belong to this file alone, so that other files' names stay free.
std::string made_static(std::string text) {
  const SourceFacts facts = read_source(text);
  std::vector<TextEdit> edits;
  for (const SourceFunction& one : facts.functions)
    if (!one.is_static && !one.c_linkage && one.templates.empty() && one.name.find("::") == std::string::npos)
      edits.push_back({one.declaration.begin, one.declaration.begin, "static "});
  return edited(text, std::move(edits));
}

std::string tidy(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string::npos) return "";
  const std::size_t line = text.rfind('\n', from);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin) + "\n\n";
}

Result<void> check_plain(const PlaceRequest& request, const SourceFacts& winner) {
  const SourceFunction* entry = winner.function(request.entry);
  const std::string problem = "no rule can place this version";
  if (!entry || entry->body.end <= entry->body.begin)
    return fail(problem, "it defines no function " + request.entry);
  for (const char* more : {"_setup", "_scratch_bytes"})
    if (winner.function(request.entry + more))
      return fail(problem, "it needs " + request.entry + more + ", which the application does not call");
  return {};
}

}  // namespace

Result<WinnerParts> WinnerParts::take(const PlaceRequest& request, const SourceFacts& file) {
  if (Result<void> plain = check_plain(request, read_source(request.winner)); !plain)
    return Failure(plain.error());
  WinnerParts out;
  out.entry_name_ = request.entry + "_noctune";
  out.includes_ = include_lines(request.winner);
  std::string text = without_leading_comment(without_includes(request.winner));

  SourceFacts facts = read_source(text);
  const std::set<std::string> alike = defined_alike(request, text, facts, file);
  std::map<std::string, std::string> names = clashes(facts, file, alike);
  names[request.entry] = out.entry_name_;
  if (!request.stream_type.empty()) names["mep_stream_t"] = request.stream_type;
  std::vector<TextEdit> gone;
  for (const SourceFunction& one : facts.functions)
    if (alike.contains(one.name))
      gone.push_back({with_comment_above(text, one.declaration.begin), one.body.end, ""});
  text = renamed(edited(text, std::move(gone)), names);

  facts = read_source(text);
  const SourceFunction* entry = facts.function(out.entry_name_);
  if (!entry) return fail("no rule can place this version", "its entry could not be told from the rest");
  out.params_ = entry->params;
  out.return_type_ = entry->return_type;
  out.body_ = piece(text, entry->body);
  const std::size_t begin = with_comment_above(text, entry->declaration.begin);
  out.head_ = without_c_linkage(text.substr(begin, entry->body.begin - begin));
  out.before_entry_ = tidy(made_static(text.substr(0, begin)));
  out.after_entry_ = tidy(made_static(text.substr(entry->body.end)));
  out.above_ = out.before_entry_ + out.after_entry_;
  return out;
}

std::string WinnerParts::above_with_entry(const std::string& body) const {
  // The comment above a head stays in front of it.
  const SourceFacts facts = read_source(head_ + "{}");
  const std::size_t at = facts.functions.empty() ? 0 : facts.functions.front().declaration.begin;
  const bool is_static = !facts.functions.empty() && facts.functions.front().is_static;
  return before_entry_ + head_.substr(0, at) + (is_static ? "" : "static ") + head_.substr(at) + body +
         "\n\n" + after_entry_;
}

std::string idle_body(const std::vector<SourceParam>& params, const std::string& return_type) {
  std::string out = "{\n";
  for (const SourceParam& one : params)
    if (!one.name.empty()) out += "  (void)" + one.name + ";\n";
  if (return_type != "void") out += "  return {};\n";
  return out + "}";
}

}  // namespace noctune
