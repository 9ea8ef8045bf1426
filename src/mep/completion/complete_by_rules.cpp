#include "mep/completion/complete_by_rules.hpp"

namespace noctune {

Result<MepDraft> complete_by_rules(const CompletionInput& input) {
  return fail(input.file, "it has no MEP, and no rule completes one yet",
              "write a spec and name it by \"mep\"");
}

}  // namespace noctune
