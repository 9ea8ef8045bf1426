// K(0) under the compiler's sanitizers, with real compilers and drivers.
#include "evaluator/sanitizing.hpp"

#include <gmock/gmock.h>

#include "evaluator/sanitizer_report.hpp"
#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Sanitizing : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { real_ = new RealEvaluator; }
  static void TearDownTestSuite() { delete real_; }

  // The kernel's loop replaced.
  static std::string kernel(const std::string& body, const std::string& head = {}) {
    return head + "extern \"C\" void axpy(int n, double a, const double* x, double* y, double* s) {\n" +
           body + "\n}\n";
  }

  Sanitized examine(const std::string& source, const std::string& compiler = "g++") {
    PrepareTask task = small_task(axpy_spec, source);
    task.platform.compiler = compiler;
    const auto [bench, report] = sized_bench(*real_, task, {{"n", 20000}}, {{"n", 131}});
    return real_->run(examine_by_sanitizers(bench, report));
  }

  std::string refusal(const std::string& source, const std::string& compiler = "g++") {
    const Sanitized found = examine(source, compiler);
    EXPECT_TRUE(found.refused) << ::testing::PrintToString(found.notes);
    return found.refused ? found.refused->message : "";
  }

  static RealEvaluator* real_;
};

RealEvaluator* Sanitizing::real_ = nullptr;

TEST_F(Sanitizing, ACleanOriginalPassesInLittleTime) {
  const Sanitized found = examine(axpy_source);
  EXPECT_FALSE(found.refused) << found.refused->message << found.refused->diagnostics;
  EXPECT_EQ(found.sanitizers, "address, undefined");
  EXPECT_THAT(found.notes, IsEmpty());
}

TEST_F(Sanitizing, NamesTheLineOfWhatIsWrong) {
  const std::string rest = "*s = 0; for (int i = 0; i < n; ++i) { y[i] += a * x[i]; *s += y[i]; }";
  EXPECT_THAT(refusal(kernel("int big = 2147483000;\nbig += n * 1000;\n*s = big;\n" + rest)),
              AllOf(HasSubstr("line 3 of the source: signed integer overflow: "), HasSubstr("-fwrapv")));
  EXPECT_THAT(refusal(kernel("y[n] = 1;\n" + rest)),
              HasSubstr("line 2 of the source: writes memory outside of y, 0 bytes behind its end"));
  EXPECT_THAT(refusal(kernel("s[0] = x[-1];\n" + rest)),
              HasSubstr("reads memory outside of x, 8 bytes in front of its start"));
  EXPECT_THAT(refusal(kernel("y[0] = *(const volatile double*)(n * 8L - n * 8L + 16);\n" + rest)),
              HasSubstr("line 2 of the source: reads memory that is not there"));
  EXPECT_THAT(refusal(kernel("double* t = new double[n];\nt[n] = x[0]; *s = t[n - 1]; delete[] t;\n" + rest)),
              HasSubstr("line 3 of the source: writes outside of memory that it allocated"));
  EXPECT_THAT(
      refusal(kernel("double t[16] = {}, *volatile p = t;\np[n % 16 + 16] = 1; *s = t[n % 16];\n" + rest)),
      HasSubstr("line 3 of the source: writes behind the end of a local array"));
  EXPECT_THAT(refusal(kernel("double* t = new double[n]();\ndelete[] t;\n*s = t[n / 2];\n" + rest)),
              HasSubstr("line 4 of the source: reads in memory that was released"));
}

TEST_F(Sanitizing, NamesUndefinedBehaviour) {
  const std::string rest = "*s = 0; for (int i = 0; i < n; ++i) { y[i] += a * x[i]; *s += y[i]; }";
  EXPECT_THAT(refusal(kernel("y[0] = *(const volatile double*)((const char*)x + 4);\n" + rest)),
              HasSubstr("misaligned"));
  EXPECT_THAT(refusal(kernel("y[0] = 1 << (n + 40);\n" + rest)), HasSubstr("shift exponent"));
  EXPECT_THAT(refusal(kernel("y[0] = n / (int)(x[0] * 0);\n" + rest)), HasSubstr("division by zero"));
  EXPECT_THAT(refusal(kernel("bool odd;\n*(char*)&odd = 7;\nif (*(volatile bool*)&odd) y[0] = 1;\n" + rest)),
              HasSubstr("not a valid value for type 'bool'"));
}

TEST_F(Sanitizing, NumbersThatMayWrapAreFine) {
  EXPECT_FALSE(
      examine(kernel("unsigned h = 2166136261u;\nfor (int i = 0; i < n; ++i) { h = (h ^ i) * 16777619u; "
                     "y[i] += a * x[i]; }\n*s = h;"))
          .refused);
}

TEST_F(Sanitizing, AnotherCompilerWorksAsWell) {
  if (!std::filesystem::exists("/usr/bin/clang++")) GTEST_SKIP() << "no clang++ here";
  RealEvaluator other;
  other.bench->sandbox.shm = false;  // its OpenMP runtime needs it
  std::swap(real_->bench->driver_runtime, other.bench->driver_runtime);
  std::swap(real_->bench->sandbox, other.bench->sandbox);
  const Sanitized found = examine(axpy_source, "clang++");
  EXPECT_FALSE(found.refused) << found.refused->message << found.refused->diagnostics;
  EXPECT_EQ(found.sanitizers, "address, undefined") << ::testing::PrintToString(found.notes);
  EXPECT_THAT(refusal(kernel("int big = 2147483000;\nbig += n * 1000;\n*s = big;"), "clang++"),
              HasSubstr("line 3 of the source: signed integer overflow: "));
  std::swap(real_->bench->driver_runtime, other.bench->driver_runtime);
  std::swap(real_->bench->sandbox, other.bench->sandbox);
}

class WithoutSanitizer : public Sanitizing, public ::testing::WithParamInterface<std::string> {
 protected:
  // A compiler that refuses this option.
  std::string compiler() {
    const std::filesystem::path path = folder_.path() / "cxx";
    EXPECT_TRUE(write_file(path, "#!/bin/sh\ncase \"$*\" in *-fsanitize=" + GetParam() +
                                     "*) echo 'error: it has no such runtime' >&2; exit 1;; esac\n"
                                     "exec /usr/bin/g++ \"$@\"\n"));
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
  }
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("compiler"));
};

TEST_P(WithoutSanitizer, SaysSoAndRefusesNothing) {
  const Sanitized found = examine(axpy_source, compiler());
  EXPECT_FALSE(found.refused) << found.refused->message << found.refused->diagnostics;
  const bool none = GetParam().empty();
  EXPECT_EQ(found.sanitizers, none ? "" : "undefined");
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_THAT(found.notes[0],
              HasSubstr(none ? "not examined by sanitizers: " : "not examined by AddressSanitizer: "));
  EXPECT_THAT(found.notes[0], HasSubstr("it has no such runtime"));
}

INSTANTIATE_TEST_SUITE_P(Some, WithoutSanitizer, ::testing::Values("address", ""),
                         [](const auto& one) { return one.param.empty() ? "None" : "NoAddress"; });

TEST(SanitizerReport, OwnTroubleIsNoFinding) {
  for (const char* output : {"", "==7==ERROR: AddressSanitizer failed to allocate 0xdfff0001000 bytes\n",
                             "==7==Shadow memory range interleaves with an existing memory mapping. ASan "
                             "cannot proceed correctly.\n",
                             "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7ff\n    #0 0x1 in "
                             "axpy /x/candidate.cpp:3\n",
                             "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n    #0 0x1 in "
                             "strlen (/lib/libc.so.6+0x1)\n",
                             "AddressSanitizer:DEADLYSIGNAL\n", "runtime error\n"})
    EXPECT_FALSE(sanitizer_finding(output)) << output;
}

TEST(SanitizerReport, NamesAnAccessWithItsLineAndRegion) {
  const auto found = sanitizer_finding(
      "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x7f bp 0x7f sp 0x7f\n"
      "WRITE of size 8 at 0x60 thread T0\n"
      "    #0 0x7f in kernel /s/1/original/candidate.cpp:41\n    #1 0x55 in main\n"
      "0x60 is located 0 bytes to the right of 80-byte region [0x10,0x60)\n");
  ASSERT_TRUE(found);
  EXPECT_THAT(*found,
              HasSubstr("line 41 of the source: writes outside of memory that it allocated (0 bytes to "
                        "the right of 80-byte region"));
}

TEST(MemcheckFinding, IsTheFirstInvalidAccessWithItsKernel) {
  const auto found = memcheck_finding(
      "========= COMPUTE-SANITIZER\n========= Invalid __global__ write of size 4 bytes\n"
      "=========     at f(int, float *)+0x90 in candidate.cu:3\n=========     by thread (9,0,0) in block "
      "(3,0,0)\n"
      "========= ERROR SUMMARY: 1 error\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, "Invalid __global__ write of size 4 bytes at f(int, float *)+0x90 in candidate.cu:3");
}

TEST(MemcheckFinding, IsNothingWhereAllIsWell) {
  EXPECT_FALSE(memcheck_finding("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"));
  EXPECT_FALSE(memcheck_finding("Invalid words of the program itself\n"));
  EXPECT_FALSE(memcheck_finding("========= Error: No attachable process found\n"));
}

}  // namespace
}  // namespace noctune
