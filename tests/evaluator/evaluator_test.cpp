// Whole evaluations with real compilers and drivers: what a candidate may do, and what becomes of it.
#include "evaluator/evaluator.hpp"

#include <gmock/gmock.h>

#include "base/digest.hpp"
#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

class EvaluatorTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    real_ = new RealEvaluator;
    task_ = new PrepareTask(small_task(axpy_spec, axpy_source));
    done_ = new Baselined(real_->run(real_->evaluator->prepare(*task_)));
  }
  static void TearDownTestSuite() {
    delete real_;
    delete task_;
    delete done_;
  }
  void SetUp() override {
    ASSERT_TRUE(done_->report.usable) << done_->report.message << done_->report.diagnostics;
  }

  static Candidate candidate(const std::string& source, const std::string& proposer = "user") {
    Candidate out;
    out.source = source;
    out.proposer = proposer;
    out.sha = candidate_sha(out);
    return out;
  }

  static EvaluationTask task_for(const std::string& source) {
    EvaluationTask task;
    task.setup = *task_;
    task.report = done_->report;
    task.candidate = candidate(source);
    task.reference = candidate(axpy_source, "original");
    return task;
  }

  static Evaluation judge(const std::string& source) {
    return real_->run(real_->evaluator->evaluate(task_for(source)));
  }

  // The kernel with a statement at its start.
  static std::string kernel_with(const std::string& first, const std::string& headers = {}) {
    std::string out = axpy_source;
    out.insert(out.find("  double sum"), first + "\n");
    return headers + out;
  }

  static RealEvaluator* real_;
  static PrepareTask* task_;
  static Baselined* done_;
};

RealEvaluator* EvaluatorTest::real_ = nullptr;
PrepareTask* EvaluatorTest::task_ = nullptr;
Baselined* EvaluatorTest::done_ = nullptr;

TEST_F(EvaluatorTest, BaselineKnowsSizesTimesAndNoise) {
  const MepReport& report = done_->report;
  ASSERT_EQ(report.cases.size(), 2U);
  EXPECT_GE(report.cases[0].sizes.at("n"), 100);
  EXPECT_GE(report.t_ker * report.cases[0].batch, 0.9 * 0.02e-3);
  EXPECT_GT(report.baseline_seconds, 0);
  EXPECT_TRUE(report.deterministic);
  EXPECT_GT(report.s_data, 0);
  ASSERT_EQ(done_->baseline.timings.size(), 1U);
  EXPECT_EQ(done_->baseline.timings[0].samples.size(), 5U);
  EXPECT_EQ(done_->null_probe.verdict, Verdict::wrong_result);
}

TEST_F(EvaluatorTest, TheOriginalItselfPassesEveryGate) {
  const Evaluation evaluation = judge(axpy_source + std::string("// the same\n"));
  EXPECT_EQ(evaluation.verdict, Verdict::ok) << evaluation.message;
  ASSERT_EQ(evaluation.timings.size(), 1U);
  EXPECT_GT(evaluation.speedup, 0);
  EXPECT_LE(evaluation.interval_low, evaluation.interval_high);
  EXPECT_EQ(evaluation.check.max_error, 0);
}

TEST_F(EvaluatorTest, ASummationInAnotherOrderIsEquivalent) {
  const Evaluation evaluation = judge(R"(
extern "C" void axpy(int n, double a, const double* x, double* y, double* s) {
  double sum = 0;
  for (int i = n - 1; i >= 0; --i) { y[i] += a * x[i]; sum += __builtin_fabs(y[i]); }
  *s = sum;
}
)");
  EXPECT_EQ(evaluation.verdict, Verdict::ok) << evaluation.message;
  EXPECT_LE(evaluation.check.max_error, evaluation.check.tolerance);
}

TEST_F(EvaluatorTest, KnownMachineCodeIsADuplicate) {
  EvaluationTask task = task_for(axpy_source + std::string("// a comment more\n"));
  task.known_binaries[done_->baseline.binary_sha] = 7;
  const Evaluation evaluation = real_->run(real_->evaluator->evaluate(std::move(task)));
  EXPECT_EQ(evaluation.verdict, Verdict::duplicate);
  EXPECT_THAT(evaluation.message, HasSubstr("candidate 7"));
}

TEST_F(EvaluatorTest, ConfirmationsTimeWithoutCheckingAgain) {
  EvaluationTask task = task_for(axpy_source + std::string("// confirm\n"));
  task.purpose = Purpose::confirm;
  task.process = 2;
  const Evaluation evaluation = real_->run(real_->evaluator->evaluate(std::move(task)));
  EXPECT_EQ(evaluation.verdict, Verdict::ok) << evaluation.message;
  EXPECT_EQ(evaluation.seconds.check, 0);
  EXPECT_GT(evaluation.seconds.time, 0);
}

struct Hostile {
  const char* name;
  Verdict verdict;
  const char* says;
  const char* source;  // a whole source, or a statement for the kernel's start when it has no entry
  const char* headers;
};

std::ostream& operator<<(std::ostream& out, const Hostile& hostile) {
  return out << hostile.name;
}

class HostileCandidate : public EvaluatorTest, public ::testing::WithParamInterface<Hostile> {};

TEST_P(HostileCandidate, CostsOneEvaluationAndTheNextOneIsRight) {
  const Hostile& hostile = GetParam();
  const std::string text = hostile.source;
  const bool whole = text.find("extern") != std::string::npos;
  const Evaluation evaluation = judge(whole ? hostile.headers + text : kernel_with(text, hostile.headers));
  EXPECT_STREQ(to_text(evaluation.verdict), to_text(hostile.verdict))
      << evaluation.message << evaluation.diagnostics;
  EXPECT_THAT(evaluation.message, HasSubstr(hostile.says));
  EXPECT_TRUE(evaluation.timings.empty() || evaluation.verdict == Verdict::ok);
  EXPECT_EQ(real_->helper.running(), 0U);
  const Evaluation next = judge(axpy_source + std::string("// after ") + hostile.name + "\n");
  EXPECT_EQ(next.verdict, Verdict::ok) << next.message;
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileCandidate,
    ::testing::Values(
        Hostile{"syntax", Verdict::build_failed, "error:", "extern \"C\" void axpy(int n) { nonsense }", ""},
        Hostile{"other_signature", Verdict::build_failed, "error:", "extern \"C\" void axpy(int n) {}", ""},
        Hostile{"no_entry", Verdict::rejected, "defines no entry", "extern \"C\" void other() {}", ""},
        Hostile{"own_include", Verdict::rejected, "includes", "", "#include \"secret.hpp\"\n"},
        Hostile{"absolute_include", Verdict::rejected, "includes", "", "#include </etc/passwd>\n"},
        Hostile{"opens_files", Verdict::rejected, "fopen", "fclose(fopen(\"/etc/passwd\", \"r\"));",
                "#include <cstdio>\n"},
        Hostile{"does_nothing", Verdict::wrong_result, "expected",
                "extern \"C\" void axpy(int, double, const double*, double*, double*) {}", ""},
        Hostile{"writes_past_the_end", Verdict::wrong_result, "outside a buffer", "y[n] = 1;", ""},
        Hostile{"changes_inputs", Verdict::wrong_result, "x", "const_cast<double*>(x)[0] += 1;", ""},
        Hostile{"crashes", Verdict::run_failed, "signal", "*(volatile int*)8 = 1;", ""},
        Hostile{"aborts", Verdict::run_failed, "signal", "__builtin_trap();", ""},
        Hostile{"spins", Verdict::run_timeout, "", "for (volatile int i = 0;; i = i + 1) {}", ""},
        Hostile{"eats_memory", Verdict::run_failed, "",
                "for (;;) { volatile char* p = new char[1 << 24]; for (int i = 0; i < 1 << 24; i += 4096) "
                "p[i] = 1; }",
                ""},
        Hostile{"kills_itself", Verdict::run_failed, "",
                "asm volatile(\"sys\" \"call\" :: \"a\"(62), \"D\"((long)getpid()), \"S\"(9L) : \"rcx\", "
                "\"r11\", "
                "\"memory\");",
                "#include <unistd.h>\n"},
        Hostile{"floods_stdout", Verdict::run_failed, "",
                "for (;;) "
                "__builtin_printf(\"0123456789012345678901234567890123456789012345678901234567890123\\n\");",
                ""},
        Hostile{
            "forks", Verdict::run_failed, "",
            "for (int i = 0; i < 40; ++i) { long r; asm volatile(\"sys\" \"call\" : \"=a\"(r) : \"a\"(57) : "
            "\"rcx\", \"r11\", "
            "\"memory\"); if (r == 0) for (;;) {} } *(volatile int*)8 = 1;",
            ""},
        Hostile{"caches_the_first_answer", Verdict::wrong_result, "timed sample",
                "static double kept; static int calls; if (++calls > 8) { for (int i = 0; i < n; ++i) y[i] "
                "+= a * x[i]; "
                "*s = kept; return; } kept = 0; for (int i = 0; i < n; ++i) kept += __builtin_fabs(y[i] + a "
                "* x[i]);",
                ""}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(EvaluatorBaseline, RefusesAnOriginalThatCannotServe) {
  RealEvaluator real;
  auto refuse = [&](const char* spec, const std::string& source) {
    const Baselined done = real.run(real.evaluator->prepare(small_task(spec, source)));
    EXPECT_FALSE(done.report.usable);
    return std::string(to_text(done.report.failure)) + ": " + done.report.message;
  };
  EXPECT_THAT(
      refuse(axpy_spec,
             "extern \"C\" void axpy(int n, double a, const double* x, double* y, double* s) { oops }"),
      HasSubstr("build_failed: the original does not compile"));
  EXPECT_THAT(refuse(axpy_spec,
                     "extern \"C\" void axpy(int n, double a, const double* x, double* y, double* s) { "
                     "*(volatile int*)8 = 1; }"),
              HasSubstr("run_failed"));
  EXPECT_THAT(refuse(axpy_spec,
                     "extern \"C\" void axpy(int n, double a, const double* x, double* y, double* s) { y[n] "
                     "= 1; *s = y[0]; }"),
              HasSubstr("outside of y"));
  EXPECT_THAT(refuse(axpy_spec,
                     "extern \"C\" void axpy(int n, double a, const double* x, double* y, double* s) { *s = "
                     "1.0 / 0.0 * y[0]; }"),
              HasSubstr("NaN or infinity"));
  EXPECT_THAT(refuse(axpy_spec,
                     "extern \"C\" void axpy(int n, double a, const double* x, double* y, double* s) "
                     "{ for (int i = 0; i < n; ++i) y[i] = i; *s = 1; }"),
              HasSubstr("does not change when the inputs do"));
}

// A sum of numbers that no small integer stands for.
const char* const total_spec = R"({
  "entry": "total",
  "sizes": {"n": {"default": 20000, "min": 100, "max": 1000000, "scale": true}},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "x", "type": "const real*", "count": "n", "role": "in", "init": {"kind": "uniform", "low": 0.5, "high": 0.9}},
    {"name": "s", "type": "real*", "count": "1", "role": "out"}
  ],
  "defines": {"real": "REAL"},
  "cases": [{"name": "time", "sizes": {"n": "auto"}}, {"name": "odd", "sizes": {"n": 20011}, "use": "check"}],
  "check": {"depth": "n"TOLERANCE}
})";

std::string total(const std::string& real, const std::string& tolerance = {}) {
  std::string out = total_spec;
  out.replace(out.find("REAL"), 4, real);
  out.replace(out.find("TOLERANCE"), 9, tolerance);
  return out;
}

const char* const total_source = R"(
extern "C" void total(int n, const real* x, real* s) {
  real sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *s = sum;
}
)";

TEST(EvaluatorBaseline, RefusesACheckThatCannotSeeAMissingTerm) {
  RealEvaluator real;
  const std::string spec = total("double", R"(, "tolerance": 1e-3, "reason": "a test of the test")");
  const Baselined done = real.run(real.evaluator->prepare(small_task(spec.c_str(), total_source)));
  EXPECT_FALSE(done.report.usable);
  EXPECT_THAT(done.report.message, HasSubstr("leaves out the last of n passes the check"));
}

TEST(EvaluatorBaseline, SaysThatAToleranceAllowsLowerPrecision) {
  RealEvaluator real;
  const std::string spec = total("double", R"(, "tolerance": 1e-5, "reason": "a test of the test")");
  const Baselined done = real.run(real.evaluator->prepare(small_task(spec.c_str(), total_source)));
  ASSERT_TRUE(done.report.usable) << done.report.message;
  EXPECT_FALSE(done.report.double_reference);
  ASSERT_EQ(done.report.notes.size(), 1U);
  EXPECT_THAT(done.report.notes[0], HasSubstr("inputs of half the precision passes the check"));
}

TEST(EvaluatorBaseline, ADoublePrecisionBuildJudgesSinglePrecision) {
  RealEvaluator real;
  // Within its own error a sum of so many terms cannot tell whether one is missing: few terms, then.
  std::string spec = total("float");
  for (const char* n : {"20000", "20011"}) spec.replace(spec.find(n), 5, n[4] == '0' ? "  400" : "  411");
  const PrepareTask task = small_task(spec.c_str(), total_source);
  const Baselined done = real.run(real.evaluator->prepare(task));
  ASSERT_TRUE(done.report.usable) << done.report.message;
  EXPECT_TRUE(done.report.double_reference);
  const auto worst = std::max_element(
      done.report.tolerances.begin(), done.report.tolerances.end(),
      [](const OutputTolerance& a, const OutputTolerance& b) { return a.base_error < b.base_error; });
  EXPECT_GT(worst->base_error, 0);
  EXPECT_GE(worst->tolerance, 2 * worst->base_error);
}

TEST(EvaluatorBaseline, SaysThatAnOriginalIsNotDeterministicAndToleratesItsNoise) {
  RealEvaluator real;
  const std::string noisy =
      "#include <atomic>\nstatic unsigned long state = (unsigned long)&state ^ __builtin_ia32_rdtsc();\n"
      "extern \"C\" void axpy(int n, double a, const double* x, double* y, double* s) {\n"
      "  double sum = 0;\n"
      "  for (int i = 0; i < n; ++i) { y[i] += a * x[i]; sum += __builtin_fabs(y[i]); }\n"
      "  state = state * 6364136223846793005UL + __builtin_ia32_rdtsc();\n"
      "  *s = sum * (1 + 1e-12 * (double)((state >> 33) % 1000) / 1000);\n"
      "}\n";
  const Baselined done = real.run(real.evaluator->prepare(small_task(axpy_spec, noisy)));
  ASSERT_TRUE(done.report.usable) << done.report.message;
  EXPECT_FALSE(done.report.deterministic);
}

TEST(EvaluatorElsewhere, AnotherRankJudgesWithTheSameSizesAndSeeds) {
  RealEvaluator here, elsewhere(false);
  const PrepareTask task = small_task(axpy_spec, axpy_source);
  const Baselined done = here.run(here.evaluator->prepare(task));
  ASSERT_TRUE(done.report.usable) << done.report.message;
  EvaluationTask wanted;
  wanted.setup = task;
  wanted.report = done.report;
  wanted.candidate.source = axpy_source + std::string("// elsewhere\n");
  wanted.reference.source = axpy_source;
  wanted.reference.proposer = "original";
  const Evaluation evaluation = elsewhere.run(elsewhere.evaluator->evaluate(std::move(wanted)));
  EXPECT_EQ(evaluation.verdict, Verdict::ok) << evaluation.message;
}

TEST(EvaluatorScratch, FailedCandidatesLeaveNothingBehind) {
  RealEvaluator real;
  const PrepareTask task = small_task(axpy_spec, axpy_source);
  const Baselined done = real.run(real.evaluator->prepare(task));
  ASSERT_TRUE(done.report.usable);
  auto count = [&] {
    long files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(real.scratch.path()))
      files += entry.is_regular_file();
    return files;
  };
  const long before = count();
  for (int i = 0; i < 5; ++i) {
    EvaluationTask wanted;
    wanted.setup = task;
    wanted.report = done.report;
    wanted.candidate.source = "this is number " + std::to_string(i);
    wanted.reference.source = axpy_source;
    wanted.reference.proposer = "original";
    EXPECT_EQ(real.run(real.evaluator->evaluate(std::move(wanted))).verdict, Verdict::build_failed);
  }
  EXPECT_EQ(count(), before);
}

}  // namespace
}  // namespace noctune
