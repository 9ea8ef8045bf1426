#include "evaluator/hello.hpp"

#include "model/backend.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

MepSpec hello_spec() {
  static const char* const text = R"({
    "spec_version": 1, "entry": "hello",
    "sizes": {"n": {"default": 100000, "min": 1000, "max": 10000000, "scale": true}},
    "params": [
      {"name": "n", "type": "int", "value": "n"},
      {"name": "x", "type": "const double*", "count": "n", "role": "in", "init": "uniform"},
      {"name": "y", "type": "double*", "count": "n", "role": "out"}
    ],
    "cases": [{"name": "time", "sizes": {"n": "auto"}}, {"name": "odd", "sizes": {"n": 1001}, "use": "check"}]
  })";
  return read_mep_spec(value_or_throw(parse_json(text, "the built-in test kernel")));
}

std::string gpu_hello_source() {
  return "__global__ void hello_kernel(int n, const double* x, double* y) {\n"
         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i < n) y[i] = 2.0 * x[i] + 1.0;\n"
         "}\n"
         "extern \"C\" void hello(int n, const double* x, double* y, mep_stream_t stream) {\n"
         "  hello_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, x, y);\n"
         "}\n";
}

std::string hello_source() {
  return "extern \"C\" void hello(int n, const double* x, double* y) {\n"
         "  for (int i = 0; i < n; ++i) y[i] = 2.0 * x[i] + 1.0;\n"
         "}\n";
}

}  // namespace

PrepareTask hello_task(PlatformSettings platform) {
  PrepareTask task;
  task.platform = std::move(platform);
  task.mep.hotspot = "hello";
  task.mep.flags = task.platform.flags;
  task.mep.spec = hello_spec();
  task.mep.spec.backend = task.platform.backend;
  task.mep.original = runs_on_gpu(task.platform.backend) ? gpu_hello_source() : hello_source();
  task.mep_limits.t_min_ms = 0.05;
  task.search.repeats = 5;
  task.search.trim = 1;
  return task;
}

}  // namespace noctune
