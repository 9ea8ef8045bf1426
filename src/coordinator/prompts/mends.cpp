#include "coordinator/prompts/mends.hpp"

#include <array>
#include <utility>

#include "coordinator/prompts/code_mask.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "coordinator/prompts/source_outline.hpp"
#include "evaluator/source_text.hpp"

namespace noctune {
namespace {

using Characters = std::pair<const char*, const char*>;
constexpr std::array<Characters, 12> replacements = {{{"\xE2\x80\x9C", "\""},
                                                      {"\xE2\x80\x9D", "\""},
                                                      {"\xE2\x80\x9E", "\""},
                                                      {"\xE2\x80\x98", "'"},
                                                      {"\xE2\x80\x99", "'"},
                                                      {"\xE2\x88\x92", "-"},
                                                      {"\xE2\x80\x90", "-"},
                                                      {"\xE2\x80\x91", "-"},
                                                      {"\xE2\x80\x93", "-"},
                                                      {"\xEF\xBC\x9B", ";"},
                                                      {"\xEF\xBC\x8C", ","},
                                                      {"\xE2\x88\x97", "*"}}};

const Characters* word_processed(const std::string& text, std::size_t at) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return nullptr;
  for (const Characters& one : replacements)
    if (text.compare(at, 3, one.first) == 0) return &one;
  return nullptr;
}

// In code and directives; comments and literals keep theirs.
void mend_characters(MendedSource& work) {
  const std::string mask = code_mask(work.source);
  std::string out;
  bool directive = false, fresh = true, changed = false;
  for (std::size_t at = 0; at < work.source.size();) {
    const char c = work.source[at];
    if (fresh && c == '#') directive = true;
    fresh = c == '\n' || (fresh && (c == ' ' || c == '\t'));
    if (c == '\n') directive = false;
    const Characters* found = directive || mask[at] == c ? word_processed(work.source, at) : nullptr;
    if (!found) {
      out += c;
      ++at;
      continue;
    }
    out += found->second;
    at += 3;
    changed = true;
  }
  if (!changed) return;
  work.source = std::move(out);
  work.notes.emplace_back("typographic quotes or dashes became plain ones");
}

void mend_lines(MendedSource& work, const std::string& entry) {
  std::string out;
  bool context = false, at_start = true;
  for (const std::string& line : lines_of(work.source)) {
    const std::string bare = trimmed(line);
    const bool sentinel = at_start && bare.rfind("//", 0) == 0 &&
                          trimmed(bare.substr(2)).rfind("noctune:", 0) == 0 &&
                          bare.find(entry) != std::string::npos;
    std::string directive;
    for (const char c : bare)
      if (c != ' ' && c != '\t') directive += c;
    const bool include = directive.rfind("#include\"context.hpp\"", 0) == 0 ||
                         directive.rfind("#include<context.hpp>", 0) == 0;
    context = context || include;
    at_start = at_start && bare.empty();
    if (!sentinel && !include) out += line + '\n';
  }
  work.source = std::move(out);
  if (context) work.notes.emplace_back("the include of context.hpp was dropped: it is in front anyway");
}

// A word of the code, outside comments and literals; npos where there is none from `at` on.
std::size_t find_word(const std::string& mask, const std::string& word, std::size_t at, std::size_t end) {
  for (at = mask.find(word, at); at != std::string::npos && at + word.size() <= end;
       at = mask.find(word, at + 1)) {
    const bool starts = at == 0 || !is_word_character(mask[at - 1]);
    if (starts && (at + word.size() == mask.size() || !is_word_character(mask[at + word.size()]))) return at;
  }
  return std::string::npos;
}

void mend_restrict(MendedSource& work) {
  std::string mask = code_mask(work.source);
  if (work.source.find("define restrict") != std::string::npos) return;
  std::vector<std::size_t> places;
  for (auto at = find_word(mask, "restrict", 0, mask.size()); at != std::string::npos;
       at = find_word(mask, "restrict", at + 1, mask.size()))
    places.push_back(at);
  for (auto at = places.rbegin(); at != places.rend(); ++at) work.source.replace(*at, 8, "__restrict__");
  if (!places.empty()) work.notes.emplace_back("`restrict` became `__restrict__`, as C++ has it");
}

// Takes out functions and declarations of a name.
void drop(MendedSource& work, OutlineItem::Kind kind, const std::string& name, const char* note) {
  const Outline outline = outline_of(work.source);
  bool dropped = false;
  for (auto item = outline.items.rbegin(); item != outline.items.rend(); ++item) {
    if (item->kind != kind || item->name != name || item->hidden) continue;
    work.source.erase(item->begin, item->end - item->begin);
    dropped = true;
  }
  if (dropped) work.notes.emplace_back(note);
}

// extern "C" and no static or inline for a function that the driver looks up by name.
void mend_linkage(MendedSource& work, const std::string& name) {
  const Outline outline = outline_of(work.source);
  const OutlineItem* found = outline.definition(name);
  if (!found) return;
  bool changed = false;
  for (const char* word : {"static", "inline"}) {
    const auto at = find_word(outline.mask, word, found->begin, found->open);
    if (at == std::string::npos) continue;
    work.source.replace(at, std::string(word).size(), std::string(std::string(word).size(), ' '));
    changed = true;
  }
  if (changed) work.notes.push_back("`" + name + "` is no longer static or inline");
  if (found->c_linkage || has_word(outline.mask.substr(found->begin, found->open - found->begin), "template"))
    return;
  work.source.insert(found->begin, "extern \"C\" ");
  work.notes.push_back("`" + name + "` was given extern \"C\"");
}

std::size_t count_params(const Outline& outline, const OutlineItem& item) {
  std::size_t count = 1;
  int depth = 0;
  for (std::size_t at = item.open + 1; at < item.close; ++at) {
    const char c = outline.mask[at];
    depth += c == '(' || c == '<' || c == '[' ? 1 : c == ')' || c == '>' || c == ']' ? -1 : 0;
    count += c == ',' && depth == 0 ? 1 : 0;
  }
  const bool empty = trimmed(outline.mask.substr(item.open + 1, item.close - item.open - 1)).empty();
  return empty ? 0 : count;
}

// A version that needs no scratch memory may leave the pointer out; the driver passes it all the same.
void mend_scratch(MendedSource& work, const MepSpec& spec) {
  if (!spec.scratch) return;
  const Outline outline = outline_of(work.source);
  const OutlineItem* found = outline.definition(spec.entry);
  if (!found || count_params(outline, *found) != spec.params.size()) return;
  work.source.insert(found->close, spec.params.empty() ? "void*" : ", void*");
  work.notes.emplace_back("the trailing scratch pointer was added");
  const std::string bytes = spec.entry + "_scratch_bytes";
  if (outline.definition(bytes)) return;
  std::string types;
  for (const ParamSpec& param : spec.params)
    if (!param.is_pointer()) types += (types.empty() ? "" : ", ") + param.type;
  work.source += "\nextern \"C\" std::size_t " + bytes + "(" + types + ") { return 0; }\n";
  work.notes.push_back("`" + bytes + "` was added: no scratch memory is used");
}

}  // namespace

MendedSource mend_source(std::string source, const MepSpec& spec) {
  MendedSource work{std::move(source), {}};
  mend_characters(work);
  mend_lines(work, spec.entry);
  mend_restrict(work);
  drop(work, OutlineItem::Kind::function, "main", "a stray main was dropped");
  for (const std::string& name : {spec.entry, spec.entry + "_setup", spec.entry + "_scratch_bytes"}) {
    drop(work, OutlineItem::Kind::statement, name, "a repeated prototype was dropped");
    mend_linkage(work, name);
  }
  mend_scratch(work, spec);
  return work;
}

}  // namespace noctune
