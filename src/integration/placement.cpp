#include "integration/placement.hpp"

namespace noctune {

const char* to_text(PlacementVerdict verdict) {
  switch (verdict) {
    case PlacementVerdict::faster:
      return "faster";
    case PlacementVerdict::slower:
      return "slower";
    case PlacementVerdict::indistinguishable:
      return "indistinguishable";
    case PlacementVerdict::not_used:
      return "not_used";
    case PlacementVerdict::not_placed:
      return "not_placed";
    case PlacementVerdict::build_failed:
      return "build_failed";
    case PlacementVerdict::run_failed:
      return "run_failed";
    case PlacementVerdict::run_timeout:
      return "run_timeout";
    case PlacementVerdict::not_verified:
      return "not_verified";
    case PlacementVerdict::no_metric:
      return "no_metric";
    case PlacementVerdict::disbelieved:
      return "disbelieved";
    case PlacementVerdict::original_failed:
      return "original_failed";
    case PlacementVerdict::lost:
      break;
  }
  return "lost";
}

bool is_measured(PlacementVerdict verdict) {
  return verdict == PlacementVerdict::faster || verdict == PlacementVerdict::slower ||
         verdict == PlacementVerdict::indistinguishable;
}

PlacementVerdict verdict_of(StepVerdict step) {
  switch (step) {
    case StepVerdict::build_failed:
      return PlacementVerdict::build_failed;
    case StepVerdict::run_failed:
      return PlacementVerdict::run_failed;
    case StepVerdict::run_timeout:
      return PlacementVerdict::run_timeout;
    case StepVerdict::not_verified:
      return PlacementVerdict::not_verified;
    case StepVerdict::no_metric:
      return PlacementVerdict::no_metric;
    default:
      return PlacementVerdict::lost;
  }
}

PlacementVerdict verdict_of(GainVerdict gain) {
  switch (gain) {
    case GainVerdict::faster:
      return PlacementVerdict::faster;
    case GainVerdict::slower:
      return PlacementVerdict::slower;
    default:
      return PlacementVerdict::indistinguishable;
  }
}

}  // namespace noctune
