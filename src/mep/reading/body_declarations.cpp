// Declarations within bodies: what is one, what the declared names stand for.
#include <algorithm>

#include "mep/reading/body_reader.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr std::size_t most_locals = 20000;

bool ends_name(const Tokens& tokens, std::size_t at, std::size_t end) {
  return at >= end || tokens.is_one_of(at, {"=", ";", ",", "[", "(", "{"});
}

}  // namespace

bool BodyReader::is_declaration(Span span) {
  if (span.size() < 2 || !tokens_.is_name(span.begin)) return false;
  const std::string& first = tokens_[span.begin].text;
  // "float(x)" converts, "float (*x)[3]" declares.
  if (is_builtin_type_word(first))
    return !tokens_.is(span.begin + 1, "(") ||
           (tokens_.is(span.begin + 2, "*") && tokens_.is(tokens_.past(span.begin + 1), "["));
  if (is_storage_word(first) || is_qualifier(first) || is_attribute(first)) return true;
  if (is_keyword(first)) return false;
  const Binding* bound = scopes_.find(first);
  if (bound != nullptr && (bound->pointer || bound->local != nowhere)) return false;
  std::size_t at = span.begin;
  read_specifiers(tokens_, span, at);
  if (at >= span.end || at == span.begin) return false;
  while (at < span.end && (tokens_.is_one_of(at, {"*", "&", "&&"}) || is_qualifier(tokens_[at].text))) ++at;
  if (tokens_.is(at, "(") && tokens_.is(at + 1, "*")) return tokens_.is(tokens_.past(at), "[");
  return at < span.end && tokens_.is_name(at) && !is_keyword(tokens_[at].text) &&
         ends_name(tokens_, at + 1, span.end);
}

void BodyReader::declaration(Span span, bool of_loop) {
  const Declaration declared = read_declaration(tokens_, span);
  for (const std::string& type : declared.base_names)
    if (scopes_.find(type) == nullptr && seen_names_.insert(type).second) out_.names.push_back(type);
  for (const Declarator& declarator : declared.declarators) declare(declared, declarator, of_loop);
}

void BodyReader::declare(const Declaration& declared, const Declarator& declarator, bool of_loop) {
  if (declarator.name.empty()) return;
  for (std::size_t i = declarator.position + 1; tokens_.is(i, "["); i = tokens_.past(i))
    expression({i + 1, tokens_.close(i)});
  Binding binding = binding_of(declared, declarator);
  // A reference to an element is no access yet, its subscripts are.
  const std::size_t skipped = declarator.reference && !binding.places.empty() ? 1 : 0;
  expression({declarator.initial.begin + skipped, declarator.initial.end});
  binding.loop_variable = of_loop;
  binding.loop_depth = static_cast<int>(loops_.size());
  if (declared.words.count("__shared__"))
    declare_shared(declared, declarator);
  else if (!of_loop && out_.locals.size() < most_locals) {
    SourceLocal local;
    local.type = declarator.type;
    local.name = declarator.name;
    local.value = tokens_.text(declarator.initial);
    local.where =
        tokens_.range({declarator.position, std::max(declarator.position + 1, declarator.initial.end)});
    binding.local = out_.locals.size();
    binding.assigned = !declarator.initial.empty();
    out_.locals.push_back(local);
  }
  scopes_.declare(declarator.name, std::move(binding));
}

void BodyReader::declare_shared(const Declaration& declared, const Declarator& declarator) {
  SharedArray shared;
  shared.type = declared.base;
  shared.name = declarator.name;
  shared.extents = declarator.extents;
  shared.dynamic = declared.words.count("extern") > 0;
  out_.shared.push_back(shared);
}

Binding BodyReader::binding_of(const Declaration& declared, const Declarator& declarator) {
  Binding binding;
  binding.base = declared.base;
  binding.pointer = declarator.pointers > 0;
  const bool may_point =
      binding.pointer || declared.base == "auto" || names_.aliases.count(declared.base) > 0;
  if (declarator.reference) {
    Chain target = chain(declarator.initial.begin, true);
    if (target.end == declarator.initial.end && target.found) binding.places = target.places;
  } else if (may_point && !declared.words.count("__shared__")) {
    binding.places = pointer_value(declarator.initial, 0);
    binding.pointer = binding.pointer || !binding.places.empty();
  }
  for (Place& place : binding.places) {
    if (binding.pointer && declared.base != "auto" && place.dims == 1 && declarator.dims() == 1)
      place.view = names_.resolved(declared.base);
    // "double (*A)[n] = (double (*)[n])a": a flat array seen with more dimensions.
    if (declarator.pointer_to_array && place.dims == 1) {
      place.unclear = !place.offset.empty();
      place.dims = declarator.dims();
    }
  }
  return binding;
}

}  // namespace noctune::reading
