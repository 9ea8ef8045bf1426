// What to do after an attempt: a pure function of what happened and what has been tried.
#pragma once

#include "llm/classify.hpp"

namespace noctune {

struct RetryPolicy {
  double base_s = 2, cap_s = 120;  // waits: random up to base x 2^failures, at most cap ("full jitter")
  double total_s = 1200;           // no retry begins later than this
  int ambiguous = 1;               // retries after "perhaps served, no answer": each is billed in full
  int paid = 4;                    // retries of answers that broke off or could not be read
  int fixes = 4;                   // parameters changed for one request
};

struct RetryState {
  int failures = 0;   // that were retried unchanged
  int ambiguous = 0;  // retries of each kind so far
  int paid = 0;
  int fixes = 0;
  bool doubled = false;       // the output cap
  bool same_refusal = false;  // the provider's 400 is the one that it has sent before
  double elapsed_s = 0;
};

enum class RetryStep {
  again,          // unchanged, after wait_s
  larger_cap,     // with twice the output cap
  fix_parameter,  // without the parameter that was refused
  next_model,     // this one will not do it
  end             // no model will, or it is done
};

struct RetryDecision {
  RetryStep step = RetryStep::end;
  double wait_s = 0;
};

// `random` is from [0, 1).
RetryDecision decide(const Finding& finding, const RetryState& state, const RetryPolicy& policy,
                     double random);

}  // namespace noctune
