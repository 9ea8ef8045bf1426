// How long an application spends in functions, where a profiler of the system can tell: perf on CPUs, Nsight
// Systems and rocprof for kernels on GPUs. One plain run, so a figure without an interval.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace noctune {

struct KernelProfiler {
  std::string program;  // looked for in PATH
  // Shell commands: a run that leaves its profile behind, and what lists that.
  std::string record, list;
};

// For a backend, the preferred one first. `run` is a shell command, `file` the stem of what is left behind.
std::vector<KernelProfiler> kernel_profilers(const std::string& backend, const std::string& run,
                                             const std::string& file);

// Seconds by plain function name ("spmv" of "(anonymous namespace)::spmv(int) [clone ._omp_fn.0]"), from what
// `list` printed: samples of the processor's time, summed over threads, or kernels' durations. Lines that are
// no such thing are passed over.
std::map<std::string, double> function_seconds(const std::string& listing);

// Of those named.
double seconds_in(const std::map<std::string, double>& seconds, const std::set<std::string>& names);

}  // namespace noctune
