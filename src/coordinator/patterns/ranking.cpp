#include "coordinator/patterns/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "coordinator/patterns/conditions.hpp"
#include "coordinator/patterns/feature_words.hpp"

namespace noctune {
namespace {

// Differences that no screening resolves do not outrank what is known from elsewhere.
constexpr double effect_step = 0.01;

std::string feature_of(const KernelFeatures& features, const std::string& name) {
  const auto found = features.find(name);
  return found == features.end() ? unknown_feature : found->second;
}

Offer offer_of(const KnownPattern& known, const std::string& platform, const std::string& kernel_class) {
  std::vector<PatternEvidence> here, elsewhere;
  for (const PatternEvidence& one : known.evidence)
    (one.platform == platform && class_of(one.features) == kernel_class ? here : elsewhere).push_back(one);
  return {known.pattern, effect_of(here), effect_of(elsewhere)};
}

auto rank_of(const Offer& offer) {
  return std::tuple(offer.pattern.status == PatternStatus::admitted ? 0 : 1,
                    -std::lround(offer.here.shrunk / effect_step), -offer.elsewhere.shrunk,
                    offer.pattern.name);
}

}  // namespace

Effect effect_of(const std::vector<PatternEvidence>& evidence) {
  Effect out;
  double total = 0;
  for (const PatternEvidence& one : evidence) {
    ++out.uses;
    out.gains += one.gain;
    total += one.log_ratio;
  }
  if (out.uses == 0) return out;
  out.mean = total / out.uses;
  out.shrunk = total / (out.uses + shrinkage_uses);
  return out;
}

std::string class_of(const KernelFeatures& features) {
  return feature_of(features, "backend") + "/" + feature_of(features, "dtype") + "/" +
         feature_of(features, "bottleneck");
}

std::vector<Offer> offered(const std::vector<KnownPattern>& patterns, const KernelFeatures& features,
                           const std::string& platform, const std::set<std::string>& exclude,
                           std::size_t most) {
  const std::string kernel_class = class_of(features);
  std::vector<Offer> offers;
  for (const KnownPattern& known : patterns)
    if (known.pattern.status != PatternStatus::retired && !exclude.count(known.pattern.name) &&
        applies(known.pattern, features))
      offers.push_back(offer_of(known, platform, kernel_class));
  std::sort(offers.begin(), offers.end(),
            [](const Offer& a, const Offer& b) { return rank_of(a) < rank_of(b); });
  if (offers.size() > most) offers.resize(most);
  return offers;
}

double believed_effect(const Offer& offer) {
  return offer.here.uses > 0 ? offer.here.shrunk : offer.elsewhere.shrunk;
}

}  // namespace noctune
