#include "evaluator/ceilings.hpp"

#include <algorithm>
#include <cstdio>

#include "model/backend.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

constexpr double granted = 0.8;
constexpr int tries = 2;

const char* const spec_text = R"({
  "entry": "noctune_ceiling",
  "sizes": {"mode": {"default": 1, "min": 1}, "n": {"default": 1000}},
  "params": [
    {"name": "mode", "type": "int", "value": "mode"},
    {"name": "n", "type": "long", "value": "n"},
    {"name": "x", "type": "const double*", "count": "n", "role": "in"},
    {"name": "s", "type": "double*", "count": "1", "role": "inout"}
  ],
  "cases": [{"name": "all"}]
})";

// Independent accumulators hide the latency of additions; vectors are the widest that the flags allow.
const char* const source_text = R"(
#if defined(__AVX512F__)
#define WIDTH 64
#elif defined(__AVX__)
#define WIDTH 32
#else
#define WIDTH 16
#endif
typedef double wide __attribute__((vector_size(WIDTH), aligned(8), may_alias));
typedef float narrow __attribute__((vector_size(WIDTH), aligned(4), may_alias));

static double read_all(long n, const double* x) {
  double total = 0;
#pragma omp parallel reduction(+ : total)
  {
    const long lanes = WIDTH / 8, step = 8 * lanes;
    wide a[8] = {};
#pragma omp for schedule(static) nowait
    for (long block = 0; block < n / step; ++block)
#pragma GCC unroll 8
      for (int k = 0; k < 8; ++k) a[k] += *(const wide*)(x + block * step + k * lanes);
    for (int k = 1; k < 8; ++k) a[0] += a[k];
    for (long i = 0; i < lanes; ++i) total += a[0][i];
  }
  return total;
}

template <class Vector, class Number>
static double multiply_add(long n, double start) {
  double total = 0;
#pragma omp parallel reduction(+ : total)
  {
    Vector factor = {}, term = {}, a[10] = {};
    factor += (Number)(start * 1e-9);
    term += (Number)start;
    for (long i = 0; i < n; ++i)
#pragma GCC unroll 10
      for (int k = 0; k < 10; ++k) a[k] = a[k] * factor + term;
    for (int k = 1; k < 10; ++k) a[0] += a[k];
    total += a[0][0];
  }
  return total;
}

extern "C" void noctune_ceiling(int mode, long n, const double* x, double* s) {
  s[0] += mode == 1 ? read_all(n, x) : mode == 2 ? multiply_add<wide, double>(n, x[0])
                     : multiply_add<narrow, float>(n, x[0]);
}
)";

// Of a GPU: grids that fill it, eight independent chains a thread.
const char* const gpu_source_text = R"(
template <class Number>
static __device__ Number chains(long n, Number start) {
  const Number factor = start * (Number)1e-9, term = start;
  Number a[8] = {};
  for (long i = 0; i < n; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) a[k] = a[k] * factor + term;
  for (int k = 1; k < 8; ++k) a[0] += a[k];
  return a[0];
}

template <class Number>
static __global__ void multiply_add(long n, const double* x, double* s) {
  const Number found = chains<Number>(n, (Number)x[threadIdx.x]);
  if (found == (Number)-1) s[0] = found;
}

static __global__ void read_all(long n, const double2* x, double* s) {
  double sum = 0;
  const long step = (long)gridDim.x * blockDim.x;
  for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) sum += x[i].x + x[i].y;
  if (sum == -1e300) s[0] = sum;
}

static __global__ void copy_all(long n, const double2* x, double2* y) {
  const long step = (long)gridDim.x * blockDim.x;
  for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) y[i] = x[i];
}

static __global__ void nothing() {}

extern "C" void noctune_ceiling(int mode, long n, const double* x, double* s, mep_stream_t stream) {
  const unsigned blocks = 8192, threads = 256;
  if (mode == 1) read_all<<<blocks, threads, 0, stream>>>(n / 2, (const double2*)x, s);
  if (mode == 2) multiply_add<double><<<blocks, threads, 0, stream>>>(n, x, s);
  if (mode == 3) multiply_add<float><<<blocks, threads, 0, stream>>>(n, x, s);
  if (mode == 4) copy_all<<<blocks, threads, 0, stream>>>(n / 4, (const double2*)x, (double2*)x + n / 4);
  if (mode == 5) nothing<<<1, 1, 0, stream>>>();
}
)";
constexpr double gpu_threads = 8192.0 * 256;

// In the order of the kernel's modes; sizes are of x, or the loop's trips.
struct Probe {
  int mode;
  long long n;
  const char* name;
};
const std::vector<Probe> gpu_probes = {{1, 1 << 22, "read 32 MB"},  {1, 1 << 26, "read 512 MB"},
                                       {4, 1 << 27, "copy 512 MB"}, {2, 1 << 12, "fp64 FMA"},
                                       {3, 1 << 13, "fp32 FMA"},    {5, 1 << 10, "empty launch"}};
const std::vector<Probe> host_probes = {{1, 1 << 14, "read 128 kB"}, {1, 1 << 17, "read 1 MB"},
                                        {1, 1 << 20, "read 8 MB"},   {1, 1 << 23, "read 64 MB"},
                                        {2, 1 << 17, "fp64 FMA"},    {3, 1 << 17, "fp32 FMA"}};

PrepareTask task_for(const PlatformSettings& platform) {
  PrepareTask task;
  task.platform = platform;
  task.mep.hotspot = "ceilings";
  task.mep.spec = read_mep_spec(value_or_throw(parse_json(spec_text, "the ceilings' spec")));
  task.mep.spec.backend = platform.backend;
  task.mep.original = runs_on_gpu(platform.backend) ? gpu_source_text : source_text;
  return task;
}

int vector_lanes(const Bench& bench, int mode) {
  return std::max(bench.device.vector_bytes, 16) / (mode == 3 ? 4 : 8);
}

Ceiling ceiling_of(const Bench& bench, const Probe& probe, double seconds, int threads) {
  Ceiling out;
  out.name = probe.name;
  if (probe.mode == 1 || probe.mode == 4) {
    out.bytes = 8.0 * static_cast<double>(probe.n);  // a copy reads one half and writes the other
    out.value = out.bytes / seconds;
    out.unit = "B/s";
  } else if (probe.mode == 5) {
    out.value = seconds;
    out.unit = "s";
  } else if (runs_on_gpu(bench.device.backend)) {
    out.value = 2.0 * 8 * static_cast<double>(probe.n) * gpu_threads / seconds;
    out.unit = "flop/s";
  } else {
    out.value = 2.0 * 10 * vector_lanes(bench, probe.mode) * static_cast<double>(probe.n) * threads / seconds;
    out.unit = "flop/s";
  }
  return out;
}

void keep_better(std::vector<Ceiling>& all, Ceiling found) {
  for (Ceiling& have : all) {
    if (have.name != found.name) continue;
    have.value = have.unit == "s" ? std::min(have.value, found.value) : std::max(have.value, found.value);
    return;
  }
  all.push_back(std::move(found));
}

std::string in_words(double amount, const char* what, double ceiling, const char* rate) {
  char text[120];
  std::snprintf(text, sizeof text, "%.3g %s at the measured %.3g %s", amount, what, ceiling, rate);
  return text;
}

}  // namespace

Task<std::string> measure_ceilings(Bench& bench, PlatformSettings platform) {
  auto work = std::make_shared<Workbench>(bench, task_for(platform));
  const Built built = co_await work->build();
  if (built.verdict != Verdict::ok) co_return "its test kernel " + built.message;
  const MepSpec& spec = work->task().mep.spec;
  for (int attempt = 0; attempt < tries; ++attempt) {
    for (const Probe& probe : runs_on_gpu(bench.device.backend) ? gpu_probes : host_probes) {
      CaseSpec wanted = spec.cases.front();
      wanted.sizes = {{"mode", std::to_string(probe.mode)}, {"n", std::to_string(probe.n)}};
      const Result<ResolvedCase> resolved = resolve_case(spec, wanted, {}, 1);
      if (!resolved) co_return resolved.error().text();
      ProbeRun run;
      run.resolved = *resolved;
      run.seed = 1;
      run.seconds = 0.02;
      const DriverRun done = co_await work->run(work->original().file, std::move(run), 30);
      if (done.verdict() != Verdict::ok || !done.report->probe)
        co_return "its test kernel: " + done.message();
      const double seconds = done.report->probe->seconds_per_call;
      if (seconds > 0) keep_better(bench.device.ceilings, ceiling_of(bench, probe, seconds, work->threads()));
    }
  }
  co_return std::string();
}

std::optional<RooflineFloor> roofline_floor(const std::vector<Ceiling>& ceilings, const SizedCase& sized,
                                            bool single_precision) {
  double bandwidth = 0, slowest = 0, peak = 0;
  for (const Ceiling& ceiling : ceilings) {
    if (ceiling.unit == "flop/s") {
      if (ceiling.name == (single_precision ? "fp32 FMA" : "fp64 FMA")) peak = ceiling.value;
      continue;
    }
    if (ceiling.unit != "B/s") continue;
    slowest = slowest == 0 ? ceiling.value : std::min(slowest, ceiling.value);
    if (ceiling.bytes >= sized.bytes / 4) bandwidth = std::max(bandwidth, ceiling.value);
  }
  if (bandwidth == 0) bandwidth = slowest;
  RooflineFloor out;
  if (sized.bytes > 0 && bandwidth > 0) {
    out.seconds = granted * sized.bytes / bandwidth;
    out.words = in_words(sized.bytes * 1e-6, "MB", bandwidth * 1e-9, "GB/s");
  }
  if (sized.flops > 0 && peak > 0 && granted * sized.flops / peak > out.seconds) {
    out.seconds = granted * sized.flops / peak;
    out.words = in_words(sized.flops * 1e-6, "Mflop", peak * 1e-9, "Gflop/s");
  }
  if (out.seconds == 0) return {};
  return out;
}

}  // namespace noctune
