// What became of an entry of the corpus: completed, baselined by the real evaluator and judged by its
// reference.
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus_entry.hpp"
#include "evaluator/evaluator_fixture.hpp"
#include "model/mep_draft.hpp"

namespace noctune {

struct CorpusOutcome {
  enum class What { agrees, refused, baseline_refused, disagrees };
  std::string entry, expect;
  What what = What::refused;
  std::string reason;  // of the refusal, or what the reference says
  double seconds = 0;
};

std::string to_text(CorpusOutcome::What what);

// A task of small limits for a draft; its check is the entry's reference.
PrepareTask corpus_task(const CorpusEntry& entry, const MepDraft& draft);
CorpusOutcome judge_draft(RealEvaluator& real, const CorpusEntry& entry, const Result<MepDraft>& draft);

// Outcomes go through files below the build folder, so that shards can be added up.
void keep_outcome(const CorpusOutcome& outcome);
std::vector<CorpusOutcome> kept_outcomes();

}  // namespace noctune
