#include "coordinator/patterns/pattern_library.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "coordinator/patterns/known.hpp"
#include "coordinator/patterns/library_lines.hpp"
#include "model/pattern_json.hpp"

namespace noctune {
namespace {

using namespace patterns_test;

std::string described(const std::vector<KnownPattern>& patterns) {
  Json out = Json::array();
  for (const KnownPattern& known : patterns) {
    Json one{{"pattern", to_json(known.pattern)}, {"evidence", Json::array()}, {"trials", Json::array()}};
    for (const PatternEvidence& evidence : known.evidence) one["evidence"].push_back(to_json(evidence));
    for (const PatternTrial& trial : known.trials) one["trials"].push_back(to_json(trial));
    out.push_back(one);
  }
  return out.dump(1);
}

PatternTrial trial(const std::string& name, const std::string& slot, bool used = false,
                   const std::string& outcome = "") {
  return {name, "campaign", "gemm", slot, used, outcome};
}

class PatternLibraryTest : public testing::Test {
 protected:
  PatternLibrary open(const std::string& run = "") {
    return value_or_throw(PatternLibrary::open(folder_, run));
  }
  void write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories(folder_);
    value_or_throw(write_file(folder_ / file, text));
  }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("patterns-test"));
  std::filesystem::path folder_ = scratch_.path() / "library";
};

TEST_F(PatternLibraryTest, WhatOneRunWritesAnotherReads) {
  PatternLibrary mine = open("run-1");
  Pattern tiling = pattern("tiling", {{"backend", "openmp"}, {"loop_depth", ">=2"}});
  tiling.pitfalls = "line\nbreaks, \"quotes\" and \xc3\xa9";
  tiling.drafted_on = "gemm";
  EXPECT_EQ(value_or_throw(mine.add(tiling)), "tiling");
  value_or_throw(mine.add(use("tiling", "atax", 0.25, true)));
  value_or_throw(mine.add_trial(trial("tiling", "plan/1")));
  const PatternLibrary other = open();
  EXPECT_TRUE(other.problems().empty());
  EXPECT_EQ(described(other.patterns()), described(mine.patterns()));
  ASSERT_EQ(other.patterns().size(), 1U);
  EXPECT_EQ(other.patterns()[0].pattern.pitfalls, tiling.pitfalls);
  EXPECT_EQ(other.patterns()[0].pattern.status, PatternStatus::admitted);
  EXPECT_EQ(other.patterns()[0].evidence[0].features, use("tiling", "atax", 0, true).features);
}

TEST_F(PatternLibraryTest, FilesOfSeveralRunsAddUp) {
  PatternLibrary first = open("run-1"), second = open("run-2");
  value_or_throw(first.add(pattern("tiling")));
  value_or_throw(second.add(use("tiling", "atax", 0.5, true)));
  value_or_throw(second.add(use("tiling", "bicg", 0.5, true)));
  ASSERT_EQ(open().patterns().size(), 1U);
  EXPECT_EQ(open().patterns()[0].evidence.size(), 2U);
  EXPECT_EQ(open().patterns()[0].pattern.status, PatternStatus::admitted);
}

TEST_F(PatternLibraryTest, ToReadAFolderThatIsNotThereIsAnError) {
  const auto library = PatternLibrary::open(folder_, "");
  ASSERT_FALSE(library);
  EXPECT_NE(library.error().text().find(folder_.string()), std::string::npos);
  EXPECT_FALSE(PatternLibrary::open(folder_, "../elsewhere"));
}

TEST_F(PatternLibraryTest, WithoutAFolderEverythingStaysInMemory) {
  PatternLibrary library = value_or_throw(PatternLibrary::open({}, "run-1"));
  value_or_throw(library.add(pattern("tiling")));
  EXPECT_EQ(library.patterns().size(), 1U);
}

TEST_F(PatternLibraryTest, TheSameFactsInAnyOrderMakeTheSameState) {
  std::vector<std::string> lines;
  Pattern later = pattern("tiling", {{"dtype", "f64"}});
  later.revision = 3;
  Pattern rival = pattern("jam");
  rival.what = "another text of the same revision";
  for (const Pattern& one : {pattern("tiling"), later, pattern("jam"), rival, pattern("simd")})
    lines.push_back(line_of(one));
  for (const PatternEvidence& one : {use("tiling", "a", 0.5, true), use("tiling", "b", 0.5, true),
                                     use("tiling", "b", 0.4, true), use("simd", "a", 0, false)})
    lines.push_back(line_of(one));
  for (const PatternTrial& one :
       {trial("simd", "1"), trial("simd", "1", true), trial("simd", "1", true, "ok"), trial("jam", "2")})
    lines.push_back(line_of(one));
  std::mt19937 random(7);
  std::string expected;
  for (int round = 0; round < 50; ++round) {
    std::shuffle(lines.begin(), lines.end(), random);
    PatternState state;
    std::vector<std::string> problems;
    for (const std::string& line : lines) read_lines(line, "f", state, problems);
    EXPECT_TRUE(problems.empty());
    if (expected.empty()) expected = described(state.patterns());
    ASSERT_EQ(described(state.patterns()), expected) << "round " << round;
  }
  PatternState state;
  std::vector<std::string> problems;
  for (const std::string& line : lines) read_lines(line + line, "f", state, problems);  // told twice
  EXPECT_EQ(described(state.patterns()), expected);
  ASSERT_EQ(state.patterns().size(), 3U);
  EXPECT_EQ(state.patterns()[2].pattern.revision, 3);
  EXPECT_EQ(state.patterns()[2].evidence.size(), 2U);
  ASSERT_EQ(state.patterns()[1].trials.size(), 1U);
  EXPECT_EQ(state.patterns()[1].trials[0].outcome, "ok");
}

TEST_F(PatternLibraryTest, ATornTailIsIgnoredAndTheNextLineIsWhole) {
  const std::string whole = line_of(pattern("tiling")), torn = line_of(pattern("simd"));
  for (std::size_t length = 0; length < torn.size(); ++length) {
    write("old.jsonl", whole + torn.substr(0, length));
    ASSERT_EQ(open().patterns().size(), 1U) << length;
    ASSERT_TRUE(open().problems().empty()) << length;
  }
  write("old.jsonl", whole + torn.substr(0, 20));
  PatternLibrary mine = open("old");  // the same run goes on
  value_or_throw(mine.add(pattern("jam")));
  EXPECT_EQ(open().patterns().size(), 2U);
  EXPECT_EQ(open().problems().size(), 1U);  // the torn line is a malformed one now
}

TEST_F(PatternLibraryTest, MalformedLinesAreReportedAndLeftOut) {
  write("bad.jsonl", line_of(pattern("tiling")) + "// a comment\n\n" + "{\"pattern\": 1}\n" + "not JSON\n" +
                         "{\"pattern\": {\"name\": \"x\", \"when\": {\"colour\": \"red\"}}}\n" +
                         "{\"pattern\": {\"name\": \"\"}}\n" + "{\"surprise\": {}}\n" +
                         "{\"evidence\": {\"pattern\": \"tiling\", \"log_ratio\": \"high\"}}\n" +
                         std::string(longest_line + 1, 'x') + "\n" + line_of(pattern("simd")));
  write("other.txt", "not ours\n");
  const PatternLibrary library = open();
  EXPECT_EQ(library.patterns().size(), 2U);
  ASSERT_EQ(library.problems().size(), 7U);
  EXPECT_EQ(library.problems()[0].rfind("bad.jsonl:4: ", 0), 0U) << library.problems()[0];
  EXPECT_NE(library.problems()[2].find("no feature \"colour\""), std::string::npos);
}

TEST_F(PatternLibraryTest, RubbishMakesAShortReport) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "rubbish\n";
  write("bad.jsonl", text);
  EXPECT_EQ(open().problems().size(), 21U);
  EXPECT_EQ(open().problems().back(), "bad.jsonl: 4980 more malformed lines");
}

TEST_F(PatternLibraryTest, FrozenItWritesButOffersNothingNew) {
  PatternLibrary mine = open("run-1");
  value_or_throw(mine.add(pattern("tiling")));
  const std::string before = described(mine.patterns());
  mine.freeze();
  value_or_throw(mine.add(pattern("simd")));
  value_or_throw(mine.add(use("tiling", "a", 0.5, true)));
  value_or_throw(mine.add(use("tiling", "b", 0.5, true)));
  value_or_throw(mine.add_trial(trial("tiling", "1")));
  EXPECT_EQ(described(mine.patterns()), before);
  EXPECT_EQ(open().patterns().size(), 2U);
  EXPECT_EQ(open().patterns()[1].pattern.status, PatternStatus::admitted);
}

TEST_F(PatternLibraryTest, NamesAreKeptApart) {
  PatternLibrary mine = open("run-1");
  EXPECT_EQ(value_or_throw(mine.add(pattern("tiling"))), "tiling");
  EXPECT_EQ(value_or_throw(mine.add(pattern("tiling"))), "tiling");
  Pattern other = pattern("tiling");
  other.what = "something else";
  const std::string name = value_or_throw(mine.add(other));
  EXPECT_EQ(name.rfind("tiling-", 0), 0U);
  EXPECT_EQ(name.size(), std::string("tiling-").size() + 6);
  EXPECT_EQ(value_or_throw(mine.add(other)), name);  // the same again
  EXPECT_EQ(open().patterns().size(), 2U);
  other.revision = 1;
  EXPECT_EQ(value_or_throw(mine.add(other)), "tiling");  // a later text of the first
  EXPECT_EQ(open().patterns()[0].pattern.what, "something else");
}

TEST_F(PatternLibraryTest, WhatCannotBeKeptIsRefused) {
  PatternLibrary mine = open("run-1");
  EXPECT_FALSE(mine.add(pattern("")));
  EXPECT_FALSE(mine.add(pattern("x", {{"colour", "red"}})));
  Pattern endless = pattern("endless");
  endless.what = std::string(longest_line, 'x');
  EXPECT_FALSE(mine.add(endless));
}

}  // namespace
}  // namespace noctune
