#include "evaluator/gpu_throttle.hpp"

#include <algorithm>

namespace noctune {
namespace {

struct Reason {
  long long bit;
  ThrottleEffect effect;
  const char* name;
};

constexpr Reason reasons[] = {
    {0x1, ThrottleEffect::none, "idle"},
    {0x2, ThrottleEffect::none, "clocks set by an application"},
    {0x4, ThrottleEffect::tagged, "software power cap"},
    {0x8, ThrottleEffect::dropped, "hardware slowdown"},
    {0x10, ThrottleEffect::tagged, "boost in step with other GPUs"},
    {0x20, ThrottleEffect::dropped, "software thermal slowdown"},
    {0x40, ThrottleEffect::dropped, "hardware thermal slowdown"},
    {0x80, ThrottleEffect::dropped, "power brake"},
    {0x100, ThrottleEffect::none, "clocks of a display"},
};

long long unknown(long long bits) {
  for (const Reason& reason : reasons) bits &= ~reason.bit;
  return bits;
}

}  // namespace

ThrottleEffect throttle_effect(long long bits) {
  if (bits < 0) return ThrottleEffect::none;
  ThrottleEffect out = unknown(bits) ? ThrottleEffect::tagged : ThrottleEffect::none;
  for (const Reason& reason : reasons)
    if (bits & reason.bit) out = std::max(out, reason.effect);
  return out;
}

std::string throttle_text(long long bits) {
  std::string out;
  if (bits < 0) return out;
  const auto add = [&](const std::string& name) { out += (out.empty() ? "" : ", ") + name; };
  for (const Reason& reason : reasons)
    if (bits & reason.bit && reason.effect != ThrottleEffect::none) add(reason.name);
  if (unknown(bits)) add("an unknown reason");
  return out;
}

}  // namespace noctune
