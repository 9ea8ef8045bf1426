#include "mep/type_text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <vector>

#include "model/c_type.hpp"
#include "model/element_type.hpp"

namespace noctune {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

struct Word {
  std::string text, before;  // `before`: the word in front of it
  char next = '\0';          // what follows, blanks skipped
};

std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> out;
  std::string before;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    std::size_t next = end;
    while (next < text.size() && std::isspace(static_cast<unsigned char>(text[next]))) ++next;
    out.push_back({text.substr(at, end - at), before, next < text.size() ? text[next] : '\0'});
    before = out.back().text;
    at = end;
  }
  return out;
}

std::string without_alignment(const std::string& text) {
  static const std::regex alignment(R"((alignas|__align__)\s*\([^)]*\)|__attribute__\s*\(\([^)]*\)*\)\))");
  return std::regex_replace(text, alignment, " ");
}

// What a text defines itself: structs and aliases of that name.
std::set<std::string> defined_in(const std::vector<Word>& words) {
  std::set<std::string> out;
  for (const Word& word : words) {
    const bool keyword = word.before == "struct" || word.before == "class" || word.before == "using" ||
                         word.before == "define" || word.before == "union";
    if (keyword || word.next == ';') out.insert(word.text);
    // A function of its own: "float4 make_float4(...".
    if (word.text == "make_" + word.before) out.insert(word.text);
  }
  return out;
}

std::string definition(const std::string& name, const VectorType& type, bool with_maker) {
  static const char* const lanes[] = {"x", "y", "z", "w"};
  std::string members, parameters;
  for (int i = 0; i < type.lanes; ++i) {
    members += (i ? ", " : "") + std::string(lanes[i]);
    parameters += (i ? ", " : "") + type.scalar + " " + lanes[i];
  }
  std::string out = "struct alignas(" + std::to_string(type.alignment) + ") " + name + " { " + type.scalar +
                    " " + members + "; };\n";
  if (with_maker)
    out += "static inline " + name + " make_" + name + "(" + parameters + ") { return {" + members + "}; }\n";
  return out;
}

// Whoever uses float4 is likely to use float2 and float3 inside.
std::set<std::string> families(const std::vector<Word>& words) {
  std::set<std::string> out;
  for (const Word& word : words) {
    const std::string name = word.text.rfind("make_", 0) == 0 ? word.text.substr(5) : word.text;
    if (!vector_type(name)) continue;
    out.insert(name);
    for (const char* lanes : {"2", "3", "4"}) out.insert(name.substr(0, name.size() - 1) + lanes);
  }
  return out;
}

std::string short_names(const std::vector<Word>& words, const std::set<std::string>& defined) {
  std::string out;
  for (const auto& [name, meaning] :
       {std::pair("uchar", "unsigned char"), std::pair("ushort", "unsigned short"),
        std::pair("uint", "unsigned int"), std::pair("ulong", "unsigned long")}) {
    const std::string wanted = name;
    const bool used =
        std::any_of(words.begin(), words.end(), [&](const Word& word) { return word.text == wanted; });
    if (used && !defined.count(name)) out += "typedef " + std::string(meaning) + " " + name + ";\n";
  }
  return out;
}

void add_types(const std::vector<ParamSpec>& params, std::string& out) {
  for (const ParamSpec& param : params) {
    out += param.type + "\n";
    add_types(param.fields, out);
  }
}

// ---- structs

std::string struct_name(const std::string& type) {
  const std::string name = is_pointer_type(type) ? pointee(type) : pointee(type + "*");
  const bool plain = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                     std::all_of(name.begin(), name.end(), is_word);
  return plain && !vector_type(name) ? name : std::string();
}

void add_structs(const std::vector<ParamSpec>& params, std::set<std::string>& seen, std::string& out) {
  for (const ParamSpec& param : params) {
    if (param.fields.empty()) continue;
    add_structs(param.fields, seen, out);
    const std::string name = struct_name(param.type);
    if (name.empty() || !seen.insert(name).second) continue;
    out += "struct " + name + " {\n";
    for (const ParamSpec& field : param.fields) {
      const bool constant = field.type.rfind("const ", 0) == 0 && !is_pointer_type(field.type);
      out += "  " + declared(constant ? field.type.substr(6) : field.type, field.name) + ";\n";
    }
    out += "};\n";
  }
}

}  // namespace

std::string vector_prelude(const std::string& types, const std::string& own) {
  if (own.find("vector_types.h") != std::string::npos) return {};
  const std::vector<Word> words = words_of(types + "\n" + own);
  const std::set<std::string> defined = defined_in(words_of(without_alignment(own)));
  std::string out = short_names(words, defined);
  for (const std::string& name : families(words))
    if (!defined.count(name)) out += definition(name, *vector_type(name), !defined.count("make_" + name));
  if (out.empty()) return out;
  return "#if !defined(__CUDACC__) && !defined(__HIPCC__)\n" + out + "#endif\n";
}

std::string types_in(const MepSpec& spec) {
  std::string out;
  add_types(spec.params, out);
  add_types(spec.globals, out);
  for (const DataSpec& data : spec.data)
    for (const DataPart& part : data.parts) out += part.type + "\n";
  for (const auto& define : spec.defines) out += define.second + "\n";
  return out;
}

std::string struct_declarations(const MepSpec& spec) {
  std::set<std::string> seen;
  std::string out;
  add_structs(spec.params, seen, out);
  return out;
}

}  // namespace noctune
