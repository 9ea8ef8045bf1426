#include "store/earlier_runs.hpp"

#include <algorithm>

#include "store/row_access.hpp"

namespace noctune {

Result<EarlierRuns> read_earlier_runs(const std::filesystem::path& folder) {
  Result<JournalReader> journal = JournalReader::open(folder);
  if (!journal) return Failure(journal.error());
  EarlierRuns earlier;
  const Result<void> read = journal->each([&](JournalRecord& record) -> Result<void> {
    earlier.index.note(record.table, record.row, record.place);
    return {};
  });
  if (!read) return Failure(read.error());
  earlier.facts = journal->facts();
  earlier.runs = journal->runs().size();
  for (const JournalRun& run : journal->runs()) {
    earlier.accepted[run.uuid] = run.last_seq;
    earlier.generation = std::max(earlier.generation, run.generation);
  }
  if (earlier.runs == 0) return earlier;
  earlier.campaign = text_in(journal->runs().front().header, "campaign");
  earlier.campaign_uuid = journal->runs().front().uuid;
  earlier.fingerprint = text_in(journal->runs().back().header, "fingerprint");
  return earlier;
}

}  // namespace noctune
