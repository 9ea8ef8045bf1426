#include "mep/reading/body_reader.hpp"

#include <utility>

#include "mep/reading/words.hpp"

namespace noctune::reading {

FileNames::FileNames(const SourceFacts& of) : facts(&of) {
  for (const SourceStruct& one : of.structs) structs.emplace(one.name, &one);
  for (const SourceSymbol& one : of.symbols) symbols.emplace(one.name, &one);
  for (const SourceMacro& one : of.macros)
    if (!one.function_like) aliases[one.name] = one.value;
  for (const SourceAlias& one : of.aliases) aliases[one.name] = one.type;
  for (std::size_t i = 0; i < of.functions.size(); ++i) functions.emplace(of.functions[i].name, i);
}

std::string FileNames::resolved(const std::string& type) const {
  std::string name = type;
  for (int step = 0; step < 5; ++step) {
    const auto alias = aliases.find(name);
    if (alias == aliases.end() || structs.count(name) > 0) break;
    name = alias->second;
  }
  return name;
}

const SourceStruct* FileNames::struct_of(const std::string& type) const {
  const std::string name = resolved(type);
  const auto found = structs.find(name.substr(0, name.find('<')));
  return found == structs.end() ? nullptr : found->second;
}

const SourceField* FileNames::field(const std::string& type, const std::string& name) const {
  const SourceStruct* made = struct_of(type);
  if (made == nullptr) return nullptr;
  for (const SourceField& field : made->fields)
    if (field.name == name) return &field;
  return nullptr;
}

const SourceFunction* FileNames::function(const std::string& name) const {
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : &facts->functions[found->second];
}

BodyReader::BodyReader(const Tokens& tokens, const FileNames& names, SourceFunction& out, Options options)
    : tokens_(tokens), names_(names), out_(out), options_(std::move(options)) {
  scopes_.enter();
}

void BodyReader::bind_params(const std::vector<int>& dims) {
  for (std::size_t i = 0; i < out_.params.size(); ++i) {
    const SourceParam& param = out_.params[i];
    Binding binding;
    binding.base = param.base;
    binding.pointer = param.is_pointer();
    // An unknown type by value may well be a struct with pointers.
    binding.record = !binding.pointer && !is_known_type(names_.resolved(param.base));
    Place place;
    place.array = param.name;
    place.base = names_.resolved(param.base);
    place.read_only = param.const_base;
    place.dims = i < dims.size() ? dims[i] : param.pointers;
    if (binding.pointer || (param.reference && !binding.record && !param.const_base))
      binding.places = {place};
    if (!param.name.empty()) scopes_.declare(param.name, std::move(binding));
  }
  for (const TemplateParam& param : out_.templates) scopes_.declare(param.name, {});
}

void BodyReader::read(Span body) {
  end_ = std::min(body.end, tokens_.size());
  scopes_.enter();
  for (std::size_t at = body.begin; at < end_;) at = std::max(statement(at), at + 1);
  while (!frames_.empty()) pop();
  scopes_.leave();
}

}  // namespace noctune::reading
