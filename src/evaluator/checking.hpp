// Gate 3: functional equivalence with K(0) on every case, "checked", never "proven".
#pragma once

#include <string>
#include <vector>

#include "evaluator/driver_run.hpp"
#include "mep/case.hpp"
#include "model/task.hpp"

namespace noctune {

// A case of a MEP together with the arguments resolved for each of the secret seeds.
struct WorkCase {
  SizedCase sized;
  std::vector<ResolvedCase> by_seed;
};

// One checked call and the case it belongs to.
struct CheckItem {
  std::size_t work_case = 0;
  CheckRun run;
};

// The calls every version must get right. Time cases: one call with poisoned outputs. Check cases, which are
// small: two seeds with different poisons and buffer alignments, sign-mixed inputs and small integers.
std::vector<CheckItem> check_plan(const std::vector<WorkCase>& cases);

std::vector<CheckRun> runs_of(const std::vector<CheckItem>& plan);

// Compares a candidate's report with K(0)'s, run by run.
// A run on which K(0) itself is not finite is left out where the inputs were not the spec's own (sign-mixed).
struct CheckOutcome {
  CheckSummary summary;
  std::string message;  // the first difference, for people
};
CheckOutcome compare_reports(const std::vector<CheckItem>& plan, const std::vector<WorkCase>& cases,
                             const std::vector<OutputTolerance>& tolerances, const DriverReport& reference,
                             const DriverReport& candidate);

double tolerance_of(const std::vector<OutputTolerance>& tolerances, const std::string& case_name,
                    const std::string& param);

}  // namespace noctune
