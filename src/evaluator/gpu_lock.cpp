// The node token's readers-writer lock with a turnstile, with two differences: it is asked for again and
// again instead of waited for, since another program may keep it for hours while this one must be able to
// stop; and its files stay, since removing a locked file would let two programs hold the lock.
#include "evaluator/gpu_lock.hpp"

#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/clock.hpp"

namespace noctune {
namespace {

constexpr double first_pause_s = 1e-3, longest_pause_s = 0.02, tell_after_s = 1;

// As part of a file's name.
std::string plain(std::string gpu) {
  std::replace_if(
      gpu.begin(), gpu.end(), [](char c) { return c == '/' || c == ' ' || c == '\0'; }, '_');
  return gpu;
}

}  // namespace

GpuLock::GpuLock(const std::string& gpu, const std::filesystem::path& folder)
    : gpu_(gpu),
      turnstile_(lock_path(folder, plain(gpu) + ".turnstile")),
      lock_(lock_path(folder, plain(gpu) + ".lock")) {}

Task<GpuLock::Hold> GpuLock::to_check(Patience patience) {
  return take(LOCK_SH, std::move(patience));
}
Task<GpuLock::Hold> GpuLock::to_measure(Patience patience) {
  return take(LOCK_EX, std::move(patience));
}

Task<GpuLock::Hold> GpuLock::take(int operation, Patience patience) {
  const Stopwatch watch;
  bool told = false;
  std::optional<Descriptor> passing;  // kept while waiting, so that later ones wait behind
  for (double pause = first_pause_s;; pause = std::min(2 * pause, longest_pause_s)) {
    if (!passing) passing = try_lock_file(turnstile_, operation);
    std::optional<Descriptor> lock;
    if (passing) lock = try_lock_file(lock_, operation);
    if (lock) co_return taken(std::move(*lock), operation);
    if (patience.give_up && patience.give_up()) co_return Hold();
    if (!told && watch.seconds() > tell_after_s) {
      told = true;
      if (patience.tell) patience.tell("waiting for the GPU " + gpu_ + ", " + holder());
    }
    co_await sleep_for(pause);
  }
}

GpuLock::Hold GpuLock::try_to_measure() {
  const std::optional<Descriptor> passing = try_lock_file(turnstile_, LOCK_EX);
  if (!passing) return {};
  std::optional<Descriptor> lock = try_lock_file(lock_, LOCK_EX);
  return lock ? taken(std::move(*lock), LOCK_EX) : Hold();
}

bool GpuLock::is_free() const {
  return try_lock_file(turnstile_, LOCK_EX) && try_lock_file(lock_, LOCK_EX);
}

// A name left in the file helps people; nothing depends on it.
GpuLock::Hold GpuLock::taken(Descriptor lock, int operation) {
  if (operation == LOCK_EX && ::ftruncate(lock.get(), 0) == 0) {
    const std::string pid = std::to_string(::getpid());
    if (::pwrite(lock.get(), pid.data(), pid.size(), 0) < 0) return Hold(std::move(lock));
  }
  return Hold(std::move(lock));
}

std::string GpuLock::holder() const {
  const std::string text = read_file(lock_).value_or("");
  const bool sound =
      !text.empty() && text.size() < 12 && text.find_first_not_of("0123456789") == std::string::npos;
  return sound ? "in use; process " + text + " measured last" : "in use by another process";
}

}  // namespace noctune
