// A real compiler and driver on the versions that exist to test the check.
#include "mep/mutants.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mep/compare.hpp"
#include "mep/driver_fixture.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

const char* const sum_spec = R"({
  "entry": "sum",
  "sizes": {"n": {"default": 40000, "scale": true}},
  "defines": {"real": "float"},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "scale", "type": "real", "value": 0.1},
    {"name": "x", "type": "const real*", "count": "n", "role": "in", "init": {"kind": "uniform", "low": 0, "high": 1}},
    {"name": "s", "type": "real*", "count": "2", "role": "out"}
  ],
  "cases": [{"name": "c"}]
})";

const char* const sum = R"(#include <math.h>
extern "C" void sum(int n, real scale, const real* x, real* s) {
  real total = 0;
  for (int i = 0; i < n; ++i) total += scale * sqrtf(x[i]);
  s[0] = total;
})";

CheckRun run_of(Bench& bench, Mutation mutation) {
  CheckRun run;
  run.resolved = bench.resolved("c", 3);
  run.seed = 7;
  run.mutation = mutation;
  return run;
}

TEST(Mutants, TheDoubleBuildShowsTheErrorOfASinglePrecisionSum) {
  Bench bench(spec_from(sum_spec));
  ASSERT_TRUE(bench.built()) << bench.compiler_output();
  ASSERT_TRUE(has_narrow_floats(bench.spec()));
  const std::string context = "-include " + (bench.folder() / "context.hpp").string();
  const auto narrow =
      bench.run(bench.plugin(sum, "-O2 " + context), std::vector<CheckRun>{run_of(bench, Mutation::none)});
  const auto wide = bench.run(bench.plugin(widened_version(bench.spec(), sum), "-O2 " + context),
                              std::vector<CheckRun>{run_of(bench, Mutation::widened)});
  ASSERT_TRUE(narrow.report && wide.report);
  const OutputBlob &single = narrow.report->runs[0].outputs[0], &twice = wide.report->runs[0].outputs[0];
  EXPECT_EQ(twice.element, ElementType::f64);
  const std::string rounded = narrowed(single.element, twice.bytes, nan_poison);
  ASSERT_EQ(rounded.size(), single.bytes.size());
  EXPECT_EQ(rounded.substr(4), single.bytes.substr(4)) << "an element nobody writes stays as it was";
  const double error = distance(single.element, rounded.substr(0, 4), single.bytes.substr(0, 4));
  EXPECT_GT(error, 1e-7) << "40000 additions in single precision cannot be this exact";
  EXPECT_LT(error, 1e-3);
}

TEST(Mutants, TheVersionThatDoesNothingHasEveryFunctionOfTheSpec) {
  MepSpec spec = spec_from(sum_spec);
  spec.scratch = spec.setup = true;
  const std::string text = null_version(spec);
  EXPECT_THAT(text, HasSubstr("void sum("));
  EXPECT_THAT(text, HasSubstr("void sum_setup("));
  EXPECT_THAT(text, HasSubstr("std::size_t sum_scratch_bytes("));
}

TEST(Mutants, DoublesHaveNoWiderTwin) {
  std::string text = sum_spec;
  text.replace(text.find("\"float\""), 7, "\"double\"");
  EXPECT_FALSE(has_narrow_floats(spec_from(text)));
  EXPECT_EQ(narrowed(ElementType::f64, std::string(8, 'x'), {}), "");
}

}  // namespace
}  // namespace noctune::testing
