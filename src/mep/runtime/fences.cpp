// The handler does what handlers must not (it allocates), but only when the address lies in a fence: then the
// fault came from an access by the plugin, not from inside an allocator. Should it hang all the same, the
// deadline ends it.
#include "fences.hpp"

#include <signal.h>

#include <string>

namespace noctune {

namespace {

Fence* first_fence = nullptr;
Report* fence_report = nullptr;

}  // namespace

Fence::Fence(const char* name, const char* map, std::size_t map_size, const char* data, std::size_t size)
    : name_(name), map_(map), data_(data), map_size_(map_size), size_(size), next_(first_fence) {
  first_fence = this;
}

Fence::~Fence() {
  for (Fence** at = &first_fence; *at; at = &(*at)->next_) {
    if (*at != this) continue;
    *at = next_;
    return;
  }
}

std::string place_near_buffer(const char* at) {
  for (const Fence* fence = first_fence; fence; fence = fence->next_) {
    if (at < fence->map_ || at >= fence->map_ + fence->map_size_) continue;
    if (at >= fence->data_ && at < fence->data_ + fence->size_)
      return "inside of " + std::string(fence->name_);
    const bool before = at < fence->data_;
    const std::size_t away = static_cast<std::size_t>(before ? fence->data_ - at : at - fence->data_) -
                             (before ? 0 : fence->size_);
    return "outside of " + std::string(fence->name_) + ", " + std::to_string(away) + " bytes " +
           (before ? "in front of its start" : "behind its end");
  }
  return {};
}

void describe_fault(const char* at) {
  const std::string place = place_near_buffer(at), inside = "inside of ";
  if (place.empty()) return;
  if (place.compare(0, inside.size(), inside) == 0)
    fence_report->refuse(Fault::plugin, "it left " + place.substr(inside.size()) + " unreadable");
  fence_report->refuse(Fault::plugin, "it touched memory " + place);
}

namespace {

void on_fault(int number, siginfo_t* info, void*) {
  describe_fault(static_cast<const char*>(info->si_addr));
  signal(number, SIG_DFL);  // the instruction runs again, and ends the process
}

}  // namespace

void watch_fences(Report& report) {
  fence_report = &report;
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace noctune
