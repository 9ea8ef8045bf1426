#include "store/results_builder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <mutex>
#include <optional>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "store/record_expander.hpp"
#include "store/row_access.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

// An object header message holds 64 KB; a longer config is found in /texts by its hash.
constexpr std::size_t longest_attribute = 60'000;

struct RunEnd {
  std::string status;
  double finished = 0;
};

RunEnd end_of(const JournalReader& journal, const RecordExpander& expander, std::size_t run,
              const std::string& open_status) {
  const auto found = expander.outcomes().find(static_cast<int>(run));
  const RunOutcome outcome = found == expander.outcomes().end() ? RunOutcome{} : found->second;
  if (!outcome.status.empty()) return {outcome.status, outcome.finished};
  const bool last = run + 1 == journal.runs().size();
  return {last ? open_status : "interrupted", outcome.last_seen};
}

Result<void> add_runs(const JournalReader& journal, const RecordExpander& expander,
                      const std::string& open_status, ResultsWriter& writer) {
  TableSink& sink = writer.table("runs");
  std::string record;
  for (std::size_t i = 0; i < journal.runs().size(); ++i) {
    const JournalRun& run = journal.runs()[i];
    const RunEnd end = end_of(journal, expander, i, open_status);
    const Json row = {{"id", i + 1},
                      {"uuid", run.uuid},
                      {"job_id", text_in(run.header, "job_id")},
                      {"host", text_in(run.header, "host")},
                      {"version", text_in(run.header, "version")},
                      {"fingerprint", text_in(run.header, "fingerprint")},
                      {"started", number_in(run.header, "started")},
                      {"finished", end.finished},
                      {"status", end.status},
                      {"records", run.records}};
    sink.packer().pack(row, record);
    if (Result<void> done = sink.add(record); !done) return done;
  }
  return {};
}

Result<void> add_attributes(const JournalReader& journal, const RecordExpander& expander,
                            const std::string& open_status, ResultsWriter& writer) {
  const std::size_t last = journal.runs().size() - 1;
  const JournalRun& run = journal.runs()[last];
  const RunEnd end = end_of(journal, expander, last, open_status);
  const std::string config = text_in(run.header, "config");
  const Result<std::string> config_sha = writer.text("config", config);
  if (!config_sha) return Failure(config_sha.error());
  const std::pair<const char*, std::string> texts[] = {
      {"format", "noctune results"},
      {"noctune_version", text_in(run.header, "version")},
      {"campaign", text_in(journal.runs().front().header, "campaign")},
      {"campaign_uuid", journal.runs().front().uuid},
      {"config", config.size() <= longest_attribute ? config : ""},
      {"config_sha", *config_sha},
      {"run_uuid", run.uuid},
      {"job_id", text_in(run.header, "job_id")},
      {"started", iso_time(number_in(journal.runs().front().header, "started"))},
      {"finished", end.status == open_status ? "" : iso_time(end.finished)},
      {"status", end.status}};
  for (const auto& [name, value] : texts)
    if (Result<void> done = writer.attribute(name, value); !done) return done;
  return writer.attribute("schema_version", static_cast<long long>(schema_version));
}

Result<void> fill(JournalReader& journal, const fs::path& path, const std::string& open_status,
                  BuildFacts& facts) {
  Result<ResultsWriter> writer = ResultsWriter::create(path);
  if (!writer) return Failure(writer.error());
  RecordExpander expander(*writer);
  Result<void> done = journal.each([&](JournalRecord& record) { return expander.take(record); });
  if (done) done = add_runs(journal, expander, open_status, *writer);
  if (done) done = add_attributes(journal, expander, open_status, *writer);
  if (done) done = writer->finish();
  if (!done) return done;
  facts.rows = writer->rows();
  facts.records = journal.facts().records;
  facts.runs = static_cast<long long>(journal.runs().size());
  facts.torn_tails = journal.facts().torn_tails;
  facts.duplicates = journal.facts().duplicates;
  facts.fenced = journal.facts().fenced;
  facts.problems = journal.facts().problems;
  facts.problems.insert(facts.problems.end(), expander.problems().begin(), expander.problems().end());
  return {};
}

// What was written is read back before it may replace anything.
Result<void> verify(const fs::path& path, const BuildFacts& facts) {
  const Result<Hdf5File> file = Hdf5File::open(path);
  if (!file) return Failure(file.error());
  for (const auto& [name, expected] : facts.rows) {
    const Result<Hdf5Table> table = file->open_table(name);
    if (!table) return Failure(table.error());
    const Result<long long> rows = table->rows();
    if (!rows) return Failure(rows.error());
    if (*rows != expected)
      return fail(
          "the new results file does not hold what was written",
          "/" + name + " has " + std::to_string(*rows) + " rows instead of " + std::to_string(expected),
          "the journal is whole; check the file system, then run noctune rebuild");
  }
  return {};
}

Result<void> publish(const fs::path& temporary, const fs::path& target) {
  Descriptor file(::open(temporary.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::fsync(file.get()) != 0) return fail("cannot sync " + temporary.string(), errno_text(errno));
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return fail("cannot replace " + target.string(), errno_text(errno));
  return sync_parent(target);
}

}  // namespace

Result<void> check_target(const fs::path& target, const std::string& campaign_uuid) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(target, ignored))) return {};
  const std::string problem = "will not overwrite " + target.string();
  const std::string hint = "give another --output, or move that file away";
  if (!is_hdf5(target)) return fail(problem, "it is no HDF5 file", hint);
  const Result<Hdf5File> file = Hdf5File::open(target);
  if (!file) return fail(problem, file.error().reason, hint);
  if (file->text_attribute("/", "format").value_or("") != "noctune results")
    return fail(problem, "it was not written by Noctune", hint);
  if (file->text_attribute("/", "campaign_uuid").value_or("") != campaign_uuid)
    return fail(problem,
                "it holds another campaign's results (\"" +
                    file->text_attribute("/", "campaign").value_or("?") + "\")" +
                    (campaign_uuid.empty() ? ", and their journal is gone" : ""),
                hint);
  return {};
}

Result<BuildFacts> build_results(const fs::path& folder, const fs::path& target,
                                 const std::string& open_status) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const Stopwatch watch;
  Result<JournalReader> journal = JournalReader::open(folder);
  if (!journal) return Failure(journal.error());
  if (journal->runs().empty())
    return fail("cannot build " + target.string(), "there is no journal in " + folder.string(),
                "the journal is the folder <results file>.journal that noctune tune writes");
  if (Result<void> ours = check_target(target, journal->runs().front().uuid); !ours)
    return Failure(ours.error());

  BuildFacts facts;
  const fs::path temporary = target.string() + ".building";
  Result<void> done = fill(*journal, temporary, open_status, facts);
  if (done) done = verify(temporary, facts);
  if (done) done = publish(temporary, target);
  if (!done) {
    ::unlink(temporary.c_str());
    Error error = done.error();
    if (error.hint.empty())
      error.hint =
          "nothing recorded is lost, the journal is whole: free space or mend the file system, then run "
          "noctune rebuild " +
          target.string();
    return Failure(error);
  }
  facts.seconds = watch.seconds();
  return facts;
}

}  // namespace noctune
