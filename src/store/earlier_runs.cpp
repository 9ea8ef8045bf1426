#include "store/earlier_runs.hpp"

#include <algorithm>

#include "store/row_access.hpp"

namespace noctune {
namespace {

Decisive settings_of(const JournalReader& journal) {
  Decisive out;
  if (journal.runs().empty()) return out;
  for (const auto& [key, value] : object_in(journal.runs().back().header, "decides").items())
    if (value.is_string()) out[key] = value.get<std::string>();
  return out;
}

}  // namespace

Result<Decisive> latest_settings(const std::filesystem::path& folder) {
  const Result<JournalReader> journal = JournalReader::open(folder);
  if (!journal) return Failure(journal.error());
  return settings_of(*journal);
}

Result<EarlierRuns> read_earlier_runs(const std::filesystem::path& folder) {
  Result<JournalReader> journal = JournalReader::open(folder);
  if (!journal) return Failure(journal.error());
  EarlierRuns earlier;
  std::map<std::string, int> last;  // run that a table's last record is from
  const Result<void> read = journal->each([&](JournalRecord& record) -> Result<void> {
    earlier.index.note(record.table, record.row, record.place);
    last[record.table] = record.run;
    if (record.table == "run_end") earlier.status = text_in(record.row, "status");
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
  const int latest = static_cast<int>(earlier.runs) - 1;
  const auto has = [&](const char* table) { return last.contains(table) && last[table] == latest; };
  earlier.decides = settings_of(*journal);
  earlier.config = text_in(journal->runs().back().header, "config");
  earlier.version = text_in(journal->runs().back().header, "version");
  if (!has("run_end")) earlier.status.clear();
  earlier.worked = has("evaluations") || has("llm_calls") || has("placements");
  return earlier;
}

}  // namespace noctune
