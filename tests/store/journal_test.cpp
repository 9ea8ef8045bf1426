#include "store/journal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "store/journal_reader.hpp"
#include "store/schema.hpp"

namespace noctune {
namespace {
namespace fs = std::filesystem;

struct ReadBack {
  std::vector<long long> values;  // of rows of the table "numbers"
  std::vector<std::string> runs;
  JournalFacts facts;
};

class JournalTest : public testing::Test {
 protected:
  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("journal-test"));
  fs::path folder_ = scratch_.path() / "r.h5.journal";

  static Json header(long long generation, Json accepted = Json::object()) {
    return {{"generation", generation}, {"accepted", std::move(accepted)}};
  }
  // A run with these numbers; the file is given back.
  fs::path write_run(const std::string& uuid, const Json& head, const std::vector<long long>& values,
                     double started = 1.77e9) {
    auto journal = value_or_throw(Journal::create(folder_, uuid, started));
    value_or_throw(journal->append("run", head));
    for (const long long value : values) value_or_throw(journal->append("numbers", {{"value", value}}));
    value_or_throw(journal->sync());
    return journal->path();
  }
  ReadBack read() {
    ReadBack out;
    JournalReader reader = value_or_throw(JournalReader::open(folder_));
    value_or_throw(reader.each([&](JournalRecord& record) -> Result<void> {
      if (record.table == "numbers") out.values.push_back(record.row.at("value").get<long long>());
      return {};
    }));
    for (const JournalRun& run : reader.runs()) out.runs.push_back(run.uuid);
    out.facts = reader.facts();
    return out;
  }
  static void change(const fs::path& file, const std::string& from, const std::string& to) {
    std::string text = value_or_throw(read_file(file));
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    value_or_throw(write_file(file, text));
  }
};

using Numbers = std::vector<long long>;

TEST_F(JournalTest, ALineIsJsonATabAndItsChecksum) {
  const std::string line = journal_line("u-1", 3, "events", {{"text", "tab\there\nand \xff"}});
  ASSERT_EQ(line.back(), '\n');
  const auto tab = line.find('\t');
  ASSERT_EQ(tab, line.size() - 10);
  const std::string content = line.substr(0, tab);
  char sum[9];
  std::snprintf(sum, sizeof sum, "%08x", static_cast<unsigned>(crc32(content)));
  EXPECT_EQ(line.substr(tab + 1, 8), sum);
  const Json json = Json::parse(content);
  EXPECT_EQ(json["run"], "u-1");
  EXPECT_EQ(json["seq"], 3);
  EXPECT_EQ(json["schema"], schema_version);
  EXPECT_EQ(json["table"], "events");
}

TEST_F(JournalTest, NoFolderIsNoRuns) {
  EXPECT_TRUE(read().runs.empty());
  EXPECT_EQ(read().facts.records, 0);
}

TEST_F(JournalTest, ReadsRunsInOrderOfStart) {
  // The second run's clock is behind: its generation decides, not its file's name.
  write_run("run-b", header(2), {3, 4}, 1.76e9);
  write_run("run-a", header(1), {1, 2}, 1.77e9);
  const ReadBack all = read();
  EXPECT_EQ(all.values, (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(all.runs, (std::vector<std::string>{"run-a", "run-b"}));
  EXPECT_EQ(all.facts.records, 6);
}

TEST_F(JournalTest, ARecordIsFoundAgainByItsPlace) {
  auto journal = value_or_throw(Journal::create(folder_, "run", 1.77e9));
  const RecordPlace first = value_or_throw(journal->append("numbers", {{"value", 1}}));
  const RecordPlace place = value_or_throw(journal->append("numbers", {{"value", 2}}));
  EXPECT_EQ(place.file, first.file) << "one path in memory, however many records";
  EXPECT_EQ(value_or_throw(read_record(place)).at("value"), 2);
  EXPECT_FALSE(read_record({place.file, place.offset + 1, place.length}));
  EXPECT_FALSE(read_record({place.file, place.offset, place.length + 100}));
  EXPECT_FALSE(read_record({std::make_shared<const fs::path>(folder_ / "absent"), 0, 1}));
}

TEST_F(JournalTest, ATornTailIsLeftOutSilently) {
  const fs::path file = write_run("run", header(1), {1, 2, 3});
  fs::resize_file(file, fs::file_size(file) - 7);
  const ReadBack all = read();
  EXPECT_EQ(all.values, (Numbers{1, 2}));
  EXPECT_EQ(all.facts.torn_tails, 1);
  EXPECT_TRUE(all.facts.problems.empty());
}

TEST_F(JournalTest, EveryCutLosesAtMostTheRecordItHits) {
  const fs::path file = write_run("run", header(1), {1, 2, 3, 4, 5});
  const std::string whole = value_or_throw(read_file(file));
  for (std::size_t size = 0; size < whole.size(); size += 13) {
    value_or_throw(write_file(file, whole.substr(0, size)));
    const auto lines = std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size), '\n');
    const ReadBack all = read();
    EXPECT_EQ(all.facts.records, lines) << size;
    EXPECT_TRUE(all.facts.problems.empty());
  }
}

TEST_F(JournalTest, DamageInTheMiddleIsReportedWithItsLine) {
  const fs::path file = write_run("run", header(1), {1, 2, 3});
  change(file, "\"value\":2", "\"value\":7");
  ReadBack all = read();
  EXPECT_EQ(all.values, (Numbers{1, 3}));
  ASSERT_EQ(all.facts.problems.size(), 1u);
  EXPECT_EQ(all.facts.problems[0].find(file.string() + ":3: its checksum does not match"), 0u)
      << all.facts.problems[0];

  std::string text = value_or_throw(read_file(file));
  text.insert(text.find('\n') + 1, std::string("\0garbage\x80\n\n{}\n", 14));
  value_or_throw(write_file(file, text));
  all = read();
  EXPECT_EQ(all.values, (Numbers{1, 3}));
  EXPECT_EQ(all.facts.problems.size(), 4u);
}

TEST_F(JournalTest, ALostHeaderLosesOnlyTheHeader) {
  write_run("aaaa", header(1), {1}, 1.76e9);
  const fs::path file = write_run("bbbb", header(2), {2, 3}, 1.77e9);
  change(file, "\"generation\":2", "\"generation\":9");
  const ReadBack all = read();
  EXPECT_EQ(all.values, (Numbers{1, 2, 3}));
  EXPECT_EQ(all.facts.problems.size(), 1u);
}

TEST_F(JournalTest, ANewerSchemaIsRefused) {
  const fs::path file = write_run("run", header(1), {1});
  const std::string content = R"({"run":"run","seq":2,"schema":99,"table":"numbers","row":{}})";
  char line[200];
  std::snprintf(line, sizeof line, "%s\t%08x\n", content.c_str(), static_cast<unsigned>(crc32(content)));
  value_or_throw(write_file(file, value_or_throw(read_file(file)) + line));
  JournalReader reader = value_or_throw(JournalReader::open(folder_));
  const Result<void> outcome = reader.each([](JournalRecord&) -> Result<void> { return {}; });
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().reason.find("newer Noctune (schema 99"), std::string::npos);
}

TEST_F(JournalTest, CopiesCountOnce) {
  const fs::path file = write_run("run", header(1), {1, 2});
  fs::copy_file(file, folder_ / "backup.jsonl");
  const ReadBack all = read();
  EXPECT_EQ(all.values, (Numbers{1, 2}));
  EXPECT_EQ(all.facts.duplicates, 3);
  EXPECT_EQ(all.runs.size(), 1u);
}

TEST_F(JournalTest, RecordsBehindATakeoverAreFenced) {
  write_run("old", header(1), {1, 2, 3});
  write_run("new", header(2, {{"old", 2}}),
            {4});  // took over when the old run had written its records 0, 1, 2
  const ReadBack all = read();
  EXPECT_EQ(all.values, (Numbers{1, 2, 4}));
  EXPECT_EQ(all.facts.fenced, 1);
}

TEST_F(JournalTest, AReaderMayFollowAWriter) {
  auto journal = value_or_throw(Journal::create(folder_, "run", 1.77e9));
  for (long long value = 0; value < 50; ++value) {
    value_or_throw(journal->append("numbers", {{"value", value}}));
    EXPECT_EQ(read().values.size(), static_cast<std::size_t>(value) + 1);
  }
}

TEST_F(JournalTest, LongLinesAndManyBlocksAreRead) {
  auto journal = value_or_throw(Journal::create(folder_, "run", 1.77e9));
  for (long long value = 0; value < 40; ++value)
    value_or_throw(journal->append("numbers", {{"value", value}, {"text", std::string(300'000, 'x')}}));
  EXPECT_EQ(read().values.size(), 40u);
}

TEST_F(JournalTest, TheSameRunCannotStartTwice) {
  const auto journal = value_or_throw(Journal::create(folder_, "run", 1.77e9));
  EXPECT_FALSE(Journal::create(folder_, "run", 1.77e9));
}

// A child appends and reports each committed record through a pipe until it is killed.
[[noreturn]] void append_until_killed(const fs::path& folder, int report) {
  auto journal = Journal::create(folder, "run", 1.77e9);
  if (!journal) ::_exit(1);
  for (long long value = 0;; ++value) {
    if (!(*journal)->append("numbers", {{"value", value}}) || !(*journal)->sync()) ::_exit(2);
    if (::write(report, &value, sizeof value) != sizeof value) ::_exit(3);
  }
}

TEST_F(JournalTest, KillLosesNothingCommitted) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) append_until_killed(folder_, ends[1]);
  ::close(ends[1]);
  long long committed = -1;
  for (int i = 0; i < 50; ++i)
    ASSERT_EQ(::read(ends[0], &committed, sizeof committed), ssize_t{sizeof committed});
  ::kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  while (::read(ends[0], &committed, sizeof committed) == ssize_t{sizeof committed}) {
  }
  ::close(ends[0]);
  const ReadBack all = read();
  ASSERT_GT(all.values.size(), static_cast<std::size_t>(committed));
  for (std::size_t i = 0; i < all.values.size(); ++i) EXPECT_EQ(all.values[i], static_cast<long long>(i));
  EXPECT_TRUE(all.facts.problems.empty());
}

// File size limits behave like a full disk: a short write, then an error.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int) = nullptr;
};

TEST_F(JournalTest, AFullDiskIsAnErrorAndTearsNoRecord) {
  auto journal = value_or_throw(Journal::create(folder_, "run", 1.77e9));
  Numbers stored;
  {
    const SizeLimit limit(10'000);
    for (long long value = 0;; ++value) {
      const auto place = journal->append("numbers", {{"value", value}});
      if (!place) {
        EXPECT_NE(place.error().problem.find("cannot append to the journal"), std::string::npos);
        EXPECT_NE(place.error().hint.find("free space"), std::string::npos);
        break;
      }
      stored.push_back(value);
      ASSERT_LT(value, 10'000);
    }
    EXPECT_FALSE(journal->append("numbers", {{"value", -1}}));
  }
  EXPECT_EQ(read().values, stored);
  EXPECT_EQ(read().facts.torn_tails, 0);
  value_or_throw(journal->append("numbers", {{"value", 77}}));  // there is room again
  value_or_throw(journal->sync());
  stored.push_back(77);
  EXPECT_EQ(read().values, stored);
}

}  // namespace
}  // namespace noctune
