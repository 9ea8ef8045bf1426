// A contraction that leaves the matrix unit idle though the tolerance allows one of its types.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double limit = 0.05, unknown_gain = 0.5;

bool applies(BottleneckClass kind, Vendor) {
  return kind == BottleneckClass::compute;
}

// Nothing where neither a counter nor the code says.
std::optional<bool> is_unused(const ProfileFacts& facts, const HintContext& context) {
  if (facts.pipe_tensor) return *facts.pipe_tensor < limit;
  if (context.code.matrix_instructions) return *context.code.matrix_instructions == 0;
  return {};
}

const char* instructions(Vendor vendor) {
  switch (vendor) {
    case Vendor::nvidia:
      return "mma";
    case Vendor::amd:
      return "MFMA";
    case Vendor::hygon:
      return "MMAC";
  }
  return "matrix";
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  const std::optional<bool> unused = is_unused(facts, context);
  if (!unused || !*unused || !context.contraction || !*context.contraction || context.matrix_types.empty())
    return {};
  const Fact &matrix = context.ceilings.flops_matrix,
             &pipes = context.dtype == "f64" ? context.ceilings.flops_fp64 : context.ceilings.flops_fp32;
  Hint out;
  out.severity = 0.8;
  out.evidence = facts.pipe_tensor
                     ? "the matrix unit is busy " + whole_percent(*facts.pipe_tensor) + " of the time"
                     : std::string("the code has 0 instructions for the matrix unit");
  out.message = "the task is a contraction: use " + std::string(instructions(context.vendor)) +
                " instructions; the tolerance allows " + context.matrix_types;
  out.gain_bound = matrix && pipes && *matrix > *pipes ? 1 - *pipes / *matrix : unknown_gain;
  out.confidence = 0.6;
  return out;
}

}  // namespace

const ProfileTool matrix_unit_tool = {"matrix unit", applies, run};

}  // namespace noctune
