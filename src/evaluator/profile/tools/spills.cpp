// Registers spilled to memory, or a local array that is indexed at run time: stack without spills.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double least_share = 0.02, unknown_gain = 0.2;

bool applies(BottleneckClass, Vendor) {
  return true;
}

std::string evidence_of(const ProfileFacts& facts) {
  std::string out;
  if (facts.spill_bytes && *facts.spill_bytes > 0)
    out = plain(*facts.spill_bytes) + " bytes of spilled registers a thread";
  else if (facts.stack_bytes && *facts.stack_bytes > 0)
    out = plain(*facts.stack_bytes) + " bytes of stack a thread";
  if (facts.local_share)
    out += (out.empty() ? "" : "; ") + whole_percent(*facts.local_share) +
           " of the sectors in the first cache are local memory";
  if (facts.registers) out += " at " + plain(*facts.registers) + " registers a thread";
  return out;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext&) {
  const bool spilled = facts.spill_bytes && *facts.spill_bytes > 0;
  const bool counted = facts.local_share && *facts.local_share > least_share;
  const bool stacked = facts.stack_bytes && *facts.stack_bytes > 0 && !facts.local_share;
  if (!spilled && !counted && !stacked) return {};
  // Counted and never touched: spills outside of what runs often.
  if (facts.local_share && *facts.local_share == 0) return {};
  const bool array = facts.spill_bytes && *facts.spill_bytes == 0;
  Hint out;
  out.severity = facts.local_share ? severity_between(*facts.local_share, 0, 0.5) : 0.5;
  out.evidence = evidence_of(facts);
  out.message = array ? "a local array is indexed at run time: unroll so that its indices are constants, or "
                        "keep it in shared memory"
                      : "shorten live ranges, take a smaller tile or unroll less, or allow more registers by "
                        "the launch bounds";
  out.gain_bound = facts.local_share ? *facts.local_share : unknown_gain;
  out.confidence = counted ? 0.8 : 0.5;
  return out;
}

}  // namespace

const ProfileTool spills_tool = {"spills", applies, run};

}  // namespace noctune
