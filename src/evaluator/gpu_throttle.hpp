// What NVML's clock event reasons mean for a sample that was taken under them.
#pragma once

#include <string>

namespace noctune {

enum class ThrottleEffect {
  none,    // idle, or clocks that somebody has set: the sample counts
  tagged,  // at the power cap, as dense arithmetic is: it counts and says so
  dropped  // too hot, or the hardware's own brake: it does not count, the device rests
};

// The strongest effect of all bits. Unknown ones are tagged; a negative number means that nobody told.
ThrottleEffect throttle_effect(long long bits);
// "software power cap, hardware slowdown"; empty where no reason is worth telling.
std::string throttle_text(long long bits);

}  // namespace noctune
