// The driver's OpenMP team: its size is fixed before any plugin is loaded, and its threads compute with the
// arithmetic (rounding, flush-to-zero) the process started with, whatever a plugin sets.
#pragma once

#include <fenv.h>
#include <omp.h>

namespace noctune {

class Team {
 public:
  Team() : size_(omp_get_max_threads()) { fegetenv(&arithmetic_); }

  int size() const { return size_; }
  // Starts or wakes the threads and gives each its clean arithmetic, noting whether one had lost it.
  void wake() const;
  // A thread was found with another rounding or with flush-to-zero, after calls of the plugin.
  bool arithmetic_was_changed() const { return changed_; }
  // Lets go of the threads, so that none spins while the peer has its turn. False where the runtime cannot.
  bool rest() const;
  const fenv_t& arithmetic() const { return arithmetic_; }

 private:
  int size_;
  fenv_t arithmetic_;
  mutable bool changed_ = false;
};

// Rounding to nearest and denormals kept.
inline bool arithmetic_is_standard() {
  volatile float tiny_single = 1e-40f, one_single = 1.0f;
  volatile double tiny = 1e-310, one = 1.0;
  return fegetround() == FE_TONEAREST && tiny_single * one_single != 0.0f && tiny * one != 0.0;
}

inline void Team::wake() const {
  bool lost = false;
#pragma omp parallel num_threads(size_) reduction(|| : lost)
  {
    lost = !arithmetic_is_standard();
    fesetenv(&arithmetic_);
  }
  changed_ = changed_ || lost;
}

inline bool Team::rest() const {
  return omp_pause_resource_all(omp_pause_soft) == 0;
}

}  // namespace noctune
