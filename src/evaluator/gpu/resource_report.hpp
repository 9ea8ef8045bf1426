// What the compilers say a kernel needs: registers, shared memory, spills. Read from the diagnostics of nvcc
// (-Xptxas -v) and hipcc (-Rpass-analysis=kernel-resource-usage), which hold text of candidates too:
// guidance, never evidence.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluator/gpu/occupancy.hpp"

namespace noctune {

// Bytes of stack, spills, local memory and scratch are a thread's, those of shared memory a block's. What a
// compiler does not say stays zero.
struct KernelResources {
  std::string name;       // mangled, as the compiler prints it
  std::string demangled;  // the name itself where it is not mangled
  std::string arch;       // "sm_90", "gfx906"
  int registers = 0;      // AMD: vector registers
  long long shared_bytes = 0;
  long long stack_bytes = 0;
  long long spill_store_bytes = 0, spill_load_bytes = 0;  // AMD: 4 bytes a spilled register, both alike
  long long local_bytes = 0;  // local arrays that are indexed: a stack frame, or scratch, without spills
  long long constant_bytes = 0;
  int barriers = 0;
  long long scratch_bytes = 0;      // AMD
  int sgprs = 0, agprs = 0;         // AMD: scalar and accumulation registers
  std::optional<double> occupancy;  // 0 to 1, see add_occupancy
  std::string limiter;
};

struct ResourceReport {
  std::vector<KernelResources> kernels;    // one for each kernel and architecture
  std::vector<KernelResources> functions;  // device functions that were not inlined
};

// The most of each over an evaluation's kernels.
struct ResourceSum {
  int kernels = 0;
  int registers = 0;
  long long shared_bytes = 0;
  long long spill_bytes = 0;  // stores and loads of one kernel
};

ResourceReport ptxas_report(const std::string& diagnostics);

// hipcc does not print architectures, but reports them in the order of their names. `architectures`: those
// that were asked for.
ResourceReport hip_report(const std::string& diagnostics, std::vector<std::string> architectures);

// What the backend's compiler said.
ResourceReport compiler_report(const std::string& backend, const std::string& diagnostics);

// Only kernels of `arch`; of all where it is empty.
ResourceSum resource_sum(const ResourceReport& report, const std::string& arch = {});

// Occupancy and what limits it, for kernels whose architecture is known, at this launch shape.
void add_occupancy(ResourceReport& report, int block_threads, long long dynamic_shared_bytes = 0);

}  // namespace noctune
