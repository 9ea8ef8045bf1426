// Which patterns to offer, the most promising first.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "coordinator/patterns/pattern_state.hpp"

namespace noctune {

// Effects are means of log ratios, shrunk towards "no effect" by n / (n + k): the posterior mean under a
// normal prior around 0 (Efron and Morris, 1975), with k = the variance of one measured use over that of
// effects between patterns. Failed uses count as 0.
inline constexpr double shrinkage_uses = 4;

struct Effect {
  double mean = 0;    // of log ratios
  double shrunk = 0;  // mean * uses / (uses + shrinkage_uses)
  int uses = 0, gains = 0;
};
Effect effect_of(const std::vector<PatternEvidence>& evidence);

// What kernels are compared by: "openmp/f64/memory".
std::string class_of(const KernelFeatures& features);

struct Offer {
  Pattern pattern;
  Effect here;       // on the same platform, in the same class
  Effect elsewhere;  // all other evidence
};

// Those that apply and are not in `exclude` (names used on this version already): admitted before drafts;
// then by the effect here, in steps of 0.01, by the effect elsewhere, and by name. Retired ones never.
std::vector<Offer> offered(const std::vector<KnownPattern>& patterns, const KernelFeatures& features,
                           const std::string& platform, const std::set<std::string>& exclude,
                           std::size_t most = 5);

// An offer's effect as one number: here where there is evidence, else elsewhere.
double believed_effect(const Offer& offer);

}  // namespace noctune
