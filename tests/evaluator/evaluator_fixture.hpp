// A real evaluator with a real compiler and sandbox helper, on a kernel of microseconds.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <optional>

#include "base/digest.hpp"
#include "base/topology.hpp"
#include "evaluator/evaluator_host.hpp"
#include "model/mep_spec_json.hpp"
#include "places.hpp"

namespace noctune {

class RealEvaluator {
 public:
  // Every restriction that this kernel knows is in force, without a probe. `helper_path`: below the build
  // folder.
  explicit RealEvaluator(bool shares_token = true, const std::string& helper_path = "/bin/noctune-sandbox")
      : helper(value_or_throw(ProcessHelper::start(NOCTUNE_BINARY_DIR + helper_path))),
        host(io, helper, facts(shares_token), "test-" + std::to_string(::getpid())) {}

  template <class T>
  T run(Task<T> task) {
    std::optional<T> out;
    std::exception_ptr failure;
    asio::co_spawn(io, std::move(task), [&](std::exception_ptr thrown, T value) {
      failure = thrown;
      if (!thrown) out = std::move(value);
    });
    io.restart();
    while (!out && !failure) io.run_one();
    if (failure) std::rethrow_exception(failure);
    return std::move(*out);
  }

  asio::io_context io;
  ProcessHelper helper;
  EvaluatorHost host;
  Bench* const bench = &host.bench();
  Evaluator* const evaluator = &host.evaluator();
  const ScratchFolder& scratch = host.scratch();

 private:
  static DeviceFacts facts(bool shares_token) {
    DeviceFacts out;
    out.measured_cpus = out.build_cpus = allowed_cpus();
    out.shares_token = shares_token;
    out.last_level_cache_bytes = 1 << 20;
    return out;
  }
};

// y = a x + y, then the sum of |y| in norm: inputs, an in-out and an output.
inline const char* const axpy_spec = R"({
  "spec_version": 1, "entry": "axpy",
  "sizes": {"n": {"default": 20000, "min": 100, "max": 1000000, "scale": true}},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "a", "type": "double", "value": "1.5"},
    {"name": "x", "type": "const double*", "count": "n", "role": "in", "init": "uniform"},
    {"name": "y", "type": "double*", "count": "n", "role": "inout", "init": "uniform"},
    {"name": "s", "type": "double*", "count": "1", "role": "out"}
  ],
  "cases": [{"name": "time", "sizes": {"n": "auto"}}, {"name": "odd", "sizes": {"n": 131}, "use": "check"}],
  "check": {"depth": "n"}
})";

inline const char* const axpy_source = R"(
extern "C" void axpy(int n, double a, const double* x, double* y, double* s) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    y[i] += a * x[i];
    sum += y[i] < 0 ? -y[i] : y[i];
  }
  *s = sum;
}
)";

inline MepSpec spec_from(const std::string& text) {
  return read_mep_spec(value_or_throw(parse_json(text, "test spec")));
}

inline PrepareTask small_task(const std::string& spec, const std::string& source) {
  PrepareTask task;
  task.mep.hotspot = "axpy";
  task.mep.spec = spec_from(spec);
  task.mep.original = source;
  task.mep.flags = task.platform.flags = {"-O2", "-fopenmp"};
  task.mep_limits.t_min_ms = 0.02;
  task.mep_limits.s_max_mb = 64;
  task.search.repeats = 5;
  task.search.trim = 1;
  task.platform.flush_mb = 0.5;
  task.limits.run_s = 3;
  task.limits.build_s = 20;
  task.limits.memory_mb = 512;
  return task;
}

struct SizedBench {
  std::shared_ptr<Workbench> bench;
  MepReport report;
};

// Built, and at these sizes of the cases "time" and "odd", as sizing could have chosen them.
inline SizedBench sized_bench(RealEvaluator& real, PrepareTask task, std::map<std::string, long long> time,
                              std::map<std::string, long long> odd) {
  SizedBench out{std::make_shared<Workbench>(*real.bench, std::move(task)), {}};
  const Built built = real.run(out.bench->build());
  EXPECT_EQ(built.verdict, Verdict::ok) << built.message << built.diagnostics;
  for (int i = 0; i < check_seeds; ++i) out.report.seeds.push_back(random_u64());
  for (const bool timed : {true, false}) {
    SizedCase one;
    one.name = timed ? "time" : "odd";
    one.use = timed ? CaseUse::time : CaseUse::check;
    one.sizes = timed ? time : odd;
    out.report.cases.push_back(std::move(one));
  }
  const Result<void> adopted = out.bench->adopt(out.report);
  EXPECT_TRUE(adopted) << (adopted ? "" : adopted.error().text());
  return out;
}

}  // namespace noctune
