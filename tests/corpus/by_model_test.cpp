// Answers of a language model that saw only the prompt, kept as they came, made into MEPs, built, run and
// held to the references. <entry>/answers/N.txt is the N-th answer of one completion; the last one was
// accepted or gave up.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.hpp"
#include "coordinator/mep_check.hpp"
#include "coordinator/prompts/completion_reply.hpp"
#include "corpus/corpus_outcome.hpp"
#include "mep/reading/read_source.hpp"
#include "places.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;
using What = CorpusOutcome::What;

fs::path answers_of(const CorpusEntry& entry) {
  return fs::path(NOCTUNE_SOURCE_DIR) / "tests/corpus" / entry.name / "answers";
}

std::vector<CorpusEntry> answered_entries() {
  std::vector<CorpusEntry> out;
  for (const CorpusEntry& entry : corpus_entries())
    if (fs::exists(answers_of(entry))) out.push_back(entry);
  return out;
}

std::string last_answer(const CorpusEntry& entry) {
  fs::path last;
  for (const fs::directory_entry& file : fs::directory_iterator(answers_of(entry)))
    last = std::max(last, file.path());
  return value_or_throw(read_file(last));
}

Result<MepDraft> draft_of(const CorpusEntry& entry, const std::string& answer) {
  Result<CompletionReply> reply = read_completion_reply(answer);
  if (!reply) return Failure(reply.error());
  CompletionGround ground;
  ground.source = ground.original = entry.openmp;
  ground.facts = read_source(entry.openmp, entry.defines);
  Result<MepDraft> draft = completion_draft(*reply, ground);
  if (!draft) return draft;
  const Result<MepSource> whole = lowered(*draft, entry.name, "openmp");
  if (!whole) return Failure(whole.error());
  draft->spec = whole->spec;
  draft->original = whole->original;
  draft->context = whole->context;
  draft->inputs = whole->inputs;
  return draft;
}

class CorpusByModel : public ::testing::TestWithParam<CorpusEntry> {
 protected:
  static void TearDownTestSuite() { real_.reset(); }
  static RealEvaluator& real() {
    if (!real_) real_.emplace();
    return *real_;
  }

 private:
  static std::optional<RealEvaluator> real_;
};

std::optional<RealEvaluator> CorpusByModel::real_;

TEST_P(CorpusByModel, AgreesWithItsReference) {
  const CorpusEntry& entry = GetParam();
  const CorpusOutcome outcome = judge_draft(real(), entry, draft_of(entry, last_answer(entry)));
  EXPECT_EQ(outcome.what, What::agrees) << to_text(outcome.what) << ": " << outcome.reason;
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusByModel, ::testing::ValuesIn(answered_entries()),
                         [](const auto& entry) { return entry.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CorpusByModel);

}  // namespace
}  // namespace noctune
