// Which array a pointer expression points into: chains of subscripts and members, sums, casts, choices.
#include <algorithm>

#include "mep/reading/body_reader.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr int deepest = 6;
constexpr std::size_t longest_pointer = 400;  // tokens of an expression that may be a pointer
constexpr std::size_t most_places = 4;
constexpr std::size_t longest_subscripts = 1000;  // bytes

}  // namespace

// What the name at `at` stands for; `record` for a struct by value.
std::vector<Place> BodyReader::roots(std::size_t at, bool& record) {
  const std::string& text = tokens_[at].text;
  if (const Binding* binding = scopes_.find(text)) {
    record = binding->record && binding->places.empty();
    if (!record) return binding->places;
    Place place;
    place.array = text;
    place.base = binding->base;
    return {place};
  }
  const auto found = names_.symbols.find(text);
  if (found == names_.symbols.end()) return {};
  const SourceSymbol& symbol = *found->second;
  const bool scalar = symbol.extents.empty() && symbol.type.find('*') == std::string::npos;
  // A constant of the host's code is no data.
  if (scalar && symbol.is_const && symbol.space == SourceSymbol::Space::host) return {};
  Place place;
  place.array = text;
  place.base = names_.resolved(symbol.type.substr(0, symbol.type.find('*')));
  place.read_only = symbol.is_const || symbol.space == SourceSymbol::Space::constant;
  place.dims = static_cast<int>(symbol.extents.size()) +
               static_cast<int>(std::count(symbol.type.begin(), symbol.type.end(), '*'));
  record = scalar && names_.struct_of(place.base) != nullptr;
  if (place.dims == 0) place.offset = "0";
  return {place};
}

// The name at `at` with its subscripts and members. Unless `quiet`, reads of pointers on the way are told.
BodyReader::Chain BodyReader::chain(std::size_t at, bool quiet) {
  Chain out;
  bool record = false;
  out.places = roots(at, record);
  out.found = !out.places.empty();
  std::size_t next = at + 1;
  while (out.found) {
    if (tokens_.is(next, "[") && !record && out.places.front().dims > 0) {
      const std::string index = tokens_.text({next + 1, tokens_.close(next)});
      for (Place& place : out.places) place.subscript(index.size() > longest_subscripts ? "?" : index);
      next = tokens_.past(next);
    } else if (tokens_.is_one_of(next, {".", "->"}) && tokens_.is_name(next + 1)) {
      if (!chain_member(out, record, next, quiet)) break;
    } else {
      break;
    }
  }
  if (record) out.found = false;
  out.end = next;
  return out;
}

// One ".f" or "->f" at `at`, which is moved behind it. False where nothing that matters follows.
bool BodyReader::chain_member(Chain& out, bool& record, std::size_t& at, bool quiet) {
  const std::string member = tokens_[at + 1].text;
  const bool arrow = tokens_.is(at, "->");
  const std::size_t next = at + 2;
  if (tokens_.is(next, "(")) return false;  // a method
  at = next;
  if (record) {
    out.found = record_member(out.places.front(), member, next, record);
    return out.found;
  }
  for (Place& place : out.places) {
    if (arrow && place.dims == 1) place.subscript("0");
    if (place.dims > 0) return false;
    const SourceField* field = names_.field(place.base, member);
    place.member += (place.member.empty() ? "" : ".") + member;
    const bool pointer = field != nullptr ? field->pointers > 0 : tokens_.is(next, "[");
    if (!pointer) {
      if (field != nullptr) place.base = field->base;
      continue;
    }
    if (!quiet) emit({place}, Kind::read, {at - 3, next});
    Place behind;
    behind.array = place.array + "." + place.member;
    behind.base = field != nullptr ? names_.resolved(field->base) : "";
    behind.read_only = field != nullptr && field->type.rfind("const", 0) == 0;
    behind.dims = field != nullptr ? field->pointers + static_cast<int>(field->extents.size()) : 1;
    place = behind;
  }
  // An array inside a struct: its subscripts stay within the element.
  while (out.found && out.places.front().dims == 0 && tokens_.is(at, "[")) at = tokens_.past(at);
  return out.found;
}

// A member of a struct by value; `record` says whether it is a struct itself. False: a plain value.
bool BodyReader::record_member(Place& place, const std::string& member, std::size_t next, bool& record) {
  const SourceField* field = names_.field(place.base, member);
  const bool symbol = names_.symbols.count(place.array.substr(0, place.array.find('.'))) > 0 &&
                      scopes_.find(place.array.substr(0, place.array.find('.'))) == nullptr;
  const bool pointer = field != nullptr ? field->pointers > 0
                                        : tokens_.is_one_of(next, {"[", "+"}) || tokens_.is(next, ",") ||
                                              tokens_.is(next, ")");
  record = field != nullptr ? names_.struct_of(field->base) != nullptr && !pointer
                            : tokens_.is_one_of(next, {".", "->"});
  if (symbol && !pointer && !record) {
    // A value in a symbol is data of the symbol.
    place.member += (place.member.empty() ? "" : ".") + member;
    place.dims = 0;
    place.offset = "0";
    return true;
  }
  place.array += "." + member;
  place.base = field != nullptr ? names_.resolved(field->base) : "";
  place.read_only = field != nullptr && field->type.rfind("const", 0) == 0;
  place.dims = field != nullptr ? field->pointers + static_cast<int>(field->extents.size()) : 1;
  return pointer || record;
}

// What a pointer-valued expression points to; nothing where it is no pointer that is known.
std::vector<Place> BodyReader::pointer_value(Span span, int depth) {
  if (span.empty() || depth > deepest || span.size() > longest_pointer) return {};
  const std::size_t question = tokens_.find(span, {"?"});
  if (question < span.end) {
    const std::size_t colon = tokens_.find({question, span.end}, {":"});
    std::vector<Place> places = pointer_value({question + 1, colon}, depth + 1);
    const std::vector<Place> others =
        colon < span.end ? pointer_value({colon + 1, span.end}, depth + 1) : std::vector<Place>{};
    places.insert(places.end(), others.begin(), others.end());
    if (places.size() > most_places) places.resize(most_places);
    return places;
  }
  if (tokens_.is(span.begin, "&")) {
    Chain target = chain(span.begin + 1, true);
    if (!target.element() || target.end != span.end) return {};
    for (Place& place : target.places) place.dims = 1;
    return target.places;
  }
  if (tokens_.is(span.begin, "(") && tokens_.past(span.begin) == span.end)
    return pointer_value({span.begin + 1, span.end - 1}, depth + 1);
  if (tokens_.is(span.begin, "(") ||
      tokens_.is_one_of(span.begin, {"reinterpret_cast", "static_cast", "const_cast"})) {
    const std::vector<Place> places = cast_value(span, depth);
    if (!places.empty()) return places;
  }
  return sum_value(span, depth);
}

// "(type*)p", "reinterpret_cast<type*>(p)".
std::vector<Place> BodyReader::cast_value(Span span, int depth) {
  Span type, value;
  if (tokens_.is(span.begin, "(")) {
    if (!is_cast(span.begin)) return {};
    type = {span.begin + 1, tokens_.close(span.begin)};
    value = {tokens_.past(span.begin), span.end};
    // A cast binds closer than a sum.
    const std::size_t sum = tokens_.find({value.begin + 1, value.end}, {"+", "-"});
    if (sum < value.end && !tokens_.is_one_of(value.begin, {"&"})) return {};
  } else {
    const std::size_t angle = tokens_.is(span.begin + 1, "<") ? tokens_.angle_close(span.begin + 1) : nowhere;
    if (angle == nowhere || !tokens_.is(angle + 1, "(") || tokens_.past(angle + 1) != span.end) return {};
    type = {span.begin + 2, angle};
    value = {angle + 2, tokens_.close(angle + 1)};
  }
  std::vector<Place> places = pointer_value(value, depth + 1);
  const std::string base = names_.resolved(read_declaration(tokens_, type).base);
  for (Place& place : places)
    if (place.dims == 1) place.view = base;
  return places;
}

// "p + i - j", "i + p", "p".
std::vector<Place> BodyReader::sum_value(Span span, int depth) {
  std::vector<Place> places;
  std::vector<std::pair<bool, Span>> others;
  std::size_t begin = span.begin;
  bool minus = false;
  while (begin < span.end) {
    const std::size_t mark = tokens_.find({begin + 1, span.end}, {"+", "-"});
    const Span term{begin, mark};
    std::vector<Place> found;
    if (places.empty() && tokens_.is_name(begin)) {
      Chain reached = chain(begin, true);
      if (reached.pointer() && reached.end == mark) found = reached.places;
    } else if (places.empty() && (begin != span.begin || mark < span.end)) {
      found = pointer_value(term, depth + 1);
    }
    if (found.empty())
      others.emplace_back(minus, term);
    else
      places = found;
    minus = tokens_.is(mark, "-");
    begin = mark + 1;
  }
  for (const auto& [negative, term] : others)
    for (Place& place : places)
      place.move(negative ? "-" + ("(" + tokens_.text(term) + ")") : tokens_.text(term));
  return places;
}

// Whether the parentheses at `open` hold a type.
bool BodyReader::is_cast(std::size_t open) const {
  const std::size_t close = tokens_.close(open);
  if (close <= open + 1 || tokens_.open(close) != open) return false;
  if (tokens_.is_one_of(close - 1, {"*", "&"})) return tokens_.is_name(open + 1);
  for (std::size_t i = open + 1; i < close; ++i)
    if (is_builtin_type_word(tokens_[i].text) || is_qualifier(tokens_[i].text)) return true;
  return close == open + 2 && is_known_type(tokens_[open + 1].text);
}

}  // namespace noctune::reading
