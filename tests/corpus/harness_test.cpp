// The harness of the corpus itself, on drafts written by hand: it must see a right MEP, a wrong one and a
// reference that does not fit.
#include <gmock/gmock.h>

#include "corpus/corpus_outcome.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;
using What = CorpusOutcome::What;

const char* const scale_spec = R"({
  "entry": "scale_by",
  "sizes": {"n": {"default": 20000, "min": 100, "scale": true}},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "a", "type": "double", "value": "1.5"},
    {"name": "x", "type": "const double*", "count": "n", "role": "in"},
    {"name": "y", "type": "double*", "count": "n", "role": "inout"}
  ]
})";
const char* const scale_source = R"(
extern "C" void scale_by(int n, double a, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}
)";
const char* const scale_reference = R"(#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  for (long long i = 0; i < call.integer("n"); ++i) {
    const double step = call.real("a") * call.was("x")[i];
    const std::string why = differs("y", i, call.now("y")[i], call.was("y")[i] + step, 1, 1e-14);
    if (!why.empty()) return why;
  }
  return {};
}
)";

class CorpusHarness : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { real_ = new RealEvaluator; }
  static void TearDownTestSuite() { delete real_; }
  static CorpusOutcome judge(const std::string& source, const std::string& reference) {
    CorpusEntry entry;
    entry.name = "harness";
    entry.reference = reference;
    MepDraft draft;
    draft.spec = spec_from(scale_spec);
    draft.original = source;
    return judge_draft(*real_, entry, draft);
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }
  static RealEvaluator* real_;
};

RealEvaluator* CorpusHarness::real_ = nullptr;

TEST_F(CorpusHarness, SeesThatAMepAgrees) {
  const CorpusOutcome outcome = judge(scale_source, scale_reference);
  EXPECT_EQ(outcome.what, What::agrees) << outcome.reason;
}

TEST_F(CorpusHarness, SeesThatAMepDisagrees) {
  const CorpusOutcome outcome =
      judge(replaced(scale_source, "a * x[i]", "a * x[n - 1 - i]"), scale_reference);
  EXPECT_EQ(outcome.what, What::disagrees);
  EXPECT_THAT(outcome.reason, HasSubstr("y[0] is"));
}

TEST_F(CorpusHarness, SaysWhichParameterAReferenceMisses) {
  const CorpusOutcome outcome = judge(scale_source, replaced(scale_reference, "\"x\"", "\"z\""));
  EXPECT_EQ(outcome.what, What::disagrees);
  EXPECT_THAT(outcome.reason, HasSubstr("the reference cannot judge: the entry takes no buffer z"));
}

TEST_F(CorpusHarness, TellsABaselineThatCannotBeUsed) {
  const CorpusOutcome outcome = judge(replaced(scale_source, "+= a * x[i]", "= y[i]"), scale_reference);
  EXPECT_NE(outcome.what, What::agrees);
  EXPECT_FALSE(outcome.reason.empty());
}

TEST_F(CorpusHarness, KeepsAReasonWhereNothingWasCompleted) {
  CorpusEntry entry;
  entry.name = "harness";
  const CorpusOutcome outcome = judge_draft(*real_, entry, fail("source.cpp", "no kernel", "name one"));
  EXPECT_EQ(outcome.what, What::refused);
  EXPECT_THAT(outcome.reason, HasSubstr("no kernel"));
}

}  // namespace
}  // namespace noctune
