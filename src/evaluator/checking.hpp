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

// Input seeds that a plan takes.
inline constexpr int check_seeds = 3;

// The calls every version must get right. Time cases: one call with poisoned outputs. Check cases, which are
// small: three seeds with different poisons and buffer alignments, once with buffers that end where memory
// ends, sign-mixed inputs, small integers, and several numbers of threads, for races.
std::vector<CheckItem> check_plan(const std::vector<WorkCase>& cases, bool gpu = false);

// Where a call stands, for messages: "case odd (n=131), 3 threads".
std::string place(const CheckItem& planned);

std::vector<CheckRun> runs_of(const std::vector<CheckItem>& plan);

// K(0)'s outputs on the plan from its build in double precision, rounded to the outputs' own types: by run
// and output. An output is empty where K(0) is too far off for it to judge.
struct DoubleReference {
  std::vector<std::vector<std::string>> outputs;
  std::vector<std::vector<double>> base_errors;  // of K(0), norm-wise
};
DoubleReference double_reference(const std::vector<CheckItem>& plan, const DriverReport& original,
                                 const DriverReport& widened);

// A run on which K(0) itself is not finite says nothing where the inputs were not the spec's own
// (sign-mixed).
bool left_out(const CheckItem& planned, const CheckRunReport& original);

// Compares a candidate's report with K(0)'s, run by run, and with the double reference where there is one.
// Outputs that only invariants judge are not looked at here (evaluator/invariants.hpp).
struct CheckOutcome {
  CheckSummary summary;
  std::string message;  // the first difference, for people
};
CheckOutcome compare_reports(const std::vector<CheckItem>& plan, const std::vector<WorkCase>& cases,
                             const std::vector<OutputTolerance>& tolerances, const DriverReport& reference,
                             const DriverReport& candidate, const DoubleReference* precise = nullptr);

// The first guard zone found damaged in the runs that a driver finished; empty when there is none.
std::string first_damage(const std::vector<CheckItem>& plan, const DriverRun& run);

// What a version may leave behind in its process, because K(0) does as well.
struct LeftBehind {
  bool threads = false;     // of its own, beyond OpenMP's team
  bool arithmetic = false;  // another rounding, or flush-to-zero
};
// Why a version is refused for what it left behind; empty when it left nothing, or no more than allowed.
std::string left_behind(const DriverReport& report, const LeftBehind& allowed);

double tolerance_of(const std::vector<OutputTolerance>& tolerances, const std::string& case_name,
                    const std::string& param);

}  // namespace noctune
