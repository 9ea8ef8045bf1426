#include "evaluator/checking.hpp"

#include <algorithm>

#include "mep/compare.hpp"

namespace noctune {
namespace {

constexpr int misaligned_bytes = 16;

CheckItem item(std::size_t index, const WorkCase& work, std::size_t seed,
               const std::vector<std::uint64_t>& seeds, std::uint64_t poison, InputVariant variant,
               int offset) {
  CheckItem out;
  out.work_case = index;
  out.run.resolved = work.by_seed[seed];
  out.run.seed = seeds[seed];
  out.run.poison = poison;
  out.run.variant = variant;
  out.run.offset_bytes = offset;
  return out;
}

std::optional<std::uint64_t> kept_poison(const ArgPlan& arg, std::uint64_t poison) {
  return arg.role == Role::out ? std::optional<std::uint64_t>(poison) : std::nullopt;
}

bool finite(const CheckRunReport& report, const CheckItem& planned) {
  return std::none_of(report.outputs.begin(), report.outputs.end(), [&](const OutputBlob& blob) {
    const ArgPlan& arg = planned.run.resolved.args[static_cast<std::size_t>(blob.param)];
    return any_non_finite(blob.element, blob.bytes, kept_poison(arg, planned.run.poison));
  });
}

std::string place(const CheckItem& planned) {
  std::string out = "case " + planned.run.resolved.name + " (" + planned.run.resolved.sizes_text() + ")";
  if (planned.run.variant != InputVariant::normal)
    out += std::string(", inputs ") + to_text(planned.run.variant);
  return out;
}

}  // namespace

std::vector<CheckItem> check_plan(const std::vector<WorkCase>& cases) {
  std::vector<CheckItem> plan;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const WorkCase& work = cases[i];
    if (work.sized.use == CaseUse::report) continue;
    const std::vector<std::uint64_t> seeds = {work.by_seed[0].seed, work.by_seed[1].seed};
    plan.push_back(item(i, work, 0, seeds, nan_poison, InputVariant::normal, 0));
    if (work.sized.use == CaseUse::time) continue;
    plan.push_back(item(i, work, 1, seeds, finite_poison, InputVariant::normal, misaligned_bytes));
    plan.push_back(item(i, work, 0, seeds, finite_poison, InputVariant::sign_mixed, 0));
    plan.push_back(item(i, work, 1, seeds, nan_poison, InputVariant::small_integers, misaligned_bytes));
  }
  return plan;
}

std::vector<CheckRun> runs_of(const std::vector<CheckItem>& plan) {
  std::vector<CheckRun> runs;
  for (const CheckItem& planned : plan) runs.push_back(planned.run);
  return runs;
}

double tolerance_of(const std::vector<OutputTolerance>& tolerances, const std::string& case_name,
                    const std::string& param) {
  for (const OutputTolerance& tolerance : tolerances)
    if (tolerance.case_name == case_name && tolerance.param == param) return tolerance.tolerance;
  return 0;
}

CheckOutcome compare_reports(const std::vector<CheckItem>& plan, const std::vector<WorkCase>& cases,
                             const std::vector<OutputTolerance>& tolerances, const DriverReport& reference,
                             const DriverReport& candidate) {
  CheckOutcome out;
  out.summary.passed = true;
  auto object = [&](const std::string& text) {
    if (out.summary.passed) out.message = text;
    out.summary.passed = false;
  };
  if (candidate.runs.size() != plan.size() || reference.runs.size() != plan.size()) {
    object("a result is missing");
    return out;
  }
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const CheckItem& planned = plan[i];
    const CheckRunReport &want = reference.runs[i], &got = candidate.runs[i];
    if (planned.run.variant == InputVariant::sign_mixed && !finite(want, planned)) continue;
    if (!got.guards_ok) object(place(planned) + ": wrote outside a buffer: " + got.guard_message);
    if (!got.inputs_ok) object(place(planned) + ": " + got.input_message);
    if (got.outputs.size() != want.outputs.size()) {
      object(place(planned) + ": an output is missing");
      continue;
    }
    for (std::size_t k = 0; k < want.outputs.size(); ++k) {
      const OutputBlob& expected = want.outputs[k];
      const ArgPlan& arg = planned.run.resolved.args[static_cast<std::size_t>(expected.param)];
      Allowance allowance;
      allowance.poison = kept_poison(arg, planned.run.poison);
      const bool exact = planned.run.variant == InputVariant::small_integers &&
                         all_integral(expected.element, expected.bytes);
      allowance.tolerance =
          exact ? 0 : tolerance_of(tolerances, cases[planned.work_case].sized.name, arg.name);
      const OutputDifference difference =
          compare(expected.element, expected.bytes, got.outputs[k].bytes, allowance);
      if (difference.error >= out.summary.max_error) {
        out.summary.max_error = difference.error;
        out.summary.tolerance = allowance.tolerance;
        out.summary.worst_output = arg.name;
      }
      if (!difference.passed) object(place(planned) + ": " + difference.text(arg.name));
    }
  }
  return out;
}

}  // namespace noctune
