// Which inputs show in the outputs of an original.
#include "evaluator/input_probes.hpp"

#include <gmock/gmock.h>

#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const char* const rows_spec = R"({
  "entry": "rows",
  "sizes": {"n": {"default": 5000, "min": 100, "max": 1000000, "scale": true}},
  "data": {"A": {"gen": "csr", "rows": "n", "cols": "n", "nnz_min": 1, "nnz_max": 9}},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "row_ptr", "type": "const int*", "count": "n+1", "role": "in", "init": "A.row_ptr"},
    {"name": "x", "type": "const double*", "count": "n", "role": "in"},
    {"name": "z", "type": "const double*", "count": "n", "role": "in"},
    {"name": "y", "type": "double*", "count": "n", "role": "out"},
    {"name": "length", "type": "int*", "count": "n", "role": "out"}
  ],
  "cases": [{"name": "time", "sizes": {"n": "auto"}}, {"name": "odd", "sizes": {"n": 131}, "use": "check"}]
})";

class InputProbing : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { real_ = new RealEvaluator; }
  static void TearDownTestSuite() { delete real_; }

  static InputProbes probe(const std::string& body) {
    const std::string source =
        "extern \"C\" void rows(int n, const int* row_ptr, const double* x, const double* z, double* y, int* "
        "length) {\nfor (int i = 0; i < n; ++i) { " +
        body + " }\n}\n";
    const SizedBench sized = sized_bench(*real_, small_task(rows_spec, source), {{"n", 5000}}, {{"n", 131}});
    const DriverRun own = real_->run(sized.bench->reference());
    EXPECT_EQ(own.verdict(), Verdict::ok) << own.message();
    return real_->run(probe_inputs(sized.bench, sized.report));
  }

  static RealEvaluator* real_;
};

RealEvaluator* InputProbing::real_ = nullptr;

TEST_F(InputProbing, OutputsMayFollowTheStructureAlone) {
  const InputProbes found = probe("y[i] = x[i] + z[i]; length[i] = row_ptr[i + 1] - row_ptr[i];");
  EXPECT_FALSE(found.refused) << found.refused->message;
  EXPECT_THAT(found.notes, IsEmpty());
}

TEST_F(InputProbing, AnOutputThatFollowsNoInputIsRefusedWithARemedy) {
  const InputProbes found = probe("y[i] = x[i] + z[i]; length[i] = i;");
  ASSERT_TRUE(found.refused);
  EXPECT_THAT(found.refused->message, HasSubstr("the output length does not change when the inputs do"));
  EXPECT_THAT(found.refused->message, HasSubstr("\"live_out\": false"));
}

TEST_F(InputProbing, AnInputThatShowsNowhereIsNoted) {
  const InputProbes found = probe("y[i] = x[i]; length[i] = row_ptr[i + 1] - row_ptr[i];");
  EXPECT_FALSE(found.refused) << found.refused->message;
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("no output depends on z in the check cases")));
}

TEST_F(InputProbing, AConstantOutputIsNoted) {
  const InputProbes found = probe("y[i] = x[0] + z[1]; length[i] = row_ptr[i + 1] - row_ptr[i];");
  EXPECT_FALSE(found.refused) << found.refused->message;
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_THAT(found.notes[0], HasSubstr("all 131 elements of y are equal in case odd"));
}

}  // namespace
}  // namespace noctune
