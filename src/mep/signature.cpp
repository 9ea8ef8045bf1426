#include "mep/signature.hpp"

#include "base/clang_ast.hpp"
#include "mep/reading/read_source.hpp"
#include "mep/type_text.hpp"

namespace noctune {
namespace {

std::string names_of(const std::vector<AstNode>& functions) {
  std::string text;
  for (const AstNode& function : functions) text += (text.empty() ? "" : ", ") + function.name;
  return text.empty() ? "it defines no function" : "it defines " + text;
}

Signature signature_of(const AstNode& function) {
  Signature signature;
  signature.entry = function.name;
  signature.c_linkage = function.c_linkage;
  for (const AstNode& child : function.children)
    if (child.kind == AstKind::parameter) signature.params.push_back({child.name, child.type});
  return signature;
}

// The type without blanks and without what may differ harmlessly: qualifiers of the pointer or value itself.
std::string comparable(const std::string& type) {
  std::string text;
  for (const char c : type)
    if (c != ' ') text += c;
  for (bool again = true; again;) {
    again = false;
    for (const std::string qualifier : {"__restrict__", "__restrict", "restrict", "const", "volatile"}) {
      const bool ends = text.size() > qualifier.size() &&
                        text.compare(text.size() - qualifier.size(), qualifier.size(), qualifier) == 0;
      if (!ends) continue;
      text.resize(text.size() - qualifier.size());
      again = true;
    }
  }
  // "double const*" and "const double*" are one type.
  const std::size_t star = text.find("const*");
  if (star != std::string::npos && star > 0) text = "const" + text.substr(0, star) + text.substr(star + 5);
  if (text.rfind("const", 0) == 0 && text.find('*') == std::string::npos) text = text.substr(5);
  return text;
}

// As the compiler's parser writes them, so that aliases such as std::int64_t compare equal; as they are where
// it knows one not.
std::vector<std::string> canonical(const std::vector<std::string>& types, const MepSpec& spec) {
  std::string prototype = "#include <cstddef>\n#include <cstdint>\n" + vector_prelude(types_in(spec), "") +
                          struct_declarations(spec) + "void probe(";
  for (std::size_t i = 0; i < types.size(); ++i) prototype += (i == 0 ? "" : ", ") + types[i];
  auto unit = parse_cpp({prototype + ") {}\n", "", {}});
  std::vector<std::string> out;
  if (unit && unit->errors.empty() && !unit->functions.empty())
    for (const SignatureParam& param : signature_of(unit->functions.front()).params)
      out.push_back(param.type);
  return out.size() == types.size() ? out : types;
}

std::vector<std::string> canonical_types(const MepSpec& spec) {
  std::vector<std::string> types;
  for (const ParamSpec& param : spec.params) types.push_back(param.type);
  return canonical(types, spec);
}

std::string count_of(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " parameter" : " parameters");
}

bool has_trailing_scratch(const Signature& signature, const MepSpec& spec) {
  return spec.scratch && signature.params.size() == spec.params.size() + 1 &&
         comparable(signature.params.back().type) == "void*";
}

std::string order_of(const MepSpec& spec) {
  std::string text;
  for (const ParamSpec& param : spec.params) text += (text.empty() ? "" : ", ") + param.name;
  return text;
}

}  // namespace

Result<Signature> read_signature(const std::string& source, const std::string& context,
                                 const std::string& entry, const std::vector<std::string>& flags) {
  const auto unit = parse_cpp({source, context, flags});
  if (!unit) return Failure(unit.error());
  for (const AstNode& function : unit->functions)
    if (function.name == entry) return signature_of(function);
  if (!unit->errors.empty())
    return fail("the source cannot be parsed", unit->errors.front(), "make it compile on its own first");
  return fail("the source defines no function " + entry, names_of(unit->functions),
              "name one of them as the entry, or define " + entry);
}

Result<Signature> read_gpu_signature(const std::string& source, const MepSpec& spec) {
  const SourceFacts facts = read_source(source, spec.defines);
  const SourceFunction* const function = facts.function(spec.entry);
  if (!function) {
    std::string names;
    for (const SourceFunction& one : facts.functions)
      names += (names.empty() ? "it defines " : ", ") + one.name;
    return fail("the source defines no function " + spec.entry,
                names.empty() ? "it defines no function" : names,
                "name one of them as the entry, or define " + spec.entry);
  }
  Signature out{spec.entry, {}, function->c_linkage};
  if (function->params.empty() || function->params.back().type != "mep_stream_t")
    return fail("the entry " + spec.entry, "does not take a stream",
                "give it `mep_stream_t stream` as its last parameter, and launch its kernels there");
  std::vector<std::string> types;
  for (const SourceParam& param : function->params) types.push_back(param.type);
  types.pop_back();
  types = canonical(types, spec);
  for (std::size_t i = 0; i < types.size(); ++i) out.params.push_back({function->params[i].name, types[i]});
  return out;
}

std::optional<std::string> signature_difference(const Signature& signature, const MepSpec& spec) {
  const std::size_t found = signature.params.size();
  const bool scratch = has_trailing_scratch(signature, spec);
  if (found != spec.params.size() && !scratch)
    return signature.entry + " takes " + count_of(found) + " but the spec lists " +
           std::to_string(spec.params.size()) + (spec.params.empty() ? "" : " (" + order_of(spec) + ")");
  const std::vector<std::string> types = canonical_types(spec);
  for (std::size_t i = 0; i < spec.params.size(); ++i) {
    const SignatureParam& param = signature.params[i];
    const std::string place = "parameter " + std::to_string(i + 1) + " of " + signature.entry;
    if (comparable(param.type) != comparable(types[i]))
      return place + " (" + spec.params[i].name + ") has type '" + param.type + "' but the spec says '" +
             spec.params[i].type + "'";
    // A candidate may rename a parameter; a name that the spec uses elsewhere means a changed order.
    for (std::size_t j = 0; j < spec.params.size(); ++j)
      if (j != i && param.name == spec.params[j].name && !param.name.empty())
        return place + " is " + param.name + " but the spec has " + spec.params[i].name + " there";
  }
  return {};
}

}  // namespace noctune
