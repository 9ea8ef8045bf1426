// Spreads journal records over the tables of a results file: an evaluation over its rows, samples and texts,
// a candidate over its row, links and parameters; every other record is one row.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/evaluation.hpp"
#include "store/journal_reader.hpp"
#include "store/results_writer.hpp"

namespace noctune {

// What the records say about one run of the program.
struct RunOutcome {
  std::string status;    // empty: it never said how it ended
  double finished = 0;   // as said, else 0
  double last_seen = 0;  // its last dated record
};

class RecordExpander {
 public:
  explicit RecordExpander(ResultsWriter& writer);

  // A record that makes no sense is complained about in problems(); an error means the file cannot be
  // written.
  Result<void> take(const JournalRecord& record);
  const std::map<int, RunOutcome>& outcomes() const { return outcomes_; }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  Result<void> take_row(const JournalRecord& record);
  Result<void> take_candidate(const JournalRecord& record);
  Result<void> take_call(const JournalRecord& record);
  Result<void> take_evaluation(const JournalRecord& record);
  Result<void> take_text(const JournalRecord& record);
  void take_end(const JournalRecord& record);
  Result<void> add_evaluation_rows(const JournalRecord& record, const Evaluation& evaluation);
  Result<void> add_profile(long long row, const std::vector<ProfileMetric>& profile);
  Result<void> add_samples(long long row, const TimingSummary& timing);
  Result<void> add_candidate_parts(long long id, const Candidate& candidate);
  bool is_first(const JournalRecord& record, std::vector<bool>& seen);
  void seen(int run, double time);
  void problem(const JournalRecord& record, const std::string& why);

  ResultsWriter& writer_;
  std::map<int, RunOutcome> outcomes_;
  std::vector<std::string> problems_;
  std::string record_, samples_;                          // scratch
  std::vector<bool> evaluations_seen_, candidates_seen_;  // by id
};

}  // namespace noctune
