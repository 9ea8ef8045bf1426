// A loop whose iterations are shared out among threads in turn, so that neighbours read neighbouring
// elements: one each, or as many as 16 bytes hold.
#pragma once

#include <set>
#include <string>

#include "coordinator/rules/gpu/source.hpp"

namespace noctune::rules::gpu {

struct SharedLoop {
  Statement loop;                 // its iterations are independent up to accumulators
  std::set<std::string> written;  // arrays that the kernel writes
  std::string thread, threads;    // C++: the number of this thread, and of all
};

// One iteration at a time.
std::string single_loop_text(const Work& work, const SharedLoop& shared);

// Several iterations at a time where buffers are aligned, the rest one by one. Empty where arrays are not
// read along the loop, under conditions, or in elements of different sizes.
std::string vector_loop_text(const Work& work, const SharedLoop& shared);

}  // namespace noctune::rules::gpu
