// Every entry of the corpus, completed by rules alone, built, run and held to its reference. Real compilers
// and drivers; each entry's outcome is kept for share_test.cpp.
#include <gmock/gmock.h>

#include "corpus/corpus_outcome.hpp"
#include "mep/completion/complete_by_rules.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;
using What = CorpusOutcome::What;

class CorpusByRules : public ::testing::TestWithParam<CorpusEntry> {
 protected:
  static void TearDownTestSuite() { real_.reset(); }
  static RealEvaluator& real() {
    if (!real_) real_.emplace();
    return *real_;
  }
  // Kernels are not named: whoever hands in a file should not need to.
  static CompletionInput handed_in(const CorpusEntry& entry) {
    CompletionInput out;
    out.hotspot = entry.name;
    out.file = entry.openmp.empty() ? "source.cu" : "source.cpp";
    out.source = entry.openmp.empty() ? entry.cuda : entry.openmp;  // some refusals have one form alone
    out.backend = entry.openmp.empty() ? "cuda" : "openmp";
    out.call_site = entry.call_site;
    out.defines = entry.defines;
    return out;
  }

 private:
  static std::optional<RealEvaluator> real_;
};

std::optional<RealEvaluator> CorpusByRules::real_;

TEST_P(CorpusByRules, NeverDisagreesWithItsReference) {
  const CorpusEntry& entry = GetParam();
  const CorpusOutcome outcome = judge_draft(real(), entry, complete_by_rules(handed_in(entry)));
  keep_outcome(outcome);
  std::printf("%s: %s %s\n", entry.name.c_str(), to_text(outcome.what).c_str(), outcome.reason.c_str());
  EXPECT_NE(outcome.what, What::disagrees) << outcome.reason;
  EXPECT_EQ(outcome.what == What::agrees, outcome.reason.empty());
  if (entry.expect != "refuse") return;
  EXPECT_NE(outcome.what, What::agrees) << "it should have been refused";
  EXPECT_THAT(outcome.reason, HasSubstr(entry.refusal));
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusByRules, ::testing::ValuesIn(corpus_entries()),
                         [](const auto& entry) { return entry.param.name; });

}  // namespace
}  // namespace noctune
