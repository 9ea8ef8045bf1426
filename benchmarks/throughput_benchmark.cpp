// How many versions of one kernel an evaluator judges in a minute while proposals are plentiful: policy,
// build, full check and screening of distinct versions, several in flight, and what keeps the device from
// measuring meanwhile. build/bin/throughput_benchmark --help
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>

#include "app/rank_layout.hpp"
#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/run_to_end.hpp"
#include "coordinator/gather.hpp"
#include "evaluator/evaluator_host.hpp"
#include "model/backend.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

constexpr double look_every_s = 1e-3, tell_every_s = 10;
constexpr double grace_s = 30;           // for what is at work when the time is used up
constexpr double sizing_aim = 1.4;       // sizing grows a kernel to this many times its least time
constexpr int widths = 8, unrolls = 32;  // versions differ in both

struct Options {
  std::string backend = "openmp";
  int versions = 200, in_flight = 8, build_cores = 8, repeats = 30;
  double kernel_ms = 1, seconds = 0;
};

Options parse(int argc, char** argv) {
  Options options;
  CLI::App app("Evaluations a minute on one device");
  app.add_option("--backend", options.backend, "openmp, cuda or hip [openmp]")
      ->check(CLI::IsMember({"openmp", "cuda", "hip"}));
  app.add_option("--versions", options.versions, "Distinct versions to judge [200]")
      ->check(CLI::PositiveNumber);
  app.add_option("--in-flight", options.in_flight, "Evaluations at once [8]")->check(CLI::PositiveNumber);
  app.add_option("--build-cores", options.build_cores, "Processors for compilers, at most [8]")
      ->check(CLI::PositiveNumber);
  app.add_option("--repeats", options.repeats, "Samples a side [30]")->check(CLI::Range(7, 10000));
  app.add_option("--kernel-ms", options.kernel_ms, "Time of one call of the original [1]")
      ->check(CLI::Range(1e-3, 1e4));
  app.add_option("--seconds", options.seconds,
                 "Begin no evaluation after so long, baselining included, and report over what was done [0]");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& answered) {
    std::exit(app.exit(answered) == 0 ? 0 : 2);
  }
  return options;
}

// Accelerations of bodies by direct summation: much to compute, little to compare.
constexpr const char* spec_text = R"({
  "spec_version": 1, "entry": "n_body",
  "sizes": {"n": {"default": 256, "min": 1, "max": 1000000, "scale": true}},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "softening", "type": "float", "value": "0.125"},
    {"name": "position", "type": "const float*", "count": "3*n", "role": "in"},
    {"name": "mass", "type": "const float*", "count": "n", "role": "in",
     "init": {"kind": "uniform", "low": 0.25, "high": 1}},
    {"name": "acceleration", "type": "float*", "count": "3*n", "role": "out"}
  ],
  "cases": [{"name": "time", "sizes": {"n": "auto"}},
            {"name": "odd", "use": "check", "sizes": {"n": 257}},
            {"name": "tiny", "use": "check", "sizes": {"n": 3}}],
  "check": {"depth": "n"}, "flops": "20*n*n", "bytes": "28*n"
})";

constexpr const char* body_text = R"(
    float x = 0, y = 0, z = 0;
UNROLL
    for (int j = 0; j < n; ++j) {
      const float dx = position[3 * j] - position[3 * i];
      const float dy = position[3 * j + 1] - position[3 * i + 1];
      const float dz = position[3 * j + 2] - position[3 * i + 2];
      const float distance = sqrtf(dx * dx + dy * dy + dz * dz + softening * softening);
      const float pull = mass[j] / (distance * distance * distance);
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
    acceleration[3 * i] = x;
    acceleration[3 * i + 1] = y;
    acceleration[3 * i + 2] = z;
)";

constexpr const char* parameters =
    "int n, float softening, const float* position, const float* mass, float* acceleration";

std::string gpu_source(int width, const std::string& body) {
  const std::string w = std::to_string(width);
  return "static __global__ void accelerate(" + std::string(parameters) +
         ") {\n  const int i = static_cast<int>(blockIdx.x * " + w + " + threadIdx.x);\n  if (i < n) {" +
         body + "  }\n}\nextern \"C\" void n_body(" + parameters +
         ", mep_stream_t stream) {\n  accelerate<<<(n + " + w + " - 1) / " + w + ", " + w +
         ", 0, stream>>>(n, softening, position, mass, acceleration);\n}\n";
}

std::string host_source(int width, const std::string& body) {
  return "#include <math.h>\nextern \"C\" void n_body(" + std::string(parameters) +
         ") {\n#pragma omp parallel for schedule(static, " + std::to_string(width) +
         ")\n  for (int i = 0; i < n; ++i) {" + body + "  }\n}\n";
}

std::string source(const std::string& backend, int width, int unroll) {
  std::string body = body_text;
  const std::string pragma = runs_on_gpu(backend) ? "#pragma unroll " : "#pragma GCC unroll ";
  body.replace(body.find("UNROLL"), 6, unroll > 0 ? pragma + std::to_string(unroll) : "");
  return runs_on_gpu(backend) ? gpu_source(width, body) : host_source(width, body);
}

// The function that nobody calls makes it another binary even where compilers unroll as they like.
Candidate version(const std::string& backend, int number) {
  Candidate out;
  const int width = 32 * (1 + number % widths), unroll = 1 + number / widths % unrolls;
  out.source = source(backend, width, unroll) + "extern \"C\" int variant() { return " +
               std::to_string(number) + "; }\n";
  out.proposer = "user";
  out.id = number + 2;
  return out;
}

EvaluationTask task_for(const Options& options) {
  EvaluationTask task;
  task.setup.platform = default_platform(options.backend);
  task.setup.mep.hotspot = "n-body";
  task.setup.mep.spec = read_mep_spec(value_or_throw(parse_json(spec_text, "the benchmark's kernel")));
  task.setup.mep.spec.backend = options.backend;
  task.setup.mep.original = source(options.backend, 256, 0);
  task.setup.mep.flags = task.setup.platform.flags;
  task.setup.mep_limits.t_min_ms = options.kernel_ms / sizing_aim;
  task.setup.search.repeats = options.repeats;
  task.reference.source = task.setup.mep.original;
  task.reference.proposer = "original";
  task.reference.id = 1;
  return task;
}

// What was at work over the wall time, looked at once a millisecond.
struct Shares {
  double wall = 0, checking = 0, measuring = 0, neither = 0, builds = 0;
  int most_builds = 0;
};

Task<void> watch(const Activity& activity, const bool& ended, Shares& shares) {
  double before = steady_seconds();
  while (!ended) {
    co_await sleep_for(look_every_s);
    const double now = steady_seconds(), step = now - before;
    before = now;
    const int builds = activity.count(Activity::Kind::building);
    const bool checking = activity.count(Activity::Kind::checking) > 0;
    const bool measuring = activity.count(Activity::Kind::measuring) > 0;
    shares.wall += step;
    if (checking) shares.checking += step;
    if (measuring) shares.measuring += step;
    if (!checking && !measuring) shares.neither += step;
    shares.builds += step * builds;
    shares.most_builds = std::max(shares.most_builds, builds);
  }
}

class Run {
 public:
  Run(const Options& options, EvaluatorHost& host)
      : options_(options), host_(host), bench_(host.bench()), task_(task_for(options)), deadline_(bench_.io) {
    if (options.seconds <= 0) return;
    deadline_.expires_after(std::chrono::duration_cast<asio::steady_timer::duration>(
        std::chrono::duration<double>(options.seconds + grace_s)));
    deadline_.async_wait([this](const asio::error_code& error) {
      if (!error) host_.cancel();
    });
  }

  Task<void> measure() {
    co_await host_.probe(task_.setup.platform);
    if (!host_.facts().problem.empty()) throw std::runtime_error(host_.facts().problem);
    const Baselined done = co_await host_.evaluator().prepare(task_.setup);
    if (!done.report.usable) throw std::runtime_error(done.report.message);
    task_.report = done.report;
    task_.known_binaries[done.baseline.binary_sha] = task_.reference.id;
    std::printf("[%4.0f s] original %.3f ms a call; %s\n", clock_.seconds(),
                1e3 * done.report.baseline_seconds, done.report.message.c_str());
    std::fflush(stdout);
    started_ = told_ = clock_.seconds();
    bool watched_to_the_end = false;
    asio::co_spawn(bench_.io, watch(bench_.activity, watched_to_the_end, shares_), asio::detached);
    std::vector<Task<int>> lanes;
    for (int i = 0; i < options_.in_flight; ++i) lanes.push_back(lane());
    co_await gather(bench_.io, std::move(lanes));
    watched_to_the_end = true;
    co_await sleep_for(10 * look_every_s);
    deadline_.cancel();
    print();
  }

 private:
  bool ended() const {
    return bench_.stopping || (options_.seconds > 0 && clock_.seconds() > options_.seconds);
  }

  Task<int> lane() {
    int done = 0;
    for (; next_ < options_.versions && !ended(); ++done) {
      EvaluationTask task = task_;
      task.candidate = version(options_.backend, next_++);
      const long long id = task.candidate.id;
      const Evaluation evaluation = co_await host_.evaluator().evaluate(std::move(task));
      if (bench_.stopping) break;
      add(evaluation, id);
    }
    co_return done;
  }

  void add(const Evaluation& evaluation, long long id) {
    const StageSeconds& used = evaluation.seconds;
    ++done_;
    ++verdicts_[to_text(evaluation.verdict)];
    sums_.build += used.build;
    sums_.check += used.check;
    sums_.time += used.time;
    sums_.wait += used.wait;
    sums_.busy += used.busy;
    if (!evaluation.binary_sha.empty()) task_.known_binaries.emplace(evaluation.binary_sha, id);
    last_ = clock_.seconds();
    if (evaluation.verdict != Verdict::ok)
      std::printf("version %lld: %s, %s\n", id, to_text(evaluation.verdict), evaluation.message.c_str());
    if (last_ - told_ < tell_every_s) return;
    told_ = last_;
    std::printf("[%4.0f s] %d evaluations, %.1f a minute\n", last_, done_, per_minute());
    std::fflush(stdout);
  }

  double per_minute() const { return last_ > started_ ? 60 * done_ / (last_ - started_) : 0; }

  void print() const {
    std::printf("\n%d versions in %.1f s:", done_, last_ - started_);
    for (const auto& [verdict, count] : verdicts_) std::printf(" %d %s", count, verdict.c_str());
    std::printf("\n%-58s %10.1f 1/min\n", "evaluations after the baseline", per_minute());
    const double count = std::max(done_, 1);
    std::printf("%-58s %10.3f s\n", "build, mean", sums_.build / count);
    std::printf("%-58s %10.3f s\n", "check, mean", sums_.check / count);
    std::printf("%-58s %10.3f s\n", "time, mean", sums_.time / count);
    std::printf("%-58s %10.3f s\n", "wait, mean", sums_.wait / count);
    std::printf("%-58s %10.3f s\n", "busy, mean", sums_.busy / count);
    const double wall = std::max(shares_.wall, 1e-9);
    std::printf("%-58s %10.3f\n", "share of wall time checking", shares_.checking / wall);
    std::printf("%-58s %10.3f\n", "share of wall time timing", shares_.measuring / wall);
    std::printf("%-58s %10.3f\n", "share of wall time neither checking nor timing", shares_.neither / wall);
    std::printf("%-58s %10.2f, at most %d\n", "compilations at once, mean", shares_.builds / wall,
                shares_.most_builds);
  }

  const Options& options_;
  EvaluatorHost& host_;
  Bench& bench_;
  EvaluationTask task_;
  asio::steady_timer deadline_;
  const Stopwatch clock_;
  Shares shares_;
  StageSeconds sums_;
  std::map<std::string, int> verdicts_;
  int next_ = 0, done_ = 0;
  double started_ = 0, last_ = 0, told_ = 0;
};

int run(const Options& options) {
  ProcessHelper helper = value_or_throw(ProcessHelper::start(sandbox_helper_path()));
  asio::io_context io;
  const RankLayout layout = lay_out_alone(options.backend);
  DeviceFacts facts = device_facts(layout);
  const std::size_t cores = std::min(facts.build_cpus.size(), static_cast<std::size_t>(options.build_cores));
  facts.build_cpus.resize(cores);
  std::printf("%s, measured from cpus %s, built on cpus %s, %d in flight, R = %d\n", facts.name.c_str(),
              cpu_list(facts.measured_cpus).c_str(), cpu_list(facts.build_cpus).c_str(), options.in_flight,
              options.repeats);
  std::fflush(stdout);
  EvaluatorHost host(io, helper, std::move(facts), layout.run_token);
  Run all(options, host);
  run_to_end(io, all.measure());
  return 0;
}

}  // namespace
}  // namespace noctune

int main(int argc, char** argv) {
  const noctune::Options options = noctune::parse(argc, argv);
  try {
    return noctune::run(options);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "throughput_benchmark: %s\n", failure.what());
    return 1;
  }
}
