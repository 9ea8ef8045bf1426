// What a spec says of contents; and the small checks all readers share.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "model/data_generators.hpp"
#include "model/element_type.hpp"
#include "model/expression.hpp"
#include "model/mep_spec_json.hpp"
#include "model/mep_spec_words_json.hpp"

namespace noctune {
namespace {

bool is_identifier(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

struct IntegerRange {
  double low, high;
};

IntegerRange range_of(ElementType type) {
  const double bits = 8.0 * static_cast<double>(size_of(type));
  switch (type) {
    case ElementType::boolean:
      return {0, 1};
    case ElementType::u8:
    case ElementType::u16:
    case ElementType::u32:
      return {0, std::ldexp(1, static_cast<int>(bits)) - 1};
    case ElementType::u64:
      return {0, 0x1p53};
    case ElementType::i64:
      return {-0x1p53, 0x1p53};
    default:
      return {-std::ldexp(1, static_cast<int>(bits) - 1), std::ldexp(1, static_cast<int>(bits) - 1) - 1};
  }
}

// A text is an expression: its value is known once the sizes are.
bool read_bound(StrictReader& reader, InitSpec& init, const std::string& key, const ContentsOf& of) {
  if (!reader.has(key) || !reader.raw(key).is_string()) return false;
  init.expressions[key] = read_expression(reader, key, of.names);
  return true;
}

double read_value(StrictReader& reader, const std::string& key, double fallback, ElementType type) {
  const double value = reader.number(key, fallback);
  if (is_floating(type) || !reader.has(key)) return value;
  const IntegerRange range = range_of(type);
  if (value != std::floor(value)) reader.complain(key, "must be a whole number for this element type");
  if (value < range.low || value > range.high) reader.complain(key, "does not fit the element type");
  return value;
}

void read_range(StrictReader& reader, InitSpec& init, const ContentsOf& of) {
  if (!read_bound(reader, init, "low", of)) init.low = read_value(reader, "low", init.low, of.type);
  if (!read_bound(reader, init, "high", of)) init.high = read_value(reader, "high", init.high, of.type);
  if (!init.expressions.empty()) return;
  if (init.high < init.low) reader.complain(reader.has("high") ? "high" : "low", "high is below low");
  if (init.kind == InitSpec::Kind::integers &&
      (init.low != std::floor(init.low) || init.high != std::floor(init.high)))
    reader.complain("low", "low and high must be whole numbers");
}

void read_init_fields(StrictReader& reader, InitSpec& init, const ContentsOf& of) {
  using Kind = InitSpec::Kind;
  if (init.kind == Kind::uniform || init.kind == Kind::integers || init.kind == Kind::sorted ||
      init.kind == Kind::unique)
    read_range(reader, init, of);
  if (init.kind == Kind::unique && !reader.has("high"))
    reader.complain("high", "is missing: unique draws different numbers from low to high");
  if (init.kind == Kind::normal) {
    init.mean = reader.number("mean", init.mean);
    init.sd = reader.number("sd", init.sd);
    if (!(init.sd >= 0)) reader.complain("sd", "must not be negative");
  }
  if (init.kind == Kind::permutation && present(reader, "length"))
    init.expressions["length"] = read_expression(reader, "length", of.names);
  if (init.kind == Kind::constant && !read_bound(reader, init, "value", of))
    init.value = read_value(reader, "value", reader.has("value") ? 0 : 1, of.type);
  if (init.kind == Kind::index) {
    if (!read_bound(reader, init, "value", of)) init.value = read_value(reader, "value", 0, of.type);
    if (!read_bound(reader, init, "step", of)) init.step = read_value(reader, "step", 1, of.type);
  }
}

// The range where the spec gives none: floats -1 to 1; integers 0 to 9, bytes 0 to 255, bool 0 to 1.
InitSpec plain_init(InitSpec::Kind kind, ElementType type) {
  InitSpec init;
  init.kind = kind;
  if (!is_floating(type)) {
    init.low = 0;
    init.high = type == ElementType::boolean ? 1 : type == ElementType::u8 ? 255 : 9;
  }
  return init;
}

const DataSpec& set_named(StrictReader& reader, const std::string& text, const std::vector<DataSpec>& data) {
  const std::string name = text.substr(0, text.find('.'));
  for (const DataSpec& one : data)
    if (one.name == name) return one;
  std::string parts;
  for (const DataSpec& one : data)
    for (const std::string& part : parts_of(one))
      parts += (parts.empty() ? "" : ", ") + one.name + "." + part;
  reader.complain("init", "\"" + text + "\" is neither a kind nor a part of the spec's data",
                  "kinds: " + listed(init_names) + (parts.empty() ? "" : "; parts: " + parts));
}

// "A.col", or "A" alone where the data set has one part.
InitSpec joint_init(StrictReader& reader, const std::string& text, const ContentsOf& of) {
  const DataSpec& data = set_named(reader, text, of.data);
  const std::vector<std::string> parts = parts_of(data);
  const bool bare = text.size() == data.name.size();
  const std::string part = !bare ? text.substr(data.name.size() + 1) : parts.size() == 1 ? parts[0] : "";
  if (std::find(parts.begin(), parts.end(), part) == parts.end())
    reader.complain("init", "the " + data.gen + " \"" + data.name + "\" has no part \"" + part + "\"",
                    "parts: " + listed(parts));
  const std::vector<std::string>& whole = data_generator(data.gen)->whole;
  if (std::find(whole.begin(), whole.end(), part) != whole.end() &&
      (is_floating(of.type) || of.type == ElementType::boolean))
    reader.complain("init", "\"" + text + "\" needs integer elements");
  InitSpec init;
  init.kind = InitSpec::Kind::joint;
  init.part = data.name + "." + part;
  return init;
}

InitSpec::Kind kind_named(StrictReader& reader, const std::string& key, const std::string& word) {
  for (std::size_t i = 0; i + 1 < init_names.size(); ++i)
    if (word == init_names[i]) return static_cast<InitSpec::Kind>(i);
  reader.complain(key, "\"" + word + "\" is not a kind of contents", "kinds: " + listed(init_names));
}

void check_kind(StrictReader& reader, InitSpec::Kind kind, ElementType type) {
  if (kind == InitSpec::Kind::normal && !is_floating(type))
    reader.complain("init", "normal needs floating-point elements", "use integers with low and high");
  if ((kind == InitSpec::Kind::permutation || kind == InitSpec::Kind::unique) && components(type) == 2)
    reader.complain("init", std::string(to_text(kind)) + " needs real elements");
}

}  // namespace

InitSpec read_init(StrictReader& reader, const ContentsOf& of) {
  const ElementType type = of.type;
  const OrderedJson& value = reader.raw("init");
  if (value.is_object()) {
    StrictReader inner = reader.object("init");
    InitSpec init = plain_init(kind_named(inner, "kind", inner.text("kind")), type);
    check_kind(reader, init.kind, type);
    read_init_fields(inner, init, of);
    inner.finish();
    return init;
  }
  if (value.is_number()) {
    InitSpec init = plain_init(InitSpec::Kind::constant, type);
    init.value = read_value(reader, "init", 0, type);
    return init;
  }
  const std::string word = reader.text("init");
  const bool is_kind = std::find(init_names.begin(), init_names.end() - 1, word) != init_names.end() - 1;
  if (!is_kind) return joint_init(reader, word, of);
  InitSpec init = plain_init(kind_named(reader, "init", word), type);
  check_kind(reader, init.kind, type);
  if (init.kind == InitSpec::Kind::constant) init.value = 1;
  if (init.kind == InitSpec::Kind::unique)
    reader.complain("init", "unique needs a range", "{\"kind\": \"unique\", \"low\": 0, \"high\": \"n-1\"}");
  return init;
}

void need_identifier(StrictReader& reader, const std::string& key, const std::string& text) {
  if (!is_identifier(text)) reader.complain(key, "\"" + text + "\" is not a C identifier");
}

// A number, or an expression over the given names; as text.
std::string read_expression(StrictReader& reader, const std::string& key,
                            const std::set<std::string>& names) {
  return checked_expression(reader, key, reader.raw(key), names);
}

std::string checked_expression(StrictReader& reader, const std::string& key, const OrderedJson& value,
                               const std::set<std::string>& names) {
  if (value.is_number()) return value.dump();
  if (!value.is_string()) reader.complain(key, "expected a number or an expression such as \"n*n\"");
  const std::string text = value.get<std::string>();
  const auto used = names_in(text);
  if (!used) reader.complain(key, used.error().problem + ": " + used.error().reason, used.error().hint);
  for (const std::string& name : *used) {
    if (names.count(name)) continue;
    const std::string near = closest(name, {names.begin(), names.end()});
    reader.complain(key, "\"" + name + "\" is not a size or a derived count",
                    !near.empty()   ? "did you mean \"" + near + "\"?"
                    : names.empty() ? "the spec declares none"
                                    : "known: " + listed(names));
  }
  return text;
}

// Like has(), and marks the key as known where it is absent, so that hints can name it.
bool present(StrictReader& reader, const std::string& key) {
  if (reader.has(key)) return true;
  reader.text(key, "");
  return false;
}

std::string optional_expression(StrictReader& reader, const std::string& key,
                                const std::set<std::string>& names, const std::string& fallback) {
  return present(reader, key) ? read_expression(reader, key, names) : fallback;
}

}  // namespace noctune
