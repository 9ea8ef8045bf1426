#include "coordinator/patterns/summary_answer.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/json.hpp"
#include "coordinator/patterns/feature_words.hpp"

namespace noctune {
namespace {

Json entry(const std::string& name = "Row blocking") {
  return {{"name", name},
          {"category", "tiling"},
          {"when", {{"backend", "openmp"}, {"loop_depth", ">=2"}}},
          {"what", "Work on a few rows at a time."},
          {"pitfalls", "Spills."},
          {"gain", "3x"},
          {"status", "admitted"},
          {"revision", 1000}};
}

std::string fenced(const Json& json) {
  return "Here is what worked.\n```json\n" + json.dump(1) + "\n```\nGood luck!";
}

TEST(SummaryAnswer, ReadsAFencedBlockBetweenProse) {
  const auto patterns = value_or_throw(read_patterns(fenced({{"patterns", {entry()}}})));
  ASSERT_EQ(patterns.size(), 1U);
  EXPECT_EQ(patterns[0].name, "row-blocking");
  EXPECT_EQ(patterns[0].when.at("loop_depth"), ">=2");
  EXPECT_EQ(patterns[0].what, "Work on a few rows at a time.");
}

TEST(SummaryAnswer, ClaimsOfTheModelAreIgnored) {
  const auto patterns = value_or_throw(read_patterns(fenced({{"patterns", {entry()}}})));
  EXPECT_EQ(patterns[0].status, PatternStatus::draft);
  EXPECT_EQ(patterns[0].revision, 0);
}

TEST(SummaryAnswer, ListsSingleObjectsAndBareJsonAreFine) {
  const Json list = Json::array({entry("a"), entry("b")});
  EXPECT_EQ(value_or_throw(read_patterns(fenced(list))).size(), 2U);
  EXPECT_EQ(value_or_throw(read_patterns("Sure: " + list.dump() + " Done.")).size(), 2U);
  EXPECT_EQ(value_or_throw(read_patterns(entry().dump())).size(), 1U);
  EXPECT_EQ(value_or_throw(read_patterns("```cpp\nint x;\n```\n" + fenced(list))).size(), 2U);
  EXPECT_EQ(value_or_throw(read_patterns(fenced({{"patterns", Json::array()}}))).size(), 0U);
}

TEST(SummaryAnswer, ConditionsMayBeNumbersAndTruths) {
  Json one = entry();
  one["when"] = {{"stencil", true}, {"loop_depth", 3}};
  const auto patterns = value_or_throw(read_patterns(fenced(one)));
  EXPECT_EQ(patterns[0].when, (std::map<std::string, std::string>{{"loop_depth", "3"}, {"stencil", "yes"}}));
}

TEST(SummaryAnswer, BadEntriesAreLeftOutWithTheReason) {
  Json colour = entry("b"), endless = entry("c"), nameless = entry("?!");
  colour["when"] = {{"colour", "red"}};
  endless["what"] = std::string(1025, 'x');
  Json lacking = entry("d");
  lacking.erase("what");
  std::vector<std::string> problems;
  const auto patterns = value_or_throw(
      read_patterns(fenced({{"patterns", {entry("a"), colour, endless, nameless, lacking, 7}}}), &problems));
  ASSERT_EQ(patterns.size(), 1U);
  ASSERT_EQ(problems.size(), 5U);
  EXPECT_NE(problems[0].find("pattern 2: "), std::string::npos);
  EXPECT_NE(problems[0].find("no feature \"colour\""), std::string::npos);
  EXPECT_NE(problems[1].find("\"what\" is too long"), std::string::npos);
  EXPECT_NE(problems[3].find("\"what\" is missing"), std::string::npos);
}

TEST(SummaryAnswer, NothingUsableIsAnError) {
  EXPECT_FALSE(read_patterns(""));
  EXPECT_FALSE(read_patterns("I cannot help with that."));
  EXPECT_FALSE(read_patterns("```json\n{\"patterns\": [\n"));
  EXPECT_FALSE(read_patterns(fenced({{"patterns", {7}}})));
  EXPECT_FALSE(read_patterns(std::string(300 << 10, '[')));
}

TEST(SummaryAnswer, MoreThanEightAreNotRead) {
  Json list = Json::array();
  for (int i = 0; i < 100; ++i) list.push_back(entry("p" + std::to_string(i)));
  std::vector<std::string> problems;
  EXPECT_EQ(value_or_throw(read_patterns(fenced(list), &problems)).size(), most_patterns_per_answer);
  EXPECT_EQ(problems.size(), 1U);
}

TEST(SummaryAnswer, HostileTextsAreSurvived) {
  const std::string deep(100000, '['), closed = deep + std::string(100000, ']');
  EXPECT_FALSE(read_patterns("{\"patterns\": " + closed + "}"));
  EXPECT_FALSE(read_patterns("{\"name\": \"x\", \"category\": \"y\", \"when\": " + closed + "}"));
  const std::string good = fenced({{"patterns", {entry()}}});
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    for (int k = 0; k < 3; ++k) text[random() % text.size()] = static_cast<char>(random() % 256);
    const auto patterns = read_patterns(text.substr(0, 1 + random() % text.size()));
    EXPECT_LE(patterns ? patterns->size() : 0, 1U);
  }
}

TEST(SummaryAnswer, TheSchemaNamesEveryFeature) {
  const Json schema = Json::parse(pattern_schema_text());
  const Json& when = schema["properties"]["patterns"]["items"]["properties"]["when"]["properties"];
  for (const std::string& name : feature_names()) EXPECT_TRUE(when.contains(name)) << name;
}

}  // namespace
}  // namespace noctune
