#include "coordinator/mep_check.hpp"

#include "mep/case.hpp"
#include "mep/driver_sources.hpp"
#include "mep/entry_source.hpp"
#include "mep/signature.hpp"
#include "model/backend.hpp"
#include "model/mep_globals.hpp"

namespace noctune {
namespace {

std::map<std::string, long long> declared_sizes(const MepSpec& spec, const CaseSpec& one) {
  std::map<std::string, long long> out;
  for (const std::string& name : auto_sizes(spec, one))
    for (const SizeSpec& size : spec.sizes)
      if (size.name == name) out[name] = size.value > 0 ? size.value : size.min;
  return out;
}

// Whoever completes a MEP says what its types are; the prototype follows from the spec.
std::string with_prototypes(const MepSpec& spec, const std::string& context) {
  if (context.empty() || context.find(spec.entry + "(") != std::string::npos) return context;
  const std::string made = context_header(spec);
  const auto at = made.find("extern \"C\"");
  return at == std::string::npos ? context : context + (context.back() == '\n' ? "" : "\n") + made.substr(at);
}

}  // namespace

Result<void> check_cases(const MepSpec& spec, const std::string& place) {
  double weight = 0;
  for (const CaseSpec& one : spec.cases) weight += one.use == CaseUse::time ? one.weight : 0;
  if (!(weight > 0))
    return fail(place + ": cases", "no case with use \"time\" and a weight above 0: nothing could be timed");
  for (const CaseSpec& one : spec.cases)
    if (const Result<ResolvedCase> resolved = resolve_case(spec, one, declared_sizes(spec, one), 1);
        !resolved)
      return fail(place + ": " + resolved.error().problem, resolved.error().reason, resolved.error().hint);
  return {};
}

Result<void> check_signature(const MepSource& mep, const std::string& source, const std::string& spec_name) {
  const Result<Signature> signature =
      runs_on_gpu(mep.spec.backend)
          ? read_gpu_signature(mep.original, mep.spec)
          : read_signature(mep.original, context_header(mep.spec, mep.context), mep.spec.entry, mep.flags);
  if (!signature)
    return fail(source + ": " + signature.error().problem, signature.error().reason, signature.error().hint);
  if (const auto difference = signature_difference(*signature, mep.spec))
    return fail(source + ": the entry `" + mep.spec.entry + "` differs from its spec " + spec_name,
                *difference, "bring the spec's params and the source's parameters into line");
  return {};
}

Result<std::string> with_entry_once(const MepSpec& spec, const std::string& source) {
  Result<std::string> entry = entry_source(spec);
  if (!entry || entry->empty()) return entry ? Result<std::string>(source) : entry;
  if (source.find(*entry) != std::string::npos) return source;
  return source + (source.empty() || source.back() == '\n' ? "\n" : "\n\n") + *entry;
}

std::string without_entry(const MepDraft& draft) {
  const Result<std::string> entry = entry_source(draft.spec);
  std::string out = draft.original;
  if (!entry || entry->empty()) return out;
  if (const auto at = out.find(*entry); at != std::string::npos) out.erase(at, entry->size());
  return out;
}

Result<MepSource> lowered(const MepDraft& draft, const std::string& hotspot, const std::string& backend) {
  MepSource mep;
  mep.hotspot = hotspot;
  mep.spec = draft.spec;
  mep.spec.backend = backend;
  lower_globals(mep.spec);
  mep.inputs = draft.inputs;
  mep.check = draft.check;
  if (Result<void> cases = check_cases(mep.spec, hotspot); !cases) return Failure(cases.error());
  Result<std::string> original = with_entry_once(mep.spec, draft.original);
  if (!original) return Failure(original.error());
  mep.original = std::move(*original);
  mep.context = with_prototypes(mep.spec, draft.context);
  return mep;
}

}  // namespace noctune
