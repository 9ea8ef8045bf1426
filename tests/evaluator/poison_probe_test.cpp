// Originals that use memory before they write it.
#include "evaluator/poison_probe.hpp"

#include <gmock/gmock.h>

#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const smooth_spec = R"({
  "entry": "smooth",
  "sizes": {"n": {"default": 5000, "min": 100, "max": 1000000, "scale": true}},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "x", "type": "const float*", "count": "n", "role": "in"},
    {"name": "t", "type": "float*", "count": "n", "role": "scratch"},
    {"name": "y", "type": "float*", "count": "n", "role": "out"},
    {"name": "hits", "type": "int*", "count": "1", "role": "out"}
  ],
  "cases": [{"name": "time", "sizes": {"n": "auto"}}, {"name": "odd", "sizes": {"n": 131}, "use": "check"}]
})";

class PoisonProbe : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { real_ = new RealEvaluator; }
  static void TearDownTestSuite() { delete real_; }

  static std::string kernel(const std::string& body) {
    return "extern \"C\" void smooth(int n, const float* x, float* t, float* y, int* hits) {\n" + body +
           "\n}\n";
  }

  static std::string refusal(const std::string& body) {
    const SizedBench sized =
        sized_bench(*real_, small_task(smooth_spec, kernel(body)), {{"n", 5000}}, {{"n", 131}});
    const Step refused = real_->run(probe_poison(sized.bench, 5));
    return refused ? refused->message : "";
  }

  static RealEvaluator* real_;
};

RealEvaluator* PoisonProbe::real_ = nullptr;

const char* const clean =
    "*hits = 0; for (int i = 0; i < n; ++i) t[i] = 2 * x[i];\n"
    "for (int i = 0; i < n; ++i) { y[i] = t[i] + 1; *hits += y[i] > 0; }";

TEST_F(PoisonProbe, LetsPassWhatWritesFirst) {
  EXPECT_EQ(refusal(clean), "");
  EXPECT_EQ(refusal("*hits = 0; for (int i = 0; i < n; i += 2) { y[i] = x[i]; *hits += 1; }"), "")
      << "elements that stay as they were are no dependence";
}

TEST_F(PoisonProbe, NamesAnOutputThatIsAddedTo) {
  EXPECT_THAT(
      refusal("for (int i = 0; i < n; ++i) { t[i] = x[i]; y[i] = t[i]; *hits += x[i] > 0; }"),
      AllOf(HasSubstr("odd (n=131)"), HasSubstr("output hits[0] follows what lay in hits before the call"),
            HasSubstr("if hits holds something there in the application, give it the role inout")));
  EXPECT_THAT(refusal("*hits = 0; for (int i = 0; i < n; ++i) { t[i] = x[i]; y[i] += t[i]; }"),
              HasSubstr("output y[0] follows what lay in y before the call"));
}

TEST_F(PoisonProbe, NamesTheScratchThatIsReadEarly) {
  EXPECT_THAT(refusal("*hits = 0; for (int i = 1; i < n; ++i) t[i] = x[i];\n"
                      "for (int i = 0; i < n; ++i) { y[i] = t[n - 1 - i]; *hits += y[i] > 0; }"),
              HasSubstr("output y[130] follows what lay in t before the call"));
}

TEST_F(PoisonProbe, NamesAllWhereNoneAloneIsToBlame) {
  EXPECT_THAT(refusal("*hits = 0; for (int i = 0; i < n; ++i) { y[i] += t[i] + x[i]; }"),
              HasSubstr("follows what lay in its outputs and scratch before the call"));
}

TEST_F(PoisonProbe, NoiseIsNoDependence) {
  EXPECT_EQ(refusal("static unsigned state = __builtin_ia32_rdtsc();\n*hits = 0;\n"
                    "for (int i = 0; i < n; ++i) { state = state * 1664525u + __builtin_ia32_rdtsc();\n"
                    "  y[i] = x[i] * (1 + 1e-6f * (state >> 16) / 65536); *hits += 1; }"),
            "");
}

}  // namespace
}  // namespace noctune
