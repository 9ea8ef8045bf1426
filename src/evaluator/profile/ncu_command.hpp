// The one call of ncu that profiles one call of an entry, with all its kernels. `child` may stay empty where
// whoever starts it adds the driver.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

enum class CacheControl { flush, keep };  // before each replay pass

struct NcuCall {
  std::string program = "ncu";
  std::string log_file;              // the table goes here; stdout stays the child's own
  std::vector<std::string> kernels;  // names without parameters; empty = every kernel of the child
  bool marked = false;               // only launches between the child's start and stop marks count
  int skip = 0;                      // launches of these kernels before the one call: warm-up
  int count = 1;                     // launches of these kernels in one call of the entry
  CacheControl caches = CacheControl::flush;
  std::vector<std::string> metrics;  // empty = ncu_metric_names()
  std::vector<std::string> child;    // the driver and its arguments
};

// Its arguments, the program first. Clocks are never touched. The caller sets a time limit: replay can hang.
Result<std::vector<std::string>> ncu_command(const NcuCall& call);

// A regular expression that fits these names alone.
std::string kernel_filter(const std::vector<std::string>& kernels);

}  // namespace noctune
