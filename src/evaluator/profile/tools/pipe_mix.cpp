// A pipe other than the one for the task's arithmetic is the busiest.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double least_busy = 0.3, least_fp64 = 0.05;

bool applies(BottleneckClass kind, Vendor) {
  return kind == BottleneckClass::compute;
}

Hint hint_of(std::string evidence, std::string message, double busy, double gain) {
  Hint out;
  out.severity = severity_between(busy, least_busy, 1);
  out.evidence = std::move(evidence);
  out.message = std::move(message);
  out.gain_bound = gain;
  out.confidence = 0.7;
  return out;
}

std::optional<Hint> stray_double(const ProfileFacts& facts, const HintContext& context) {
  if (context.dtype != "f32" && context.dtype != "f16") return {};
  if (!facts.pipe_fp64 || *facts.pipe_fp64 <= least_fp64) return {};
  return hint_of(
      "the fp64 pipe is busy " + whole_percent(*facts.pipe_fp64) + " in a task of " + context.dtype,
      "look for a literal without f, a double in an expression, or a mathematical function of the "
      "wrong type",
      *facts.pipe_fp64, *facts.pipe_fp64);
}

std::optional<Hint> beside_fma(const ProfileFacts& facts) {
  if (!facts.pipe_fma || !facts.pipe_alu || !facts.pipe_xu) return {};
  const double useful = std::max(*facts.pipe_fma, facts.pipe_fp64.value_or(0));
  const bool integer = *facts.pipe_alu >= *facts.pipe_xu;
  const double other = integer ? *facts.pipe_alu : *facts.pipe_xu;
  if (other <= useful || other < least_busy) return {};
  const std::string name = integer ? "integer" : "special function";
  return hint_of(
      "the " + name + " pipe is busy " + whole_percent(other) + ", the FMA pipe " + whole_percent(useful),
      integer ? "step pointers instead of computing indices, hoist what does not change, unroll"
              : "hoist divisions and roots, multiply by reciprocals, share results of functions",
      other, other - useful);
}

std::optional<Hint> scalar_work(const ProfileFacts& facts) {
  if (!facts.pipe_valu || !facts.pipe_salu) return {};
  if (*facts.pipe_salu <= *facts.pipe_valu || *facts.pipe_salu < least_busy) return {};
  return hint_of("the scalar pipe is busy " + whole_percent(*facts.pipe_salu) + ", the vector pipe " +
                     whole_percent(*facts.pipe_valu),
                 "unroll, so that loop control and addresses cost less beside the arithmetic",
                 *facts.pipe_salu, *facts.pipe_salu - *facts.pipe_valu);
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  if (auto hint = stray_double(facts, context)) return hint;
  return context.vendor == Vendor::nvidia ? beside_fma(facts) : scalar_work(facts);
}

}  // namespace

const ProfileTool pipe_mix_tool = {"pipe mix", applies, run};

}  // namespace noctune
