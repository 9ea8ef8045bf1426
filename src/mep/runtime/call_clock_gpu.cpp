// The stream is held by a gate, a kernel of one thread that spins, until the first event, the entry's
// launches and the second event are all queued: then launching costs the sample nothing. An entry that waits
// for its own kernels, or queues more than fits, would never let the host open the gate; so the gate gives up
// after a while, and from then on this process measures without it.
#include <algorithm>

#include "call_clock.hpp"
#include "gpu.hpp"

namespace noctune {

struct CallClock::Gate {
  volatile int open, gave_up;
};

namespace {

constexpr long long gate_cycles = 40000000;  // about 20 ms
// A device takes a few microseconds to be found idle; more is work that the events have not seen.
constexpr double idle_seconds = 30e-6;
// Opening the gate and finding the device idle take some ten microseconds, which would count as a
// disagreement of the clocks beside calls of a few. The quickest of so many empty spans tells what is always
// there.
constexpr int empty_spans = 16;

__global__ void hold(volatile int* open, volatile int* gave_up) {
  const long long start = clock64();
  while (*open == 0) {
    if (clock64() - start < gate_cycles) continue;
    *gave_up = 1;
    break;
  }
}

GpuEvent event_of(void* event) {
  return static_cast<GpuEvent>(event);
}

}  // namespace

CallClock::CallClock(const Device& device) : device_(device) {
  void* room = nullptr;
  must(NOCTUNE_API_EITHER(HostAlloc, HostMalloc)(&room, sizeof(Gate),
                                                 NOCTUNE_API_EITHER(HostAllocMapped, HostMallocMapped)),
       "while a gate was made");
  gate_ = static_cast<Gate*>(room);
  GpuEvent begin, end;
  must(NOCTUNE_API(EventCreate)(&begin), "while an event was made");
  must(NOCTUNE_API(EventCreate)(&end), "while an event was made");
  begin_ = begin;
  end_ = end;
  double least = 1;
  for (int i = 0; i < empty_spans; ++i) {
    const Span empty = time([] {});
    least = std::min(least, empty.wall - empty.seconds);
  }
  overhead_ = std::max(0.0, least);
}

CallClock::~CallClock() {
  (void)NOCTUNE_API(EventDestroy)(event_of(begin_));
  (void)NOCTUNE_API(EventDestroy)(event_of(end_));
  (void)NOCTUNE_API_EITHER(FreeHost, HostFree)(gate_);
}

void CallClock::start() {
  device_.settle();
  gate_->gave_up = 0;
  gate_->open = gated_ ? 0 : 1;
  if (gated_) {
    void* seen = nullptr;
    must(NOCTUNE_API(HostGetDevicePointer)(&seen, gate_, 0), "while a gate was made");
    Gate* const gate = static_cast<Gate*>(seen);
    hold<<<1, 1, 0, gpu_stream()>>>(&gate->open, &gate->gave_up);
  }
  started_ = kernel_now();
  must(NOCTUNE_API(EventRecord)(event_of(begin_), gpu_stream()), "while an event was recorded");
}

Span CallClock::stop() {
  must(NOCTUNE_API(EventRecord)(event_of(end_), gpu_stream()), "while an event was recorded");
  // Held until here, the calls have not begun; else they began with start().
  const bool held = gated_ && gate_->gave_up == 0;
  if (held) started_ = kernel_now();
  gate_->open = 1;
  must(NOCTUNE_API(GetLastError)(), "at a launch");
  must(NOCTUNE_API(EventSynchronize)(event_of(end_)), "during a call");
  const timespec reached = kernel_now();
  must(NOCTUNE_API(DeviceSynchronize)(), "during a call");
  const timespec idle = kernel_now();
  if (gate_->gave_up != 0) gated_ = false;
  float milliseconds = 0;
  must(NOCTUNE_API(EventElapsedTime)(&milliseconds, event_of(begin_), event_of(end_)),
       "while events were read");
  const double beyond = between(reached, idle);
  return {1e-3 * static_cast<double>(milliseconds) + (beyond > idle_seconds ? beyond : 0),
          between(started_, idle) - overhead_};
}

}  // namespace noctune
