#include "integration/file_edits.hpp"

#include <gmock/gmock.h>

namespace noctune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const original = R"(extern "C" void scale(int n, double a, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}
)";
const char* const winner = R"(#include <cmath>
static double fused(double a, double x, double y) { return std::fma(a, x, y); }
extern "C" void scale(int n, double a, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] = fused(a, x[i], y[i]);
}
)";
const char* const file = R"(#include "app.hpp"

static double total;

// One step.
void advance(Grid& grid) {
  total += 1;
  for (int i = 0; i < grid.n; ++i) {
    grid.y[i] += 0.5 * grid.x[i];
  }
  total += 1;
}
)";

PlaceRequest request() {
  PlaceRequest out;
  out.original = original;
  out.winner = winner;
  out.entry = "scale";
  out.file = file;
  return out;
}

std::string block(const std::string& search, const std::string& replace) {
  return "<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n";
}

const std::string loop = "  for (int i = 0; i < grid.n; ++i) {\n    grid.y[i] += 0.5 * grid.x[i];\n  }\n";
const std::string call = "  scale_noctune(grid.n, 0.5, grid.x, grid.y);\n";

std::string refusal(const std::string& answer) {
  const auto edits = read_file_edits(answer);
  if (!edits) return edits.error().text();
  const auto placed = place_by_edits(request(), *edits);
  return placed ? "" : placed.error().text();
}

TEST(FileEdits, AreReadFromAnAnswerWithWordsAndFencesAround) {
  const auto edits =
      read_file_edits("The loop goes.\n```cpp\n" + block("a\n", "b\nc\n") + "```\nAnd:\n" + block("d\n", ""));
  ASSERT_TRUE(edits) << edits.error().text();
  ASSERT_EQ(edits->size(), 2u);
  EXPECT_EQ((*edits)[0].search, "a\n");
  EXPECT_EQ((*edits)[0].replace, "b\nc\n");
  EXPECT_EQ((*edits)[1].search, "d\n");
  EXPECT_EQ((*edits)[1].replace, "");
}

TEST(FileEdits, BrokenAnswersSayWhatIsWrong) {
  EXPECT_THAT(refusal(""), HasSubstr("there are none"));
  EXPECT_THAT(refusal("void f();"), HasSubstr("there are none"));
  EXPECT_THAT(refusal("<<<<<<< SEARCH\n" + loop + "=======\n" + call), HasSubstr("no end"));
  EXPECT_THAT(refusal("<<<<<<< SEARCH\n" + loop), HasSubstr("no end"));
  EXPECT_THAT(refusal(block("", call)), HasSubstr("is empty"));
  EXPECT_THAT(refusal(block("  for (;;) {}\n", call)), HasSubstr("not in the file"));
  EXPECT_THAT(refusal(block("  total += 1;\n", call)), HasSubstr("2 times"));
  EXPECT_THAT(refusal(block(loop, call) + block(loop, call)), HasSubstr("same lines"));
  EXPECT_THAT(refusal(block(loop, "  scale(grid.n, 0.5, grid.x, grid.y);\n")),
              HasSubstr("calls scale_noctune"));
  EXPECT_THAT(refusal(block("static double total;\n", "static double total = scale_noctune;\n")),
              HasSubstr("none of them lies in a function"));
  EXPECT_THAT(refusal(block(loop, call + "  system(\"date\");\n")),
              HasSubstr("which the file itself does not"));
  const std::string own = "static void scale_noctune(int, double, const double*, double*) {}\n";
  EXPECT_THAT(refusal(block("static double total;\n", own) + block(loop, call)), HasSubstr("define"));
}

TEST(FileEdits, TheWinnerStandsAboveTheFunctionThatCallsIt) {
  const auto placed = place_by_edits(request(), *read_file_edits(block(loop, call)));
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_EQ(placed->text, R"(#include "app.hpp"
#include <cmath>

static double total;

static double fused(double a, double x, double y) { return std::fma(a, x, y); }

static void scale_noctune(int n, double a, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] = fused(a, x[i], y[i]);
}

// One step.
void advance(Grid& grid) {
  total += 1;
  scale_noctune(grid.n, 0.5, grid.x, grid.y);
  total += 1;
}
)");
  EXPECT_THAT(placed->broken, HasSubstr("(void)y;"));
  EXPECT_THAT(placed->broken, HasSubstr(call));
  EXPECT_THAT(placed->broken, Not(HasSubstr("fused(a, x[i]")));
  EXPECT_THAT(placed->rule, HasSubstr("1 place"));
}

TEST(FileEdits, IndentationDoesNotMatterAndTheHeadMayChange) {
  const std::string whole =
      "void advance(Grid& grid) {\ntotal += 1;\nfor (int i = 0; i < grid.n; ++i) {\n"
      "grid.y[i] += 0.5 * grid.x[i];\n}\n";
  const auto placed =
      place_by_edits(request(), *read_file_edits(block(whole, "void advance(Grid& grid) {\n" + call)));
  ASSERT_TRUE(placed) << placed.error().text();
  const std::size_t entry = placed->text.find("static void scale_noctune"),
                    user = placed->text.find("void advance");
  EXPECT_LT(entry, user);
  EXPECT_THAT(placed->text, HasSubstr("void advance(Grid& grid) {\n" + call + "  total += 1;\n}\n"));
}

TEST(FileEdits, TheHeadIsTheEntryAsItMayBeCalled) {
  EXPECT_EQ(winner_head(request()).value_or(""),
            "void scale_noctune(int n, double a, const double* x, double* y)");
  PlaceRequest wrong = request();
  wrong.winner = "int nothing;";
  EXPECT_FALSE(winner_head(wrong));
}

}  // namespace
}  // namespace noctune
