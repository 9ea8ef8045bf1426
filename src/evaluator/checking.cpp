#include "evaluator/checking.hpp"

#include <algorithm>

#include "mep/compare.hpp"

namespace noctune {
namespace {

constexpr int misaligned_bytes = 16;

// Thread counts besides the team's own: one, two, and odd ones, some beyond the processors.
constexpr int thread_counts[] = {1, 2, 3, 5, 9};

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
    return !arg.by_invariants &&
           any_non_finite(blob.element, blob.bytes, kept_poison(arg, planned.run.poison));
  });
}

}  // namespace

std::string place(const CheckItem& planned) {
  std::string out = "case " + planned.run.resolved.name + " (" + planned.run.resolved.sizes_text() + ")";
  if (planned.run.variant != InputVariant::normal)
    out += std::string(", inputs ") + to_text(planned.run.variant);
  if (planned.run.threads > 0) out += ", " + std::to_string(planned.run.threads) + " threads";
  return out;
}

bool left_out(const CheckItem& planned, const CheckRunReport& original) {
  return planned.run.variant == InputVariant::sign_mixed && !finite(original, planned);
}

std::vector<CheckItem> check_plan(const std::vector<WorkCase>& cases, bool gpu) {
  std::vector<CheckItem> plan;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const WorkCase& work = cases[i];
    if (work.sized.use == CaseUse::report) continue;
    std::vector<std::uint64_t> seeds;
    for (const ResolvedCase& resolved : work.by_seed) seeds.push_back(resolved.seed);
    plan.push_back(item(i, work, 0, seeds, nan_poison, InputVariant::normal, 0));
    if (work.sized.use == CaseUse::time) continue;
    plan.push_back(item(i, work, 1, seeds, finite_poison, InputVariant::normal, at_page_end));
    plan.push_back(item(i, work, 0, seeds, finite_poison, InputVariant::sign_mixed, 0));
    plan.push_back(item(i, work, 1, seeds, nan_poison, InputVariant::small_integers, misaligned_bytes));
    if (gpu) {  // the host's threads are none of its; a race shows in repetitions
      for (const std::uint64_t poison : {finite_poison, nan_poison})
        plan.push_back(item(i, work, 2, seeds, poison, InputVariant::normal, 0));
      continue;
    }
    for (const int threads : thread_counts) {
      const std::uint64_t poison = threads % 2 ? finite_poison : nan_poison;
      plan.push_back(item(i, work, 2, seeds, poison, InputVariant::normal, misaligned_bytes));
      plan.back().run.threads = threads;
    }
  }
  return plan;
}

std::vector<CheckRun> runs_of(const std::vector<CheckItem>& plan) {
  std::vector<CheckRun> runs;
  for (const CheckItem& planned : plan) runs.push_back(planned.run);
  return runs;
}

std::string first_damage(const std::vector<CheckItem>& plan, const DriverRun& run) {
  if (!run.report) return {};
  for (std::size_t i = 0; i < std::min(plan.size(), run.report->runs.size()); ++i)
    if (!run.report->runs[i].guard_message.empty())
      return place(plan[i]) + ": wrote outside a buffer: " + run.report->runs[i].guard_message;
  return {};
}

std::string left_behind(const DriverReport& report, const LeftBehind& allowed) {
  if (report.leftover_threads > 0 && !allowed.threads)
    return "it leaves " + std::to_string(report.leftover_threads) +
           (report.leftover_threads == 1 ? " thread" : " threads") +
           " of its own running after its calls, beyond OpenMP's team: work could go on there unmeasured";
  if (report.arithmetic_left_changed && !allowed.arithmetic)
    return "its calls leave another floating-point mode (rounding or flush-to-zero) behind for whatever runs "
           "next in the process";
  return {};
}

double tolerance_of(const std::vector<OutputTolerance>& tolerances, const std::string& case_name,
                    const std::string& param) {
  for (const OutputTolerance& tolerance : tolerances)
    if (tolerance.case_name == case_name && tolerance.param == param) return tolerance.tolerance;
  return 0;
}

DoubleReference double_reference(const std::vector<CheckItem>& plan, const DriverReport& original,
                                 const DriverReport& widened) {
  DoubleReference out;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    out.outputs.emplace_back();
    out.base_errors.emplace_back();
    for (std::size_t k = 0; k < original.runs[i].outputs.size(); ++k) {
      const OutputBlob& blob = original.runs[i].outputs[k];
      const ArgPlan& arg = plan[i].run.resolved.args[static_cast<std::size_t>(blob.param)];
      std::string precise =
          k < widened.runs[i].outputs.size()
              ? narrowed(blob.element, widened.runs[i].outputs[k].bytes, kept_poison(arg, plan[i].run.poison))
              : std::string();
      const double error = precise.empty() ? 0 : distance(blob.element, precise, blob.bytes);
      if (!(error <= largest_tolerance(blob.element))) precise.clear();
      out.outputs.back().push_back(std::move(precise));
      out.base_errors.back().push_back(out.outputs.back().back().empty() ? 0 : error);
    }
  }
  return out;
}

CheckOutcome compare_reports(const std::vector<CheckItem>& plan, const std::vector<WorkCase>& cases,
                             const std::vector<OutputTolerance>& tolerances, const DriverReport& reference,
                             const DriverReport& candidate, const DoubleReference* precise) {
  CheckOutcome out;
  out.summary.passed = true;
  out.summary.calls = static_cast<int>(plan.size());
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
    if (left_out(planned, want)) continue;
    if (!got.guards_ok) object(place(planned) + ": wrote outside a buffer: " + got.guard_message);
    if (!got.inputs_ok) object(place(planned) + ": " + got.input_message);
    if (got.outputs.size() != want.outputs.size()) {
      object(place(planned) + ": an output is missing");
      continue;
    }
    for (std::size_t k = 0; k < want.outputs.size(); ++k) {
      const OutputBlob& expected = want.outputs[k];
      const ArgPlan& arg = planned.run.resolved.args[static_cast<std::size_t>(expected.param)];
      if (arg.by_invariants) continue;
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
      if (!difference.passed || exact || !precise || precise->outputs[i][k].empty()) continue;
      allowance.tolerance = std::max(allowance.tolerance, 2 * precise->base_errors[i][k]);
      const OutputDifference against_double =
          compare(expected.element, precise->outputs[i][k], got.outputs[k].bytes, allowance);
      if (!against_double.passed)
        object(place(planned) +
               ": against the original in double precision: " + against_double.text(arg.name));
    }
  }
  return out;
}

}  // namespace noctune
