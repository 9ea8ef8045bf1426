#include "coordinator/rules/gpu/type_names.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "coordinator/rules/expr.hpp"
#include "mep/reading/words.hpp"

namespace noctune::rules::gpu {
namespace {

std::string spaced(const std::string& type) {
  std::string out;
  for (const char c : type) out += c == '*' || c == '&' ? std::string(" ") + c + " " : std::string(1, c);
  return out;
}

// The C++ type behind the short names of the standard and the toolkits.
std::string plain_word(const std::string& word) {
  static const std::map<std::string, std::string> table = {
      {"int32_t", "int"},           {"uint32_t", "unsigned int"},
      {"int64_t", "long"},          {"uint64_t", "unsigned long"},
      {"size_t", "unsigned long"},  {"std::size_t", "unsigned long"},
      {"ptrdiff_t", "long"},        {"uint", "unsigned int"},
      {"unsigned", "unsigned int"}, {"ushort", "unsigned short"}};
  const auto found = table.find(word);
  return found == table.end() ? word : found->second;
}

bool is_integer_macro(const SourceMacro& macro) {
  return !macro.function_like && !macro.value.empty() &&
         macro.value.find_first_not_of("0123456789()+-* ") == std::string::npos;
}

std::string base_of(std::vector<std::string> words) {
  std::string text;
  const bool is_unsigned = std::find(words.begin(), words.end(), "unsigned") != words.end();
  const auto has_int = std::find(words.begin(), words.end(), "int");
  // "unsigned long int" and "long unsigned" are "unsigned long".
  if (words.size() > 1 && has_int != words.end() && !(words.size() == 2 && is_unsigned)) words.erase(has_int);
  words.erase(std::remove(words.begin(), words.end(), "signed"), words.end());
  if (is_unsigned && words.size() > 1) {
    words.erase(std::remove(words.begin(), words.end(), "unsigned"), words.end());
    words.insert(words.begin(), "unsigned");
  }
  if (words.size() == 1) return plain_word(words[0]);
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

std::string TypeNames::canonical(const std::string& type) const {
  std::istringstream list(spaced(type));
  bool is_const = false;
  std::string tail;
  std::vector<std::string> words;
  for (std::string word; list >> word;) {
    if (word == "const" && tail.empty()) {
      is_const = true;
    } else if (word == "*" || word == "&") {
      tail += " " + word;
    } else if (!reading::is_qualifier(word) && !reading::is_storage_word(word)) {
      const auto alias = aliases.find(word);
      std::istringstream parts(alias == aliases.end() ? word : alias->second);
      for (std::string part; parts >> part;) words.push_back(part);
    }
  }
  return (is_const ? "const " : "") + base_of(words) + tail;
}

bool TypeNames::is_type(const std::string& word) const {
  return reading::is_builtin_type_word(word) || reading::is_known_type(word) || aliases.count(word) > 0 ||
         others.count(word) > 0 || word == "auto";
}

std::string TypeNames::type_of(const std::string& name) const {
  const auto found = names.find(name);
  return found == names.end() ? std::string() : found->second;
}

TypeNames type_names(const SourceFacts& context, const SourceFacts& source) {
  TypeNames out;
  for (const SourceFacts* facts : {&context, &source}) {
    for (const SourceAlias& alias : facts->aliases)
      if (alias.type.find_first_of("<(") == std::string::npos)
        out.aliases[alias.name] = out.canonical(alias.type);
    for (const SourceStruct& one : facts->structs) out.others.insert(one.name);
    for (const SourceMacro& macro : facts->macros) {
      if (is_integer_macro(macro)) out.names[macro.name] = "int";
      // "#define DATA_TYPE float"
      if (!macro.function_like && reading::is_known_type(macro.value)) out.aliases[macro.name] = macro.value;
    }
  }
  for (const char* word : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
    for (const char* axis : {".x", ".y", ".z"}) out.names[std::string(word) + axis] = "unsigned int";
  return out;
}

std::string member_type(const std::string& vector_type) {
  const std::string plain = plain_type(vector_type);
  if (!reading::is_vector_type(plain)) return {};
  if (plain.rfind("float", 0) == 0) return "float";
  if (plain.rfind("double", 0) == 0) return "double";
  return plain.rfind("int", 0) == 0 ? "int" : "";
}

}  // namespace noctune::rules::gpu
