// Builds versions of a small CUDA source: for the CPU, to run and compare them, or with a real compiler.
#pragma once

#include <string>
#include <vector>

#include "base/files.hpp"
#include "coordinator/rules/gpu/gpu_kernels.hpp"

namespace noctune::rules_test {

class GpuTrial {
 public:
  // Index 0 is the original. Throws with the compiler's output when they do not build.
  GpuTrial(const GpuSource& source, const std::vector<RuleProposal>& versions);

  // Largest norm-wise error against the original; infinity where memory around buffers was touched or threads
  // wait for ever. `shift`: elements by which buffers are moved off their alignment; threads run backwards
  // where it is odd. Scratch may hold anything afterwards.
  double error_of(std::size_t version, std::size_t shift = 0) const;
  // The same for other sizes.
  void set_sizes(const std::map<std::string, long long>& sizes) { source_.sizes = sizes; }

 private:
  using Entry = void (*)(void**);
  void run(const std::string& command) const;
  GpuSource source_;
  ScratchFolder folder_;
  void* library_ = nullptr;
  std::vector<Entry> entries_;
};

// What the compiler says to all versions at once; empty when it takes them.
std::string compile_all(const std::string& compiler, const GpuSource& source,
                        const std::vector<RuleProposal>& versions);

}  // namespace noctune::rules_test
