// Bytes that crossed the memory bus, against those that the task must move once.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double limit = 1.3;

bool applies(BottleneckClass kind, Vendor) {
  return kind == BottleneckClass::memory;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  if (!facts.dram_bytes || !context.compulsory_bytes || *context.compulsory_bytes <= 0) return {};
  const double times = *facts.dram_bytes / *context.compulsory_bytes;
  if (times <= limit) return {};
  Hint out;
  out.severity = severity_between(times, limit, 5);
  out.evidence = bytes_text(*facts.dram_bytes) + " cross the memory bus, " + plain(times) + " times the " +
                 bytes_text(*context.compulsory_bytes) + " that the task needs";
  out.message = "tile so that loaded data is used again, fuse passes, keep intermediates on the chip";
  out.gain_bound = 1 - 1 / times;
  out.confidence = 0.8;
  return out;
}

}  // namespace

const ProfileTool excess_traffic_tool = {"excess traffic", applies, run};

}  // namespace noctune
