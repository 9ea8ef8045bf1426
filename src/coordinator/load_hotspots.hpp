// Turns a campaign's hotspots into tasks: texts read, specs parsed, signatures compared; what has no spec is
// completed by rules where they can.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "model/campaign.hpp"
#include "model/mep_draft.hpp"
#include "model/task.hpp"

namespace noctune {

// A hotspot without a spec, and what the rules made of it.
struct OpenMep {
  CompletionInput input;
  std::optional<MepDraft> draft;
  std::optional<Error> refusal;  // why there is none, or why it cannot be built
  bool by_model = false;         // a model may complete it
};

// A hotspot as a campaign begins with it.
struct LoadedHotspot {
  PrepareTask task;  // without a MEP, but for what the campaign says of it, where none is there yet
  std::optional<OpenMep> open;  // no spec was given
  bool has_mep() const { return !task.mep.spec.entry.empty(); }
};

// Completes a hotspot without running or asking anything.
using Completer = std::function<Result<MepDraft>(const CompletionInput&)>;
Completer rules_completer();

// Throws UserError that names the hotspot's file, the problem and the remedy; nothing has been run by then.
// What the rules cannot complete is no error, as long as another hotspot has a MEP or a model may complete
// one.
std::vector<LoadedHotspot> load_hotspots(const Campaign& campaign,
                                         const Completer& completer = rules_completer());

// Its MEP, for verbs that ask no model; throws UserError where there is none.
const PrepareTask& task_with_mep(const LoadedHotspot& loaded);

// K(0) as the candidate that others are raced against.
Candidate original_of(const PrepareTask& task);

}  // namespace noctune
