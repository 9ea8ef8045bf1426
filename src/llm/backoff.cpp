#include "llm/backoff.hpp"

#include <algorithm>
#include <cmath>

namespace noctune {
namespace {

double wait_of(const Finding& finding, const RetryState& state, const RetryPolicy& policy, double random) {
  if (finding.retry_after_s)
    return *finding.retry_after_s + random * policy.base_s;  // apart, not all at once
  const double widest = policy.base_s * std::exp2(std::min(state.failures, 30));
  return random * std::min(policy.cap_s, widest);
}

RetryDecision again(const Finding& finding, const RetryState& state, const RetryPolicy& policy,
                    double random) {
  const bool spent = (finding.ambiguous && state.ambiguous >= policy.ambiguous) ||
                     (finding.paid && state.paid >= policy.paid);
  const double wait = wait_of(finding, state, policy, random);
  if (spent || state.elapsed_s + wait > policy.total_s) return {RetryStep::next_model};
  return {RetryStep::again, wait};
}

}  // namespace

RetryDecision decide(const Finding& finding, const RetryState& state, const RetryPolicy& policy,
                     double random) {
  switch (finding.outcome) {
    case ChatOutcome::rate_limited:
    case ChatOutcome::overloaded:
    case ChatOutcome::transport:
    case ChatOutcome::parse_error:
      if (finding.should_retry == false) return {RetryStep::next_model};
      return again(finding, state, policy, random);
    case ChatOutcome::truncated:
    case ChatOutcome::empty:
      return {state.doubled ? RetryStep::next_model : RetryStep::larger_cap};
    case ChatOutcome::bad_request:
      if (finding.should_retry == true) return again(finding, state, policy, random);
      if (state.same_refusal || state.fixes >= policy.fixes) return {RetryStep::next_model};
      return {RetryStep::fix_parameter};
    case ChatOutcome::refused:
    case ChatOutcome::auth_dead:
      return {RetryStep::next_model};
    case ChatOutcome::ok:
    case ChatOutcome::quota_dead:
    case ChatOutcome::context_too_long:  // who asks must shorten it
    case ChatOutcome::interference:
    case ChatOutcome::over_budget:
    case ChatOutcome::waiting:
    case ChatOutcome::stopped:
      break;
  }
  return {RetryStep::end};
}

}  // namespace noctune
