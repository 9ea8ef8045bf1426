#include "evaluator/profile/csv.hpp"

#include <gmock/gmock.h>

#include <random>

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CsvTable table(const std::string& text, const std::string& row_starts = "\"") {
  const auto found = read_csv_table(text, "ID", row_starts, "the table");
  EXPECT_TRUE(found) << (found ? "" : found.error().text());
  return found.value_or(CsvTable{});
}

std::string problem(const std::string& text, const std::string& row_starts = "\"") {
  const auto found = read_csv_table(text, "ID", row_starts, "the table");
  return found ? "" : found.error().text();
}

TEST(CsvTable, KeepsCommasQuotesAndLineEndsWithinQuotes) {
  const CsvTable found =
      table("\"ID\",\"Name\"\n\"0\",\"k<\"\"a\"\">(int, float)\"\r\n\"1\",\"two\nlines\"\n");
  EXPECT_THAT(found.header, ElementsAre("ID", "Name"));
  ASSERT_EQ(found.records.size(), 2u);
  EXPECT_THAT(found.records[0], ElementsAre("0", "k<\"a\">(int, float)"));
  EXPECT_THAT(found.records[1], ElementsAre("1", "two\nlines"));
}

TEST(CsvTable, PassesOverWhatStandsAroundItsRows) {
  const std::string text =
      "==PROF== \"quoted\nMy \"ID\nID of the run: 3 \"\n\"ID\",\"n\"\nstep 1, \"\n\"0\",\"7\"\n\n==PROF== "
      "x\n";
  const auto found = read_csv_table(text, "ID\"", "\"", "the table");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->records.size(), 1u);
  EXPECT_THAT(found->records[0], ElementsAre("0", "7"));
}

TEST(CsvTable, TakesARepeatedHeaderForNoRow) {
  EXPECT_EQ(table("\"ID\",\"n\"\n\"0\",\"7\"\n\"ID\",\"n\"\n\"1\",\"8\"\n").records.size(), 2u);
}

TEST(CsvTable, SaysThatItWasCutOff) {
  const std::string whole = "\"ID\",\"n\",\"m\"\n\"0\",\"7\",\"8\"\n";
  EXPECT_THAT(problem(whole), IsEmpty());
  EXPECT_THAT(problem(whole.substr(0, whole.size() - 1)), IsEmpty());
  EXPECT_THAT(problem(whole.substr(0, whole.size() - 2)), HasSubstr("the table is cut off"));
  EXPECT_THAT(problem(whole.substr(0, whole.size() - 5)), HasSubstr("record 1"));
  EXPECT_THAT(problem("ID,n\n0,12", "0123456789"), HasSubstr("cut off"));
  EXPECT_THAT(problem("ID,n\n0,12\n", "0123456789"), IsEmpty());
  EXPECT_THAT(problem("\"ID\",\"Na"), HasSubstr("cut off"));
}

TEST(CsvTable, SaysThatThereIsNone) {
  EXPECT_THAT(problem(""), HasSubstr("holds no table"));
  EXPECT_THAT(problem("==ERROR== something\n"), HasSubstr("no line starts with ID"));
}

TEST(CsvTable, SurvivesNoise) {
  std::mt19937 random(7);
  const std::string letters = "\",\n\r0aID=( ";
  for (int i = 0; i < 3000; ++i) {
    std::string text = "\"ID\",\"n\"\n";
    for (int k = 0; k < 40; ++k) text += letters[random() % letters.size()];
    const auto found = read_csv_table(text, "ID\"", "\"", "the table");
    if (!found) continue;
    for (const CsvRecord& record : found->records) EXPECT_EQ(record.size(), found->header.size());
  }
}

TEST(CsvNumber, ReadsWhatProfilersWrite) {
  EXPECT_DOUBLE_EQ(*csv_number("22,310.13"), 22310.13);
  EXPECT_DOUBLE_EQ(*csv_number("2,541,272,727,272.73"), 2541272727272.73);
  EXPECT_DOUBLE_EQ(*csv_number("4.34259040e-02"), 0.0434259040);
  EXPECT_DOUBLE_EQ(*csv_number("-3"), -3);
  EXPECT_DOUBLE_EQ(*csv_number(" 12 (4; 8)"), 12);
}

TEST(CsvNumber, TakesNothingElseForANumber) {
  for (const char* text : {"", "n/a", "nan", "-nan", "inf", "all", "(1024, 1, 1)", "12 %", "0x7f", "1e999"})
    EXPECT_FALSE(csv_number(text)) << text;
}

}  // namespace
}  // namespace noctune
