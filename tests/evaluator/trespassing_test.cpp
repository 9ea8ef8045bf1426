// A hostile candidate in the real driver: it makes system calls itself, in words that the policy does not
// find, and gives wrong results where one of them succeeds.
#include <gtest/gtest.h>

#include "evaluator_fixture.hpp"
#include "places.hpp"

namespace noctune {
namespace {

std::string hostile_source(const std::string& secret) {
  return "static const char secret[] = \"" + secret + "\";" + R"(
static long call(long number, long a, long b, long c) {
  long result;
  asm volatile("sys" "call" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}
static bool succeeds_in_anything() {
  const long parent = call(110, 0, 0, 0);
  return call(2, (long)secret, 0, 0) >= 0  // open
         || call(62, parent, 23, 0) >= 0  // kill with SIGURG
         || call(41, 1, 1, 0) >= 0        // socket
         || call(112, 0, 0, 0) >= 0;      // setsid
}
extern "C" void axpy(int n, double a, const double* x, double* y, double* s) {
  double sum = succeeds_in_anything() ? 1e6 : 0;
  for (int i = 0; i < n; ++i) {
    y[i] += a * x[i];
    sum += y[i] < 0 ? -y[i] : y[i];
  }
  *s = sum;
}
)";
}

Verdict verdict_on_hostile(bool confined) {
  RealEvaluator real;
  if (!confined) real.bench->sandbox = {false, false, false, false};
  const ScratchFolder elsewhere = value_or_throw(ScratchFolder::make("noctune-test"));
  const std::string secret = elsewhere.path() / "secret";
  EXPECT_TRUE(write_file(secret, "secret"));
  const PrepareTask setup = small_task(axpy_spec, axpy_source);
  const Baselined done = real.run(real.evaluator->prepare(setup));
  EXPECT_TRUE(done.report.usable) << done.report.message << done.report.diagnostics;
  EvaluationTask task;
  task.setup = setup;
  task.report = done.report;
  task.candidate.source = hostile_source(secret);
  task.candidate.proposer = task.reference.proposer = "user";
  task.reference.source = axpy_source;
  return real.run(real.evaluator->evaluate(std::move(task))).verdict;
}

TEST(Trespassing, FailsInTheSandboxOnly) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "written for x86-64";
#endif
  const SandboxSupport support =
      value_or_throw(ProcessHelper::start(NOCTUNE_BINARY_DIR "/bin/noctune-sandbox")).support();
  if (support.landlock_error != 0 || support.seccomp_error != 0)
    GTEST_SKIP() << "this kernel lacks something";
  EXPECT_EQ(verdict_on_hostile(false), Verdict::wrong_result);
  EXPECT_EQ(verdict_on_hostile(true), Verdict::ok);
}

}  // namespace
}  // namespace noctune
