// Patterns without a model: one for every strategy of the rules' catalogue, with conditions that follow from
// where it worked, and the scores by which the rules then order their proposals.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "coordinator/patterns/pattern_state.hpp"

namespace noctune {

// So many gains and failures each are needed before they narrow a pattern's conditions.
inline constexpr int uses_to_narrow = 2;

// One pattern per strategy, drafts with revision 0: conditions are what the rule itself requires.
const std::vector<Pattern>& rule_patterns();

// `pattern` with its conditions narrowed by its evidence: dtype to those under which it gained, and every
// other feature whose values under gains and under failures have nothing in common to those under gains. The
// revision is the number of uses, so that what was learnt from more holds. Unchanged where nothing was
// learnt.
Pattern narrowed(const Pattern& pattern, const std::vector<PatternEvidence>& evidence);

// The patterns of rules that are new to a library, or that its evidence narrows: what to add to it.
std::vector<Pattern> learnt_rule_patterns(const std::vector<KnownPattern>& known);

// Believed effects (log ratios) of the rules' strategies under these features, by the strategy's name; only
// those with evidence. For RulesProposer.
std::map<std::string, double> rule_priors(const std::vector<KnownPattern>& patterns,
                                          const KernelFeatures& features, const std::string& platform);

}  // namespace noctune
