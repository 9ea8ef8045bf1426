#include "coordinator/prompts/failure.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

Evaluation failed(Verdict verdict, const std::string& message, const std::string& diagnostics = {}) {
  Evaluation out;
  out.verdict = verdict;
  out.message = message;
  out.diagnostics = diagnostics;
  return out;
}

TEST(Failure, KindsCoverEveryVerdict) {
  for (const Verdict verdict : {Verdict::rejected, Verdict::build_failed, Verdict::build_timeout})
    EXPECT_EQ(failure_kind(failed(verdict, "")), FailureKind::build);
  for (const Verdict verdict : {Verdict::run_failed, Verdict::run_timeout, Verdict::wrong_result})
    EXPECT_EQ(failure_kind(failed(verdict, "")), FailureKind::run);
  for (const Verdict verdict : {Verdict::ok, Verdict::duplicate, Verdict::unstable, Verdict::lost})
    EXPECT_FALSE(repairable(failed(verdict, "")));
  EXPECT_TRUE(repairable(failed(Verdict::rejected, "")));
}

TEST(Failure, TheSameErrorElsewhereHasTheSameSignature) {
  const Evaluation first =
      failed(Verdict::build_failed, "does not compile: ...",
             "/tmp/a1/x/candidate.cpp: In function 'f':\n/tmp/a1/x/candidate.cpp:12:9: error: 'q' was "
             "not declared in this scope\n");
  const Evaluation second =
      failed(Verdict::build_failed, "does not compile: ...",
             "/scratch/b2/candidate.cpp:90:1: error: 'q' was not declared in this scope\n");
  EXPECT_EQ(failure_signature(first), failure_signature(second));
  EXPECT_EQ(failure_signature(first), "build_failed: error: 'q' was not declared in this scope");
  const Evaluation other =
      failed(Verdict::build_failed, "", "candidate.cpp:1:1: error: 'r' was not declared in this scope\n");
  EXPECT_NE(failure_signature(first), failure_signature(other));
}

TEST(Failure, NumbersAndAddressesDoNotCount) {
  const auto wrong = [](const std::string& at, const std::string& got) {
    return failure_signature(
        failed(Verdict::wrong_result, "case odd (n=7): C" + at + ": expected 0.5, got " + got +
                                          "; 300 elements differ, norm-wise error 3e-2 > 1.2e-13"));
  };
  EXPECT_EQ(wrong("[17] (of 65536)", "0"), wrong("[3] (of 9)", "1.5e-07"));
  EXPECT_EQ(failure_signature(failed(Verdict::run_failed, "fault at 0x7f00aa, 16 bytes behind buffer y2")),
            failure_signature(failed(Verdict::run_failed, "fault at 0x5500bb, 8 bytes behind buffer y2")));
  EXPECT_NE(failure_signature(failed(Verdict::run_failed, "behind buffer y2")),
            failure_signature(failed(Verdict::run_failed, "behind buffer y3")));
  EXPECT_NE(failure_signature(failed(Verdict::run_failed, "x")),
            failure_signature(failed(Verdict::run_timeout, "x")));
}

TEST(Failure, SignaturesAreShort) {
  EXPECT_LT(failure_signature(failed(Verdict::run_failed, std::string(1 << 20, 'x'))).size(), 300u);
}

}  // namespace
}  // namespace noctune
