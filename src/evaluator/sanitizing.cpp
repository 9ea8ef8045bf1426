#include "evaluator/sanitizing.hpp"

#include "base/clock.hpp"
#include "evaluator/sanitizer_report.hpp"
#include "evaluator/toolchain_folders.hpp"
#include "model/backend.hpp"

namespace noctune {
namespace {

constexpr const char* both = "address,undefined";
constexpr const char* undefined_alone = "undefined";

// Instrumented code runs several times longer: of the time cases only those that stay cheap.
constexpr double cheap_seconds = 0.1;
constexpr double cheap_bytes = 64e6;

// What one attempt came to: the code's fault, or why these sanitizers could not work.
struct Attempt {
  std::string finding, trouble, diagnostics;
  bool lost = false;
};

// One call on each case, and of the check cases one more with other buffers and one with several threads.
// Variants outside of the declared ranges are left out: what happens there is no fault of the original.
std::vector<CheckRun> runs_for(const Workbench& bench, const MepReport& report) {
  std::vector<CheckRun> runs;
  for (const CheckItem& item : bench.plan()) {
    const SizedCase& sized = bench.cases()[item.work_case].sized;
    const bool cheap = report.t_ker <= cheap_seconds && static_cast<double>(sized.data_bytes) <= cheap_bytes;
    const bool wanted = item.run.threads == 0 || item.run.threads == 3;
    if (item.run.variant == InputVariant::normal && wanted && (sized.use != CaseUse::time || cheap))
      runs.push_back(item.run);
  }
  return runs;
}

std::string advice(const std::string& finding) {
  if (finding.find("overflow") != std::string::npos && finding.find("integer") != std::string::npos)
    return "; compute in a wider or an unsigned type, or, where the application counts on numbers that wrap, "
           "add -fwrapv to the flags";
  if (finding.find("outside of ") != std::string::npos)
    return "; give the buffer the count it needs, or mend the source";
  if (finding.find("misaligned") != std::string::npos)
    return "; the element type of that buffer in the spec may be narrower than what the source reads";
  return "; mend the source, since every version would be held to what this happens to give";
}

class Examining {
 public:
  Examining(std::shared_ptr<Workbench> bench, MepReport report)
      : bench_(std::move(bench)), report_(std::move(report)) {}

  Task<Sanitized> run() {
    const Stopwatch watch;
    runs_ = runs_for(*bench_, report_);
    if (runs_.empty()) {
      out_.notes.emplace_back("not examined by sanitizers: no case is small enough to run under them");
      co_return std::move(out_);
    }
    if (runs_on_gpu(bench_->task().platform.backend)) {
      const Attempt only = co_await attempt_on_gpu();
      if (!settled(only, "memcheck")) out_.notes.push_back("not examined by sanitizers: " + only.trouble);
      co_return finished(watch.seconds());
    }
    const Attempt first = co_await attempt(both);
    if (settled(first, "address, undefined")) co_return finished(watch.seconds());
    const Attempt second = co_await attempt(undefined_alone);
    if (settled(second, "undefined")) {
      if (!out_.refused) out_.notes.push_back("not examined by AddressSanitizer: " + first.trouble);
      co_return finished(watch.seconds());
    }
    out_.notes.push_back("not examined by sanitizers: " + first.trouble);
    co_return finished(watch.seconds());
  }

 private:
  Sanitized finished(double seconds) {
    out_.seconds = seconds;
    return std::move(out_);
  }

  bool settled(const Attempt& attempt, const char* names) {
    if (attempt.lost) {
      out_.refused = Refusal{Verdict::lost, attempt.trouble, attempt.diagnostics};
    } else if (!attempt.finding.empty()) {
      out_.refused = Refusal{Verdict::run_failed,
                             "the original is not clean under the compiler's sanitizers: " + attempt.finding +
                                 advice(attempt.finding),
                             attempt.diagnostics};
    } else if (attempt.trouble.empty()) {
      out_.sanitizers = names;
    }
    return out_.refused || attempt.trouble.empty();
  }

  Task<Attempt> attempt(std::string sanitizers) {
    Attempt out;
    const Built driver = co_await bench_->build_sanitized_driver(sanitizers);
    if (driver.verdict != Verdict::ok) co_return failed(driver, "a driver with them ");
    std::vector<std::string> flags = {"-fsanitize=" + sanitizers, "-fno-sanitize-recover=all", "-g1", "-w",
                                      "-fno-omit-frame-pointer"};
    const Built plugin =
        co_await bench_->build_plugin("sanitized", bench_->task().mep.original, std::move(flags));
    if (plugin.verdict != Verdict::ok) co_return failed(plugin, "the original, built with them, ");
    std::vector<CheckRun> runs = runs_;
    const DriverRun done = co_await bench_->run_sanitized(driver.file, plugin.file, std::move(runs),
                                                          bench_->run_limit(report_.t_overall));
    out.diagnostics = done.outcome.output;
    out.lost = done.verdict() == Verdict::lost;
    if (const auto finding = sanitizer_finding(done.outcome.output)) out.finding = *finding;
    if (done.verdict() == Verdict::ok) co_return out;
    const std::string line = first_error(done.outcome.output);
    out.trouble = "the original, run with them: " + done.message() + (line.empty() ? "" : " (" + line + ")");
    co_return out;
  }

  // CUDA's checker of memory accesses; HIP has none that serves here.
  Task<Attempt> attempt_on_gpu() {
    Attempt out;
    const PlatformSettings& platform = bench_->task().platform;
    const std::string tool = gpu_program(platform.backend, "sanitizer", platform.compiler);
    if (tool.empty()) {
      out.trouble = "there is no compute-sanitizer";
      co_return out;
    }
    std::vector<CheckRun> runs = runs_;
    std::vector<std::string> argv = {tool, "--tool",        "memcheck", "--error-exitcode",
                                     "96", "--print-limit", "3"};
    const DriverRun done = co_await bench_->run_original_under(std::move(argv), std::move(runs),
                                                               bench_->run_limit(report_.t_overall));
    out.diagnostics = done.outcome.output;
    out.lost = done.verdict() == Verdict::lost;
    if (const auto finding = memcheck_finding(done.outcome.output)) out.finding = *finding;
    if (done.verdict() == Verdict::ok || !out.finding.empty()) co_return out;
    const std::string line = first_error(done.outcome.output);
    out.trouble =
        "the original, run by compute-sanitizer: " + done.message() + (line.empty() ? "" : " (" + line + ")");
    co_return out;
  }

  static Attempt failed(const Built& built, const char* what) {
    Attempt out;
    out.lost = built.verdict == Verdict::lost;
    out.trouble = what + built.message;
    out.diagnostics = built.diagnostics;
    return out;
  }

  std::shared_ptr<Workbench> bench_;
  MepReport report_;
  std::vector<CheckRun> runs_;
  Sanitized out_;
};

}  // namespace

Task<Sanitized> examine_by_sanitizers(std::shared_ptr<Workbench> bench, MepReport report) {
  Examining examining(std::move(bench), std::move(report));
  Sanitized out = co_await examining.run();
  co_return out;
}

}  // namespace noctune
