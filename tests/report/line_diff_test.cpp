#include "report/line_diff.hpp"

#include <gtest/gtest.h>

#include <random>

namespace noctune {
namespace {

// One side of a diff, as text.
std::string side(const std::vector<DiffLine>& lines, LineChange left_out) {
  std::string out;
  for (const DiffLine& line : lines)
    if (line.change != left_out) out += line.text + "\n";
  return out;
}

std::size_t edits(const std::vector<DiffLine>& lines) {
  std::size_t out = 0;
  for (const DiffLine& line : lines) out += line.change != LineChange::kept;
  return out;
}

TEST(LineDiff, EqualTextsHaveNoDiff) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n", "x", "y"), "");
  EXPECT_EQ(unified_diff("", "", "x", "y"), "");
}

TEST(LineDiff, WritesWhatPatchReads) {
  EXPECT_EQ(unified_diff("a\nb\nc\n", "a\nB\nc\n", "a/k.cpp", "b/k.cpp"),
            "--- a/k.cpp\n+++ b/k.cpp\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  EXPECT_EQ(unified_diff("", "new\n", "a", "b"), "--- a\n+++ b\n@@ -0,0 +1,1 @@\n+new\n");
  EXPECT_EQ(unified_diff("old\n", "", "a", "b"), "--- a\n+++ b\n@@ -1,1 +0,0 @@\n-old\n");
}

TEST(LineDiff, FarChangesAreTwoHunks) {
  std::string before, after;
  for (int i = 1; i <= 20; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 2 || i == 18 ? "new" : std::to_string(i)) + "\n";
  }
  const std::vector<DiffHunk> hunks = diff_hunks(line_diff(before, after), 3);
  ASSERT_EQ(hunks.size(), 2U);
  EXPECT_EQ(hunks[0].before_line, 1U);
  EXPECT_EQ(hunks[0].before_count, 5U);
  EXPECT_EQ(hunks[1].before_line, 15U);
  EXPECT_EQ(hunks[1].after_count, 6U);
}

TEST(LineDiff, FindsTheShortestScript) {
  // The example of Myers' paper: five edits turn ABCABBA into CBABAC.
  EXPECT_EQ(edits(line_diff("A\nB\nC\nA\nB\nB\nA\n", "C\nB\nA\nB\nA\nC\n")), 5U);
}

TEST(LineDiff, BothSidesComeBackForAnyTexts) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    std::string texts[2];
    for (std::string& text : texts)
      for (int n = static_cast<int>(random() % 30); n > 0; --n)
        text += std::string(1, "abcd"[random() % 4]) + "\n";
    const std::vector<DiffLine> lines = line_diff(texts[0], texts[1]);
    EXPECT_EQ(side(lines, LineChange::added), texts[0]);
    EXPECT_EQ(side(lines, LineChange::removed), texts[1]);
  }
}

TEST(LineDiff, TextsWithNothingInCommonAreTwoBlocks) {
  std::string before, after;
  for (int i = 0; i < 3000; ++i) {
    before += "b" + std::to_string(i) + "\n";
    after += "a" + std::to_string(i) + "\n";
  }
  const std::vector<DiffLine> lines = line_diff(before, after);
  EXPECT_EQ(lines.size(), 6000U);
  EXPECT_EQ(side(lines, LineChange::removed), after);
}

}  // namespace
}  // namespace noctune
