#include "trust/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/backend.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune::trust {
namespace {

constexpr double shortest_sample_ms = 0.1;

// Work is a number of visits: each one computes a block of outputs, or one, from its inputs anew. Long calls
// come round to the same outputs again, so that they stay few enough to be compared in no time.
struct Shape {
  double round_ms = 0;           // of the wanted time, for one visit of everything
  long long start = 0, odd = 0;  // sizes to begin with, and to check
};

Shape shape_of(const Kernel& kernel) {
  const bool gpu = runs_on_gpu(kernel.backend);
  if (kernel.kind == "memory") return {gpu ? 0.03 : 20, 16, 13};
  return {gpu ? 0.01 : 1e9, 1000, 131};
}

int rounds_of(const Kernel& kernel) {
  return std::max(1, static_cast<int>(std::ceil(kernel.ms / shape_of(kernel).round_ms)));
}

// Every sweep computes the same outputs again; the empty statement keeps the compiler from knowing that.
constexpr const char* host_compute = R"(#include <omp.h>
extern "C" void sweep(int n, const double* x, double* y) {
#pragma omp parallel
  {
    const long thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const int from = static_cast<int>(n * thread / threads);
    const int to = static_cast<int>(n * (thread + 1) / threads);
    for (int s = 0; s < WORK; ++s) {
      for (int i = from; i < to; ++i) y[i] = x[i] / (1.5 + x[i] * x[i]);
      asm volatile("" ::: "memory");
    }
  }
}
)";

// An output is the sum of a row of 4096. What K(0) does more reads rows of its own, which no cache has.
constexpr const char* host_memory = R"(
extern "C" void sweep(int n, const double* x, double* y) {
  const long visits = static_cast<long>(n) * WORK / 100;
#pragma omp parallel for schedule(static)
  for (long visit = 0; visit < visits; ++visit) {
    const bool more = visit >= static_cast<long>(n) * ROUNDS;
    const double* row = x + (visit % n + (more ? n : 0)) * 4096;
    double sums[8] = {};
    for (int i = 0; i < 4096; i += 8)
      for (int k = 0; k < 8; ++k) sums[k] += row[i + k];
    double sum = 0;
    for (int k = 0; k < 8; ++k) sum += sums[k];
    if (!more || sum == -1e300) y[visit % n] = sum;
  }
}
)";

constexpr const char* gpu_compute = R"(
static __global__ void visit_elements(int n, const double* x, double* y) {
  const int i = static_cast<int>(blockIdx.x % ((n + 255) / 256) * 256 + threadIdx.x);
  if (i >= n) return;
  const double pull = 0.001 * x[i];
  double value = x[i];
#pragma unroll 16
  for (int k = 0; k < 512; ++k) value = 0.999 * value + pull;
  y[i] = value;
}

extern "C" void sweep(int n, const double* x, double* y, mep_stream_t stream) {
  const long long visits = (n + 255LL) / 256 * WORK / 100;
  if (visits > 0) visit_elements<<<static_cast<unsigned>(visits), 256, 0, stream>>>(n, x, y);
}
)";

constexpr const char* gpu_memory = R"(
static __global__ void visit_rows(int n, const double* x, double* y) {
  __shared__ double part[256];
  const int me = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x % n);
  const bool more = blockIdx.x >= static_cast<unsigned>(n) * ROUNDS;
  const double* from = x + 4096LL * (more ? n + row : row);
  double sum = 0;
#pragma unroll 8
  for (int i = me; i < 4096; i += 256) sum += from[i];
  part[me] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (me < half) part[me] += part[me + half];
    __syncthreads();
  }
  if (me == 0 && (!more || part[0] == -1e300)) y[row] = part[0];
}

extern "C" void sweep(int n, const double* x, double* y, mep_stream_t stream) {
  const long long visits = static_cast<long long>(n) * WORK / 100;
  if (visits > 0) visit_rows<<<static_cast<unsigned>(visits), 256, 0, stream>>>(n, x, y);
}
)";

std::string with(std::string text, const std::string& word, int number) {
  const std::size_t at = text.find(word);
  return at == std::string::npos ? text : text.replace(at, word.size(), std::to_string(number));
}

std::string source(const Kernel& kernel, int planted) {
  const bool gpu = runs_on_gpu(kernel.backend), memory = kernel.kind == "memory";
  const int rounds = rounds_of(kernel);
  const std::string text = gpu ? (memory ? gpu_memory : gpu_compute) : (memory ? host_memory : host_compute);
  return with(with(text, "WORK", rounds * (100 + planted)), "ROUNDS", rounds);  // per cent of a round
}

MepSpec spec(const Kernel& kernel) {
  const Shape shape = shape_of(kernel);
  const bool memory = kernel.kind == "memory";
  const std::string n = kernel.n > 0 ? std::to_string(kernel.n) : "auto";
  const Json json = {
      {"spec_version", 1},
      {"entry", "sweep"},
      {"sizes", {{"n", {{"default", shape.start}, {"min", 1}, {"max", 100000000}, {"scale", true}}}}},
      {"params",
       {{{"name", "n"}, {"type", "int"}, {"value", "n"}},
        {{"name", "x"},
         {"type", "const double*"},
         {"count", memory ? "2*4096*n" : "n"},
         {"role", "in"},
         {"init", "uniform"}},
        {{"name", "y"}, {"type", "double*"}, {"count", "n"}, {"role", "out"}}}},
      {"cases",
       {{{"name", "time"}, {"sizes", {{"n", n}}}},
        {{"name", "odd"}, {"sizes", {{"n", shape.odd}}}, {"use", "check"}}}},
      {"check", {{"depth", memory ? "4096" : "1"}}}};
  MepSpec out = read_mep_spec(value_or_throw(parse_json(json.dump(), "the benchmark's kernel")));
  out.backend = kernel.backend;
  return out;
}

}  // namespace

std::string label(const Kernel& kernel) {
  char out[40];
  std::snprintf(out, sizeof out, "%s %g ms", kernel.kind.c_str(), kernel.ms);
  return out;
}

PrepareTask kernel_task(const Kernel& kernel, int planted, const Measuring& measuring) {
  PrepareTask task;
  task.platform = default_platform(kernel.backend);
  task.platform.flush_mb = measuring.flush_mb;
  task.mep.hotspot = "sweep";
  task.mep.spec = spec(kernel);
  task.mep.original = source(kernel, planted);
  task.mep.flags = task.platform.flags;
  task.mep_limits.t_min_ms = shortest_sample_ms;
  task.search.repeats = measuring.repeats;
  task.search.trim = std::min(task.search.trim, (measuring.repeats - 1) / 2);
  return task;
}

Candidate kernel_candidate(const Kernel& kernel, int number) {
  Candidate out;
  out.source = source(kernel, 0) + "extern \"C\" int unused() { return " + std::to_string(number) + "; }\n";
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
