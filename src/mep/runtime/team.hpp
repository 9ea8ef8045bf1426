// The driver's OpenMP team: its size is fixed before any plugin is loaded, and its threads compute with the
// arithmetic (rounding, flush-to-zero) the process started with, whatever a plugin sets. Where the compiler
// has no OpenMP, as GPU compilers may, the first thread is all of it.
#pragma once

#include <fenv.h>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace noctune {

class Team {
 public:
  Team();

  int size() const { return size_; }
  // Starts or wakes the threads and gives each its clean arithmetic, noting whether one had lost it.
  void wake() const;
  // A thread was found with another rounding or with flush-to-zero, after calls of the plugin.
  bool arithmetic_was_changed() const { return changed_; }
  // Lets go of the threads, so that none spins while the peer has its turn. False where the runtime cannot.
  bool rest() const;
  // How many threads the plugin's own parallel regions get; 0 = as many as the team has.
  void offer(int threads) const;
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

#ifdef _OPENMP

inline Team::Team() : size_(omp_get_max_threads()) {
  fegetenv(&arithmetic_);
}
inline bool Team::rest() const {
  return omp_pause_resource_all(omp_pause_soft) == 0;
}
inline void Team::offer(int threads) const {
  omp_set_num_threads(threads > 0 ? threads : size_);
}

#else

inline Team::Team() : size_(1) {
  fegetenv(&arithmetic_);
}
inline bool Team::rest() const {
  return true;
}
inline void Team::offer(int) const {}

#endif

}  // namespace noctune
