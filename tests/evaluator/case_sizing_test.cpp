// Sizes on a real device: what is reported, and what is refused before anything is allocated.
#include "evaluator/case_sizing.hpp"

#include <gmock/gmock.h>

#include "base/clock.hpp"
#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CaseSizingTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { real_ = new RealEvaluator; }
  static void TearDownTestSuite() { delete real_; }

  // The spec of a kernel f(n, x, y), with these sizes and cases.
  static std::string spec(const std::string& sizes, const std::string& cases,
                          const std::string& count = "n") {
    return R"({"entry": "f", "sizes": )" + sizes + R"(, "params": [
      {"name": "n", "type": "int", "value": "n"},
      {"name": "x", "type": "const double*", "count": ")" +
           count + R"(", "role": "in", "init": "uniform"},
      {"name": "y", "type": "double*", "count": ")" +
           count + R"(", "role": "out"}], "cases": )" + cases + "}";
  }
  static std::string kernel(const std::string& body) {
    return "extern \"C\" void f(int n, const double* x, double* y) {\n" + body + "\n}\n";
  }

  static CasesSized size(const std::string& text, const std::string& body, double t_max = 30,
                         double s_max = 64) {
    PrepareTask task = small_task(text, kernel(body));
    task.mep_limits.t_max_s = t_max;
    task.mep_limits.s_max_mb = s_max;
    auto bench = std::make_shared<Workbench>(*real_->bench, task);
    const Built built = real_->run(bench->build());
    EXPECT_EQ(built.verdict, Verdict::ok) << built.message << built.diagnostics;
    MepReport report;
    for (int i = 0; i < check_seeds; ++i) report.seeds.push_back(random_u64());
    return real_->run(size_cases(bench, report, 0));
  }
  static std::string refusal(const std::string& text, const std::string& body, double t_max = 30) {
    const CasesSized done = size(text, body, t_max);
    EXPECT_TRUE(done.refused);
    return done.refused ? std::string(to_text(done.refused->verdict)) + ": " + done.refused->message : "";
  }

  static RealEvaluator* real_;
};

RealEvaluator* CaseSizingTest::real_ = nullptr;

const char* const copy = "for (int i = 0; i < n; ++i) y[i] = 2 * x[i];";
const char* const both = R"([{"name": "time"}, {"name": "odd", "sizes": {"n": 131}, "use": "check"}])";

TEST_F(CaseSizingTest, CasesStayInOrderAndBytesAreMeasured) {
  const CasesSized done = size(spec(R"({"n": {"default": 50000, "scale": true}})", both), copy);
  ASSERT_FALSE(done.refused) << done.refused->message;
  ASSERT_EQ(done.report.cases.size(), 2U);
  EXPECT_EQ(done.report.cases[0].name, "time");
  EXPECT_EQ(done.report.cases[1].sizes.at("n"), 131);
  EXPECT_EQ(done.report.s_data, done.report.s_data_computed);
  EXPECT_EQ(done.report.s_data, 16 * done.report.cases[0].sizes.at("n"));
  EXPECT_THAT(done.report.message, HasSubstr("S_max = 64.0 MB"));
}

TEST_F(CaseSizingTest, EndlessLoopsAreRefusedWithinTheirTime) {
  const char* endless = "volatile int go = 1;\nwhile (go) {}";
  const Stopwatch watch;
  EXPECT_THAT(refusal(spec(R"({"n": {"default": 50000, "scale": true}})", both), endless, 1),
              AllOf(HasSubstr("run_timeout"), HasSubstr("case \"odd\" (n=131)"),
                    HasSubstr("was stopped after"), HasSubstr("--set mep.t_max_s=")));
  EXPECT_LT(watch.seconds(), 60) << "one stop, and building";
  EXPECT_THAT(
      refusal(spec(R"({"n": {"default": 5000, "scale": true}})", R"([{"name": "time"}])"), endless, 1),
      AllOf(HasSubstr("case \"time\" (n=1)"), HasSubstr("even at the smallest sizes")));
}

TEST_F(CaseSizingTest, ImpossibleSizesAreRefusedInWords) {
  const std::string huge = spec(R"({"n": 100000, "m": 1250000})", R"([{"name": "time"}])", "n*m");
  EXPECT_THAT(refusal(huge, copy),
              AllOf(HasSubstr("case \"time\" (m=1250000 n=100000)"), HasSubstr("the data needs 2000.00 GB"),
                    HasSubstr("x alone has 125000000000 elements, 1000.00 GB"), HasSubstr("mep.s_max_mb")));
  const std::string check =
      spec(R"({"n": {"default": 1000, "scale": true}})",
           R"([{"name": "time"}, {"name": "big", "sizes": {"n": 2000000000}, "use": "check"}])");
  EXPECT_THAT(refusal(check, copy), HasSubstr("case \"big\" (n=2000000000): the data needs 32.00 GB"));
  EXPECT_THAT(refusal(spec(R"({"n": 3000000000})", R"([{"name": "time"}])"), copy),
              AllOf(HasSubstr("case \"time\" (n=3000000000)"), HasSubstr("parameter \"n\" = 3000000000"),
                    HasSubstr("does not fit the type int")));
  EXPECT_THAT(refusal(spec(R"({"n": 100})", R"([{"name": "time", "sizes": {"n": 0}}])"), copy),
              AllOf(HasSubstr("case \"time\", size \"n\" = 0"), HasSubstr("lies outside 1 to")));
  EXPECT_THAT(refusal(spec(R"({"n": 100})", R"([{"name": "time"}])", "n-200"), copy),
              AllOf(HasSubstr("parameter \"x\""), HasSubstr("-100")));
  EXPECT_THAT(refusal(spec(R"({"n": 100})", R"([{"name": "time"}])", "n-100"), copy),
              HasSubstr("no output has an element"));
}

TEST_F(CaseSizingTest, GrowthStopsWhereAValueNoLongerFits) {
  std::string text = spec(R"({"n": {"default": 100, "scale": true}})", R"([{"name": "time"}])");
  text.replace(text.find(R"("value": "n")"), 12, R"("value": "n*n")");
  const CasesSized done = size(text, "y[0] = x[0] + n;");
  ASSERT_FALSE(done.refused) << done.refused->message;
  EXPECT_THAT(done.report.message,
              AllOf(HasSubstr("larger sizes cannot be"), HasSubstr("does not fit the type int")));
  EXPECT_LE(done.report.cases[0].sizes.at("n"), 46340);
  EXPECT_GE(done.report.cases[0].sizes.at("n"), 40000);
}

TEST_F(CaseSizingTest, TimesThatDependOnTheDataAreReported) {
  const CasesSized done =
      size(spec(R"({"n": {"default": 20000, "scale": true}})", R"([{"name": "time"}])"),
           "double sum = 0;\nconst int rounds = 2 + (int)(8 * (x[0] + 1));\n"
           "for (int k = 0; k < rounds; ++k)\n  for (int i = 0; i < n; ++i) sum += x[i] * k;\n"
           "for (int i = 0; i < n; ++i) y[i] = sum;");
  ASSERT_FALSE(done.refused) << done.refused->message;
  if (done.report.data_spread < 1.3) GTEST_SKIP() << "four seeds that are alike: one time in hundreds";
  ASSERT_EQ(done.report.notes.size(), 1U);
  EXPECT_THAT(done.report.notes[0], AllOf(HasSubstr("T_ker depends on the data"), HasSubstr("n=20000")));
}

}  // namespace
}  // namespace noctune
