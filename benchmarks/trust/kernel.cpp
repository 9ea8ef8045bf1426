#include "trust/kernel.hpp"

#include <algorithm>

#include "model/mep_spec_json.hpp"

namespace noctune::trust {
namespace {

constexpr int candidate_sweeps = 100;
constexpr double sizing_aim = 1.4;  // sizing grows a kernel to this many times its least time

// Every sweep computes the same outputs again; the empty statement keeps the compiler from knowing that.
std::string source(int sweeps) {
  return "#include <omp.h>\n"
         "extern \"C\" void sweep(int n, const double* x, double* y) {\n"
         "#pragma omp parallel\n"
         "  {\n"
         "    const long thread = omp_get_thread_num(), threads = omp_get_num_threads();\n"
         "    const int from = static_cast<int>(n * thread / threads);\n"
         "    const int to = static_cast<int>(n * (thread + 1) / threads);\n"
         "    for (int s = 0; s < " +
         std::to_string(sweeps) +
         "; ++s) {\n"
         "      for (int i = from; i < to; ++i) y[i] = x[i] / (1.5 + x[i] * x[i]);\n"
         "      asm volatile(\"\" ::: \"memory\");\n"
         "    }\n"
         "  }\n"
         "}\n";
}

MepSpec spec() {
  static const char* const text = R"({
    "spec_version": 1, "entry": "sweep",
    "sizes": {"n": {"default": 1000, "min": 1, "max": 100000000, "scale": true}},
    "params": [
      {"name": "n", "type": "int", "value": "n"},
      {"name": "x", "type": "const double*", "count": "n", "role": "in", "init": "uniform"},
      {"name": "y", "type": "double*", "count": "n", "role": "out"}
    ],
    "cases": [{"name": "time", "sizes": {"n": "auto"}}, {"name": "odd", "sizes": {"n": 131}, "use": "check"}]
  })";
  return read_mep_spec(value_or_throw(parse_json(text, "the benchmark's kernel")));
}

}  // namespace

PrepareTask kernel_task(int planted, double kernel_ms, int repeats, double flush_mb) {
  PrepareTask task;
  task.platform.flush_mb = flush_mb;
  task.mep.hotspot = "sweep";
  task.mep.spec = spec();
  task.mep.original = source(candidate_sweeps + candidate_sweeps * planted / 100);
  task.mep.flags = task.platform.flags;
  task.mep_limits.t_min_ms = kernel_ms / sizing_aim;
  task.search.repeats = repeats;
  task.search.trim = std::min(task.search.trim, (repeats - 1) / 2);
  return task;
}

Candidate kernel_candidate(int number) {
  Candidate out;
  const std::string text = std::to_string(number);
  out.source = source(candidate_sweeps) + "extern \"C\" int unused() { return " + text + "; }\n";
  out.proposer = "user";
  out.id = 2;
  return out;
}

Candidate kernel_original(const PrepareTask& task) {
  Candidate out;
  out.source = task.mep.original;
  out.proposer = "original";
  out.id = 1;
  return out;
}

}  // namespace noctune::trust
