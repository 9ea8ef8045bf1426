#include "mep/completion/missing_names.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "mep/completion/text_words.hpp"

namespace noctune {
namespace {

bool has_part(const std::string& lower, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return lower.find(part) != std::string::npos; });
}

// real, REAL, real_t, DATA_TYPE, dfloat, MD_FLOAT, scalar_t, fp_type ...
bool names_a_number(const std::string& type) {
  const std::string lower = in_lower_case(type);
  if (lower.find("int") != std::string::npos || lower.find("idx") != std::string::npos) return false;
  return has_part(lower, {"real", "float", "double", "data_type", "datatype", "dtype", "scalar", "fptype",
                          "fp_t", "precision", "number", "value_t", "val_t", "elem", "item"}) ||
         lower == "fp" || lower == "type" || lower == "dtype" || lower == "num" || lower == "t";
}
bool names_an_integer(const std::string& type) {
  const std::string lower = in_lower_case(type);
  return has_part(lower, {"int", "idx", "index", "size", "ordinal", "label", "offset", "count"});
}

// Everything the needed functions say, their heads included.
std::string needed_text(const CompletionState& state) {
  std::string out;
  for (const SourceFunction& one : state.facts.functions)
    if (state.needed.count(one.name) > 0)
      out += state.input.source.substr(one.declaration.begin, one.body.end - one.declaration.begin) + "\n";
  for (const SourceStruct& one : state.facts.structs)
    out += state.input.source.substr(one.where.begin, one.where.end - one.where.begin) + "\n";
  for (const SourceMacro& one : state.facts.macros) out += one.value + "\n";
  for (const SourceAlias& one : state.facts.aliases) out += one.type + "\n";
  for (const SourceSymbol& one : state.facts.symbols) out += one.type + " " + joined(one.extents, " ") + "\n";
  return out;
}

// "1.0f" and no "1.0": the author works in single precision.
bool single_precision(const std::string& text) {
  bool single = false;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) == 0 || text[i + 1] != '.') continue;
    std::size_t end = i + 2;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    const bool suffix = end < text.size() && (text[end] == 'f' || text[end] == 'F');
    if (!suffix) return false;
    single = true;
  }
  return single;
}

void define(CompletionState& state, const std::string& name, const std::string& value,
            const std::string& why) {
  state.input.defines[name] = value;
  state.spec().defines[name] = value;
  state.assumed(name + " is taken as " + value + ", " + why);
}

Result<void> supply_type(CompletionState& state, const std::string& type, const std::string& text) {
  if (names_a_number(type)) {
    const std::string value = single_precision(text) ? "float" : "double";
    define(state, type, value,
           value == "float" ? "since all literals are single precision" : "since nobody defines it");
    return {};
  }
  if (names_an_integer(type)) {
    define(state, type, "int", "since nobody defines it");
    return {};
  }
  return fail(state.input.file, "the type " + type + " is used and not defined",
              "add its definition to the source (for a struct, all members), or give it in \"defines\"");
}

bool is_called(const CompletionState& state, const std::string& name) {
  return std::any_of(state.facts.functions.begin(), state.facts.functions.end(),
                     [&](const SourceFunction& one) {
                       return state.needed.count(one.name) > 0 && contains(one.calls, name);
                     });
}

bool is_upper(const std::string& name) {
  return std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

}  // namespace

std::string constant_by_name(const std::string& name) {
  const std::string lower = in_lower_case(name);
  if (has_part(lower, {"block_size", "blocksize", "nthreads", "threads", "block_dim", "blockdim"}))
    return "256";
  if (has_part(lower, {"tile", "block_x", "block_y", "bsize"})) return "16";
  if (has_part(lower, {"warp", "wave"})) return "32";
  if (has_part(lower, {"unroll", "per_thread", "coarse"})) return "4";
  if (has_part(lower, {"radius", "halo", "ghost"})) return "3";
  if (has_part(lower, {"eps", "tol", "soft"})) return "1e-3";
  if (has_part(lower, {"gamma"})) return "1.4";
  if (has_part(lower, {"omega", "relax"})) return "0.9";
  if (has_part(lower, {"alpha", "beta", "scale", "factor"})) return "1.25";
  if (lower == "pi" || has_part(lower, {"m_pi"})) return "3.14159265358979323846";
  if (has_part(lower, {"grav"})) return "9.81";
  if (has_part(lower, {"dt", "delta"})) return "0.01";
  return {};
}

Result<void> supply_missing_names(CompletionState& state) {
  const std::string text = needed_text(state);
  for (const std::string& type : state.facts.unknown_types) {
    if (state.input.defines.count(type) > 0 || !holds_word(text, type)) continue;
    if (const Result<void> good = supply_type(state, type, text); !good) return good;
  }
  for (const std::string& name : state.facts.unknown_names) {
    if (state.input.defines.count(name) > 0 || !holds_word(text, name)) continue;
    if (is_called(state, name))
      return fail(state.input.file, "the function " + name + " is called and not defined",
                  "add its definition to the source");
    // Sizes that loops and indices name get their value later, with the other sizes.
    if (state.accesses.bounds.count(name) > 0) continue;
    const std::string value = constant_by_name(name);
    if (value.empty() && !is_upper(name))
      return fail(state.input.file, "the name " + name + " is used and not defined",
                  "add its definition to the source, or give its value in \"defines\"");
    define(state, name, value.empty() ? "1" : value, "since nobody defines it");
  }
  return {};
}

}  // namespace noctune
