// Structs, classes, enumerations, aliases and variables of a scope.
#include <algorithm>

#include "mep/reading/file_reader.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr int deepest_class = 8;

}  // namespace

SourceStruct* FileReader::find_struct(const std::string& name) {
  for (auto one = out_.facts.structs.rbegin(); one != out_.facts.structs.rend(); ++one)
    if (one->name == name) return &*one;
  return nullptr;
}

std::size_t FileReader::using_alias(std::size_t at, std::size_t end) {
  const std::size_t stop = tokens_.find({at, end}, {";"});
  if (tokens_.is_name(at + 1) && tokens_.is(at + 2, "=")) {
    const Declaration declaration = read_declaration(tokens_, {at + 3, stop});
    use_types(declaration, {});
    out_.facts.aliases.push_back(
        {tokens_[at + 1].text, tokens_.type_text({at + 3, stop}), tokens_.range({at, stop + 1})});
  }
  return stop + 1;
}

// typedef float real, *real_pointer;
void FileReader::alias(std::size_t at, std::size_t end) {
  const Declaration declaration = read_declaration(tokens_, {at, end});
  use_types(declaration, {});
  for (const Declarator& declarator : declaration.declarators)
    if (!declarator.name.empty())
      out_.facts.aliases.push_back({declarator.name, declarator.type, tokens_.range({at - 1, end + 1})});
}

std::size_t FileReader::enumeration(std::size_t at, std::size_t end) {
  const std::size_t open = tokens_.find({at, end}, {"{", ";"});
  for (std::size_t i = at; i < open; ++i)
    if (tokens_.is_name(i) && !is_keyword(tokens_[i].text)) out_.known_names.insert(tokens_[i].text);
  if (!tokens_.is(open, "{")) return open + 1;
  for (const Span& part : tokens_.split({open + 1, tokens_.close(open)}))
    if (!part.empty()) out_.known_names.insert(tokens_[part.begin].text);
  const std::size_t stop = tokens_.find({tokens_.past(open), end}, {";"});
  for (std::size_t i = tokens_.past(open); i < stop; ++i)
    if (tokens_.is_name(i)) out_.known_names.insert(tokens_[i].text);
  return stop + 1;
}

// [typedef] struct Name : Base { ... } names; returns `at` where none stands there.
std::size_t FileReader::type_definition(std::size_t at, std::size_t end, int depth) {
  const bool is_typedef = tokens_.is(at, "typedef");
  std::size_t head = is_typedef ? at + 1 : at;
  while (tokens_.is_one_of(head, {"static", "const"})) ++head;
  if (!tokens_.is_one_of(head, {"struct", "class", "union"})) return at;
  SourceStruct made;
  std::size_t open = head + 1;
  for (; open < end && !tokens_.is_one_of(open, {"{", ";", "=", "*", "&", "(", ")", ","}); ++open) {
    if (tokens_.is(open, ":"))
      made.plain = false;
    else if (is_attribute(tokens_[open].text) && tokens_.is(open + 1, "("))
      open = tokens_.close(open + 1);
    else if (tokens_.is_name(open) && made.plain && made.name.empty())
      made.name = tokens_[open].text;
  }
  if (!tokens_.is(open, "{")) {
    if (!tokens_.is(open, ";") || is_typedef) return at;
    out_.known_names.insert(made.name);  // declared only
    return open + 1;
  }
  const std::size_t close = tokens_.close(open);
  const std::size_t stop = tokens_.find({tokens_.past(open), end}, {";", "}"});
  if (made.name.empty() && is_typedef)
    made.name = tokens_.is_name(tokens_.past(open)) ? tokens_[tokens_.past(open)].text : "";
  if (tokens_.is(head, "union")) made.plain = false;
  made.where = tokens_.range({at, stop + 1});
  const std::string name = made.name;
  out_.facts.structs.push_back(made);
  if (depth <= deepest_class) scope({open + 1, close}, name.empty() ? "(unnamed)" : name, depth + 1);
  for (const Span& part : tokens_.split({tokens_.past(open), stop})) {
    const std::size_t last = part.end;
    if (part.empty() || !tokens_.is_name(last - 1) || tokens_[last - 1].text == name) continue;
    if (is_typedef)
      out_.facts.aliases.push_back({tokens_[last - 1].text, name + (part.size() > 1 ? "*" : ""), made.where});
    else
      out_.facts.symbols.push_back(
          {SourceSymbol::Space::host, name, tokens_[last - 1].text, "", {}, false, false, made.where});
  }
  return stop + 1;
}

void FileReader::field(const Declaration& declaration, const std::string& owner) {
  SourceStruct* made = find_struct(owner == "(unnamed)" ? "" : owner);
  if (made == nullptr) return;
  for (const Declarator& declarator : declaration.declarators) {
    if (declarator.name.empty()) continue;
    if (!declarator.initial.empty()) made->plain = false;
    made->fields.push_back(
        {declarator.type, declaration.base, declarator.name, declarator.pointers, declarator.extents});
  }
}

void FileReader::variables(Span span, const std::string& owner) {
  if (span.empty()) return;
  const Declaration declaration = read_declaration(tokens_, span);
  if (declaration.base.empty()) return;
  const bool texture = declaration.base.rfind("texture<", 0) == 0 || declaration.base == "texture";
  use_types(declaration, {});
  if (!owner.empty() && declaration.words.count("static") == 0) return field(declaration, owner);
  for (const Declarator& declarator : declaration.declarators) {
    if (declarator.name.empty()) continue;
    SourceSymbol symbol;
    symbol.space = declaration.words.count("__constant__") ? SourceSymbol::Space::constant
                   : declaration.words.count("__device__") || declaration.words.count("__managed__")
                       ? SourceSymbol::Space::device
                       : SourceSymbol::Space::host;
    if (texture) symbol.space = SourceSymbol::Space::texture;
    symbol.type = declaration.base + std::string(static_cast<std::size_t>(declarator.pointers), '*');
    symbol.name = declarator.name;
    symbol.initial = tokens_.text(declarator.initial);
    symbol.extents = declarator.extents;
    symbol.is_const = declaration.is_const || declaration.words.count("constexpr") > 0;
    symbol.is_extern = declaration.words.count("extern") > 0;
    symbol.where = tokens_.range({span.begin, span.end + 1});
    out_.facts.symbols.push_back(symbol);
  }
}

}  // namespace noctune::reading
