#include "mep/entry_source.hpp"

namespace noctune {

Result<std::string> entry_source(const MepSpec& spec, const std::string&) {
  if (spec.sequence.empty()) return std::string();
  return fail(spec.entry, "a sequence cannot be turned into an entry yet");
}

}  // namespace noctune
