#include "store/results_builder.hpp"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>

#include "base/files.hpp"
#include "base/hdf5.hpp"
#include "model/evaluation_json.hpp"
#include "store/example_campaign.hpp"
#include "store/journal.hpp"
#include "store/results_file.hpp"
#include "store/schema.hpp"

// The HDF5 library itself loses some memory when a file cannot be closed on a full disk; no descriptor stays
// open.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5";
}

namespace noctune {
namespace {
namespace fs = std::filesystem;

class ResultsBuilderTest : public testing::Test {
 protected:
  void SetUp() override {
    auto recorder = value_or_throw(Recorder::open(target_, example::header("run-1")));
    example::record(*recorder);
    value_or_throw(recorder->finish("finished"));
  }
  Hdf5Columns columns(const std::string& table, const std::vector<std::string>& names) {
    return value_or_throw(value_or_throw(ResultsFile::open(target_)).columns(table, names));
  }
  Result<BuildFacts> build() { return build_results(journal_folder(target_), target_); }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("builder-test"));
  fs::path target_ = scratch_.path() / "results.h5";
};

TEST_F(ResultsBuilderTest, RootSaysWhatTheFileIs) {
  const ResultsFile file = value_or_throw(ResultsFile::open(target_));
  EXPECT_EQ(file.attribute("format"), "noctune results");
  EXPECT_EQ(file.attribute("campaign"), "example");
  EXPECT_EQ(file.attribute("campaign_uuid"), "run-1");
  EXPECT_EQ(file.attribute("noctune_version"), "0.1.0");
  EXPECT_EQ(file.attribute("config"), example::header().config_json);
  EXPECT_EQ(file.attribute("run_uuid"), "run-1");
  EXPECT_EQ(file.attribute("job_id"), "4711");
  EXPECT_EQ(file.attribute("status"), "finished");
  EXPECT_EQ(file.attribute("started").size(), 20u);
  EXPECT_EQ(file.attribute("finished").size(), 20u);
  EXPECT_EQ(value_or_throw(file.text(file.attribute("config_sha"))), example::header().config_json);
}

TEST_F(ResultsBuilderTest, HotspotsCarryTheirLastWord) {
  const Hdf5Columns rows =
      columns("hotspots", {"name", "verdict", "standalone_speedup", "best_candidate", "best_time"});
  EXPECT_EQ(rows.texts("name"), (std::vector<std::string>{"gemm", "stencil", "broken"}));
  EXPECT_EQ(rows.texts("verdict"), (std::vector<std::string>{"faster", "indistinguishable", "failed"}));
  EXPECT_EQ(rows.numbers("standalone_speedup")[0], 3.98);
  EXPECT_EQ(rows.integers("best_candidate"), (std::vector<long long>{4, -1, -1}));
  EXPECT_TRUE(std::isnan(rows.numbers("best_time")[2]));
}

TEST_F(ResultsBuilderTest, AnEvaluationSpreadsOverItsCases) {
  const Hdf5Columns rows =
      columns("evaluations", {"id", "group", "case", "purpose", "verdict", "build_seconds", "speedup",
                              "total_speedup", "max_error", "diagnostics_sha"});
  EXPECT_EQ(rows.integers("id"), (std::vector<long long>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(rows.integers("group"), (std::vector<long long>{1, 1, 3, 3, 5, 6, 7, 7, 9, 9}));
  EXPECT_EQ(rows.integers("case"), (std::vector<long long>{1, 2, 1, 2, -1, -1, 1, 2, 1, 2}));
  EXPECT_EQ(rows.texts("verdict")[5], "build_failed");
  EXPECT_EQ(rows.texts("purpose")[8], "confirm");
  EXPECT_EQ(rows.numbers("build_seconds")[0], 1.5);
  EXPECT_TRUE(std::isnan(rows.numbers("build_seconds")[1])) << "stage seconds may be summed";
  EXPECT_TRUE(std::isnan(rows.numbers("max_error")[5])) << "what was not checked has no error";
  EXPECT_TRUE(std::isnan(rows.numbers("total_speedup")[5]));
  const ResultsFile file = value_or_throw(ResultsFile::open(target_));
  EXPECT_EQ(value_or_throw(file.text(rows.texts("diagnostics_sha")[5])), "gemm.cpp:1: error: expected ';'");
  EXPECT_FALSE(file.text("no such text"));
}

TEST_F(ResultsBuilderTest, AProfileHasARowForEachMetric) {
  const Hdf5Columns rows = columns("profiles", {"evaluation", "metric", "value", "unit"});
  EXPECT_EQ(rows.texts("metric"), (std::vector<std::string>{"dram_rate", "class:memory"}));
  EXPECT_EQ(rows.numbers("value"), (std::vector<double>{2.5e12, 0.9}));
  EXPECT_EQ(rows.texts("unit")[0], "B/s");
  const Hdf5Columns all = columns("evaluations", {"id", "purpose", "diagnostics_sha"});
  EXPECT_EQ(all.texts("purpose").at(4), "profile");
  EXPECT_EQ(rows.integers("evaluation"), (std::vector<long long>{5, 5}));
  const ResultsFile file = value_or_throw(ResultsFile::open(target_));
  EXPECT_EQ(value_or_throw(file.text(all.texts("diagnostics_sha")[4])), "Bound by memory.");
}

TEST_F(ResultsBuilderTest, SamplesKeepSideAndTurn) {
  const Hdf5Columns rows =
      columns("samples", {"evaluation", "side", "pair", "order", "seconds", "batch", "clock"});
  ASSERT_EQ(rows.rows(), 6u * 8);
  EXPECT_EQ(std::vector<std::string>(rows.texts("side").begin(), rows.texts("side").begin() + 6),
            (std::vector<std::string>{"reference", "reference", "reference", "candidate", "candidate",
                                      "candidate"}));
  EXPECT_EQ(std::vector<long long>(rows.integers("order").begin(), rows.integers("order").begin() + 6),
            (std::vector<long long>{0, 3, 4, 1, 2, 5}));
  EXPECT_EQ(rows.integers("pair")[4], 1);
  EXPECT_EQ(rows.numbers("seconds")[0], 0.004);
  EXPECT_TRUE(std::isnan(rows.numbers("clock")[0]));
}

TEST_F(ResultsBuilderTest, CandidatesKeepLinksAndParameters) {
  const Hdf5Columns links = columns("candidate_links", {"candidate", "other", "relation"});
  EXPECT_EQ(links.integers("candidate"), (std::vector<long long>{2, 3, 4}));
  EXPECT_EQ(links.integers("other"), (std::vector<long long>{1, 1, 2}));
  EXPECT_EQ(links.texts("relation")[0], "base");
  const Hdf5Columns params = columns("params", {"candidate", "evaluation", "name", "value"});
  EXPECT_EQ(params.texts("name"), (std::vector<std::string>{"tile", "unroll"}));
  EXPECT_EQ(params.integers("evaluation")[0], -1);
  const Hdf5Columns rows = columns("candidates", {"strategies", "source_sha", "arm"});
  EXPECT_EQ(rows.texts("strategies")[3], "loop interchange + tiling");
  EXPECT_EQ(value_or_throw(value_or_throw(ResultsFile::open(target_)).text(rows.texts("source_sha")[2])),
            "void gemm() { syntax error }");
}

TEST_F(ResultsBuilderTest, EveryColumnIsExplainedInTheFile) {
  const Hdf5File file = value_or_throw(Hdf5File::open(target_));
  for (const Table& table : schema()) {
    EXPECT_EQ(value_or_throw(file.text_attribute(table.name, "description")), table.description);
    for (const Column& column : table.columns) {
      EXPECT_EQ(value_or_throw(file.text_attribute(table.name, column.name + ".units")), column.unit);
      EXPECT_EQ(value_or_throw(file.text_attribute(table.name, column.name + ".description")),
                column.description);
    }
  }
}

TEST_F(ResultsBuilderTest, BuildingTwiceGivesTheSameRowsAndLeavesNoScraps) {
  const BuildFacts first = value_or_throw(build());
  const BuildFacts second = value_or_throw(build());
  EXPECT_EQ(first.rows, second.rows);
  EXPECT_EQ(first.rows.at("samples"), 48);
  EXPECT_FALSE(fs::exists(target_.string() + ".building"));
}

TEST_F(ResultsBuilderTest, ForeignTargetsAreNeverOverwritten) {
  value_or_throw(write_file(target_, "notes"));
  auto refused = build();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, "it is no HDF5 file");
  EXPECT_EQ(value_or_throw(read_file(target_)), "notes");

  { value_or_throw(value_or_throw(Hdf5File::create(target_)).set_attribute("/", "creator", "another tool")); }
  refused = build();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, "it was not written by Noctune");

  const fs::path other = scratch_.path() / "other.h5";
  auto recorder = value_or_throw(Recorder::open(other, example::header("run-9")));
  value_or_throw(recorder->finish("finished"));
  fs::rename(other, target_);
  refused = build();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().reason.find("another campaign"), std::string::npos);
  fs::remove(target_);
  EXPECT_TRUE(build());
}

TEST_F(ResultsBuilderTest, OddRecordsAreReportedNotFatal) {
  auto journal = value_or_throw(Journal::create(journal_folder(target_), "run-2", 1.9e9));
  value_or_throw(journal->append("run", {{"generation", 2}}));
  value_or_throw(journal->append("evaluations", {{"id", 1}, {"evaluation", {{"verdict", "ok"}}}}));
  value_or_throw(journal->append("evaluations", {{"id", 77}, {"evaluation", {{"verdict", "splendid"}}}}));
  value_or_throw(journal->append("candidates", {{"id", 9}}));
  value_or_throw(journal->append("candidates", {{"id", 1}, {"candidate", to_json(Candidate())}}));
  value_or_throw(journal->append("horoscopes", {{"sign", "bull"}}));
  value_or_throw(journal->append("samples", {{"seconds", 1}}));
  value_or_throw(journal->append("events", {{"text", 5}, {"mood", "good"}}));
  const BuildFacts facts = value_or_throw(build());
  EXPECT_EQ(facts.problems.size(), 7u);
  EXPECT_EQ(facts.rows.at("samples"), 48);
  EXPECT_EQ(facts.rows.at("candidates"), 4);
  EXPECT_NE(facts.problems[0].find("row 1 of /evaluations was recorded before"), std::string::npos)
      << facts.problems[0];
  EXPECT_NE(facts.problems[3].find("row 1 of /candidates was recorded before"), std::string::npos)
      << facts.problems[3];
}

TEST_F(ResultsBuilderTest, ALongConfigGoesToTheTexts) {
  const fs::path target = scratch_.path() / "long.h5";
  RunHeader header = example::header();
  header.config_json = "{\"x\": \"" + std::string(100'000, 'y') + "\"}";
  value_or_throw(value_or_throw(Recorder::open(target, header))->finish("finished"));
  const ResultsFile file = value_or_throw(ResultsFile::open(target));
  EXPECT_EQ(file.attribute("config"), "");
  EXPECT_EQ(value_or_throw(file.text(file.attribute("config_sha"))), header.config_json);
}

TEST_F(ResultsBuilderTest, ColumnsThatAnOlderFileLacksAreUnknown) {
  const std::filesystem::path old = scratch_.path() / "old.h5";
  {
    Hdf5File file = value_or_throw(Hdf5File::create(old));
    value_or_throw(file.set_attribute("/", "format", "noctune results"));
    value_or_throw(file.set_attribute("/", "schema_version", 1LL));
    Hdf5Table table = value_or_throw(file.create_table("hotspots", {{"id", Hdf5Kind::int64}}, 4));
    const long long id = 5;
    value_or_throw(table.append(reinterpret_cast<const char*>(&id), 1));
  }
  const ResultsFile file = value_or_throw(ResultsFile::open(old));
  const Hdf5Columns rows =
      value_or_throw(file.columns("hotspots", {"id", "name", "verdict", "best_time", "rounds"}));
  EXPECT_EQ(rows.integers("id"), (std::vector<long long>{5}));
  EXPECT_EQ(rows.texts("verdict"), (std::vector<std::string>{"none"}));
  EXPECT_EQ(rows.integers("rounds"), (std::vector<long long>{-1}));
  EXPECT_TRUE(std::isnan(rows.numbers("best_time")[0]));
  EXPECT_FALSE(file.columns("hotspots", {"colour"}));
  EXPECT_FALSE(file.columns("horoscopes", {"id"}));
}

TEST_F(ResultsBuilderTest, NoJournalIsAnError) {
  EXPECT_FALSE(build_results(scratch_.path() / "absent", scratch_.path() / "a.h5"));
}

// Fails everything beyond a size, as a full disk does; the old file must survive and the next build work.
TEST_F(ResultsBuilderTest, AFullDiskKeepsTheOldFile) {
  const std::string before = value_or_throw(read_file(target_));
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  for (const rlim_t bytes : {rlim_t{0}, rlim_t{4'000}, rlim_t{40'000}}) {
    const rlimit limit{bytes, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto facts = build();
    ::setrlimit(RLIMIT_FSIZE, &old);
    ASSERT_FALSE(facts) << bytes;
    EXPECT_NE(facts.error().reason.find("File too large"), std::string::npos) << facts.error().text();
    EXPECT_EQ(facts.error().reason.find("time ="), std::string::npos) << facts.error().text();
    for (const auto& open : fs::directory_iterator("/proc/self/fd")) {
      std::error_code ignored;
      EXPECT_EQ(fs::read_symlink(open, ignored).string().find("results.h5"), std::string::npos) << bytes;
    }
    EXPECT_EQ(value_or_throw(read_file(target_)), before);
    EXPECT_FALSE(fs::exists(target_.string() + ".building"));
  }
  std::signal(SIGXFSZ, old_handler);
  EXPECT_TRUE(build());
}

TEST_F(ResultsBuilderTest, AFullTmpfsKeepsTheJournalWhole) {
  const fs::path disk = scratch_.path() / "disk";
  fs::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=256k") != 0)
    GTEST_SKIP() << "mounting a tmpfs needs root";
  const fs::path target = disk / "r.h5";
  long long committed = 0;
  {
    auto recorder = value_or_throw(Recorder::open(target, example::header()));
    while (recorder->sync() && committed < 10'000) {
      recorder->event(0, EventLevel::info, -1, std::string(200, 'e'));
      committed += !recorder->failure();
    }
    EXPECT_NE(recorder->failure()->reason.find("No space left"), std::string::npos)
        << recorder->failure()->text();
    EXPECT_FALSE(recorder->finish("finished"));
  }
  const BuildFacts facts =
      value_or_throw(build_results(journal_folder(target), scratch_.path() / "elsewhere.h5"));
  EXPECT_EQ(facts.rows.at("events"), committed);
  EXPECT_EQ(facts.torn_tails, 0);
  EXPECT_FALSE(build_results(journal_folder(target), target));
  EXPECT_FALSE(fs::exists(target));
  ::umount(disk.c_str());
}

TEST_F(ResultsBuilderTest, ReadersTellWhatIsWrong) {
  const auto reason = [](const fs::path& path) {
    const auto file = ResultsFile::open(path);
    return file ? std::string() : file.error().reason;
  };
  EXPECT_EQ(reason(scratch_.path() / "absent.h5"), "there is no such file");
  EXPECT_EQ(reason(scratch_.path()), "it is a folder");
  const fs::path other = scratch_.path() / "other.h5";
  value_or_throw(write_file(other, "text"));
  EXPECT_EQ(reason(other), "it is no HDF5 file");
  { value_or_throw(value_or_throw(Hdf5File::create(other)).set_attribute("/", "creator", "another tool")); }
  EXPECT_EQ(reason(other), "it was not written by Noctune");
  {
    Hdf5File file = value_or_throw(Hdf5File::create(other));
    value_or_throw(file.set_attribute("/", "format", "noctune results"));
    value_or_throw(file.set_attribute("/", "schema_version", 99LL));
  }
  EXPECT_NE(reason(other).find("newer Noctune"), std::string::npos);
  fs::remove(target_);
  const auto rebuildable = ResultsFile::open(target_);
  ASSERT_FALSE(rebuildable);
  EXPECT_NE(rebuildable.error().hint.find("noctune rebuild"), std::string::npos);
}

}  // namespace
}  // namespace noctune
