// A MEP of which many results are right: the order of keys with ties. Real compilers and drivers.
#include "evaluator/invariants.hpp"

#include <gmock/gmock.h>

#include "evaluator/evaluator.hpp"
#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

const char* const sort_spec = R"({
  "entry": "order_of",
  "sizes": {"n": {"default": 5000, "min": 100, "max": 100000, "scale": true}},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "key", "type": "const int*", "count": "n", "role": "in", "init": {"kind": "integers", "low": 0, "high": 15}},
    {"name": "order", "type": "int*", "count": "n", "role": "out", "compare": "invariants"},
    {"name": "least", "type": "int*", "count": "1", "role": "out"}
  ],
  "cases": [{"name": "time", "sizes": {"n": "auto"}}, {"name": "odd", "sizes": {"n": 131}, "use": "check"}],
  "check": {"invariants": "check.cpp"}
})";

// A counting sort; `at` says which of the places that are left in a bucket the next element takes.
std::string sort_source(const std::string& at) {
  return R"(
extern "C" void order_of(int n, const int* key, int* order, int* least) {
  int start[17] = {}, end[16];
  for (int i = 0; i < n; ++i) ++start[key[i] + 1];
  for (int k = 1; k < 17; ++k) start[k] += start[k - 1];
  for (int k = 0; k < 16; ++k) end[k] = start[k + 1];
  for (int i = 0; i < n; ++i) order[)" +
         at + R"(] = i;
  *least = key[order[0]];
})";
}

const char* const check_text = R"(
#include <cstdio>
#include <vector>
extern "C" int order_of_check(int n, const int* key, int* order, int*, const void* const* before, char* why,
                              std::size_t room) {
  if (before[1] == key) return std::snprintf(why, room, "before and after are one buffer");
  std::vector<bool> seen(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    const int at = order[i];
    if (at < 0 || at >= n || seen[at]) return std::snprintf(why, room, "order is no permutation: order[%d] = %d", i, at);
    seen[at] = true;
    if (i > 0 && key[order[i - 1]] > key[at]) return std::snprintf(why, room, "order[%d] is out of order", i);
  }
  return 0;
})";

PrepareTask sort_task(const std::string& source, const std::string& check) {
  PrepareTask task = small_task(sort_spec, source);
  task.mep.check = check;
  return task;
}

const std::string stable = sort_source("start[key[i]]++");
const std::string reversed = sort_source("--end[key[i]]");
// Everybody's own order among ties, from call to call.
const std::string restless =
    "#include <x86intrin.h>\n" + sort_source("(__rdtsc() >> 4) & 1 ? start[key[i]]++ : --end[key[i]]");

class Invariants : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    real_ = new RealEvaluator;
    task_ = new PrepareTask(sort_task(stable, check_text));
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

  static Evaluation judge(const std::string& source) {
    EvaluationTask task;
    task.setup = *task_;
    task.report = done_->report;
    task.candidate.source = source;
    task.candidate.proposer = "user";
    task.reference.source = stable;
    task.reference.proposer = "original";
    return real_->run(real_->evaluator->evaluate(std::move(task)));
  }

  static RealEvaluator* real_;
  static PrepareTask* task_;
  static Baselined* done_;
};

RealEvaluator* Invariants::real_ = nullptr;
PrepareTask* Invariants::task_ = nullptr;
Baselined* Invariants::done_ = nullptr;

TEST_F(Invariants, SeeAVersionThatDoesNothing) {
  EXPECT_EQ(done_->null_probe.verdict, Verdict::wrong_result);
  for (const OutputTolerance& tolerance : done_->report.tolerances) EXPECT_EQ(tolerance.param, "least");
}

TEST_F(Invariants, LetAnotherOrderAmongTiesPass) {
  for (const std::string& source : {reversed, restless}) {
    const Evaluation evaluation = judge(source);
    EXPECT_EQ(evaluation.verdict, Verdict::ok) << evaluation.message << evaluation.diagnostics;
    EXPECT_TRUE(evaluation.check.passed);
  }
}

TEST_F(Invariants, RefuseWhatIsNotSortedOrNoPermutation) {
  std::string source = stable;
  source.insert(source.rfind('}'),
                "  const int kept = order[3]; order[3] = order[n - 1]; order[n - 1] = kept;\n");
  const Evaluation out_of_order = judge(source);
  EXPECT_EQ(out_of_order.verdict, Verdict::wrong_result);
  EXPECT_FALSE(out_of_order.check.passed);
  EXPECT_THAT(out_of_order.message, HasSubstr("case time"));
  EXPECT_THAT(out_of_order.message, HasSubstr("invariant: order["));
  source = stable;
  source.insert(source.rfind('}'), "  order[n - 1] = order[n - 2];\n");
  const Evaluation twice = judge(source);
  EXPECT_EQ(twice.verdict, Verdict::wrong_result);
  EXPECT_THAT(twice.message, HasSubstr("order is no permutation"));
}

TEST_F(Invariants, StillCompareTheOtherOutputsByValue) {
  std::string source = stable;
  source.insert(source.rfind('}'), "  ++*least;\n");
  const Evaluation evaluation = judge(source);
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
  EXPECT_THAT(evaluation.message, HasSubstr("least"));
}

TEST_F(Invariants, JudgeTimedCallsToo) {
  std::string source = "static int calls;\n" + stable;
  source.insert(source.rfind('}'), "  if (++calls > 12) order[n - 1] = order[n - 2];\n");
  const Evaluation evaluation = judge(source);
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
  EXPECT_THAT(evaluation.message, HasSubstr("right when checked, wrong in timed call"));
  EXPECT_THAT(evaluation.message, HasSubstr("order is no permutation"));
}

TEST(InvariantsBaseline, TakesAnOriginalThatDiffersFromRunToRun) {
  RealEvaluator real;
  const Baselined done = real.run(real.evaluator->prepare(sort_task(restless, check_text)));
  ASSERT_TRUE(done.report.usable) << done.report.message << done.report.diagnostics;
  EXPECT_FALSE(done.report.deterministic);
}

TEST(InvariantsBaseline, RefusesAMepThatCannotBeJudged) {
  RealEvaluator real;
  auto refuse = [&](const std::string& source, const std::string& check) {
    const Baselined done = real.run(real.evaluator->prepare(sort_task(source, check)));
    EXPECT_FALSE(done.report.usable);
    return std::string(to_text(done.report.failure)) + ": " + done.report.message;
  };
  const std::string head =
      "extern \"C\" int order_of_check(int, const int*, int* order, int*, const void* const*, char* why, "
      "std::size_t room) ";
  EXPECT_THAT(refuse(sort_source("i"), check_text),
              HasSubstr("wrong_result: the original breaks its own invariants: case time"));
  EXPECT_THAT(refuse(stable, head + "{ oops }"),
              HasSubstr("build_failed: check.cpp does not compile: check.cpp:1:"));
  EXPECT_THAT(refuse(stable, "int other;"), HasSubstr("build_failed: check.cpp defines no order_of_check"));
  EXPECT_THAT(
      refuse(stable, head + "{ (void)order, (void)why, (void)room; __builtin_trap(); }"),
      HasSubstr("the original breaks its own invariants: check.cpp, asked about the outputs: the process"));
  EXPECT_THAT(refuse(stable, head + "{ (void)order, (void)why, (void)room; return 0; }"),
              HasSubstr("passes the check"));
}

}  // namespace
}  // namespace noctune
