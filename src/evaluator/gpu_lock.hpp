// Who uses a GPU: checks together, measurements alone, across ranks and across programs of one user. A
// program that died is out of the way at once. The lock says nothing of programs that are not Noctune.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/async.hpp"
#include "evaluator/file_lock.hpp"

namespace noctune {

class GpuLock {
 public:
  // `gpu` as gpu_key() gives it, the same in all programs.
  explicit GpuLock(const std::string& gpu, const std::filesystem::path& folder = lock_folder());

  // Held until destroyed; empty where waiting was given up.
  class Hold {
   public:
    Hold() = default;
    explicit Hold(Descriptor lock) : lock_(std::move(lock)) {}
    explicit operator bool() const { return static_cast<bool>(lock_); }
    // For a child to hold: it is let go when the last copy is closed.
    Descriptor take() { return std::move(lock_); }

   private:
    Descriptor lock_;
  };

  struct Patience {
    std::function<void(const std::string&)> tell;  // once, when others are in the way for a second
    std::function<bool()> give_up;                 // asked again and again
  };
  Task<Hold> to_check(Patience patience);    // together with other checks
  Task<Hold> to_measure(Patience patience);  // alone
  // Without waiting: empty while anybody uses the GPU.
  Hold try_to_measure();

  bool is_free() const;  // at this moment
  // "in use; process 1234 measured last", for messages while it is not free.
  std::string holder() const;

 private:
  Task<Hold> take(int operation, Patience patience);
  Hold taken(Descriptor lock, int operation);

  std::string gpu_;
  std::filesystem::path turnstile_, lock_;
};

}  // namespace noctune
