#include "base/json.hpp"

#include <gmock/gmock.h>

namespace noctune {
namespace {

using testing::HasSubstr;

JsonDocument parsed(const std::string& text) {
  return value_or_throw(parse_json(text, "c.json"));
}
std::string refusal(const std::string& text) {
  const auto result = parse_json(text, "c.json");
  return result ? "" : result.error().text();
}

TEST(Json, RemembersTheLineOfEveryValue) {
  const JsonDocument document =
      parsed("{\n \"a\": 1,\n \"b\": {\n  \"c\": [\n   1,\n   {\"d\":\n 2}]\n }\n}\n");
  EXPECT_EQ(document.line_of(""), 1);
  EXPECT_EQ(document.line_of("/a"), 2);
  EXPECT_EQ(document.line_of("/b/c"), 4);
  EXPECT_EQ(document.line_of("/b/c/0"), 5);
  EXPECT_EQ(document.line_of("/b/c/1/d"), 6);
}

TEST(Json, UnknownPlacesTakeTheLineOfWhatHoldsThem) {
  const JsonDocument document = parsed("{\n\"a\": {\n}\n}");
  EXPECT_EQ(document.line_of("/a/missing/deep"), 2);
}

TEST(Json, KeysWithSlashesAndTildesHaveLines) {
  const JsonDocument document = parsed("{\n\"a/b~c\": 1}");
  EXPECT_EQ(document.line_of("/a~1b~0c"), 2);
}

TEST(Json, KeepsTheOrderOfKeys) {
  const JsonDocument document = parsed(R"({"z": 1, "a": 2, "m": 3})");
  EXPECT_EQ(document.root.dump(), R"({"z":1,"a":2,"m":3})");
}

TEST(Json, AllowsComments) {
  const JsonDocument document = parsed("// first\n{ /* two\nlines */ \"a\": 1 // end\n}\n");
  EXPECT_EQ(document.root["a"], 1);
  EXPECT_EQ(document.line_of("/a"), 3);
}

TEST(Json, RefusesDuplicateKeysWithTheirLine) {
  EXPECT_THAT(refusal("{\n\"a\": 1,\n\"b\": 2,\n\"a\": 3}"),
              HasSubstr("line 4: the key \"a\" appears twice"));
  EXPECT_EQ(refusal(R"({"x": {"a": 1}, "y": {"a": 1}})"), "");
}

TEST(Json, SaysWhereTheTextBreaks) {
  const std::string text = refusal("{\n\"a\": 1,\n\"b\": oops\n}");
  EXPECT_THAT(text, HasSubstr("c.json"));
  EXPECT_THAT(text, HasSubstr("line 3"));
  EXPECT_THAT(text, HasSubstr("comments are allowed"));
}

TEST(Json, RefusesWhatIsNoWholeDocument) {
  for (const char* text :
       {"", "   ", "{", "{\"a\": }", "[1, 2", "{} {}", "{\"a\": 1,}", "nul", "\"\xff\"", "/* open"})
    EXPECT_NE(refusal(text), "") << text;
}

TEST(Json, ReadsFilesAndNamesThem) {
  const auto missing = read_json("/not/there.json");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().text(), HasSubstr("/not/there.json"));
}

class Override : public testing::Test {
 protected:
  std::string set(const std::string& assignment) {
    const auto done = apply_override(document_, assignment);
    return done ? "" : done.error().text();
  }
  JsonDocument document_ = parsed(R"({"search": {"rounds": 6}, "hotspots": [{"entry": "a"}], "name": "x"})");
};

TEST_F(Override, ReplacesNestedValues) {
  EXPECT_EQ(set("search.rounds=3"), "");
  EXPECT_EQ(document_.root["search"]["rounds"], 3);
  EXPECT_EQ(document_.line_of("/search/rounds"), 0);  // no line of the file any more
}

TEST_F(Override, AddsWhatIsMissing) {
  EXPECT_EQ(set("platform.backend=openmp"), "");
  EXPECT_EQ(document_.root["platform"]["backend"], "openmp");
}

TEST_F(Override, TakesJsonElseAString) {
  EXPECT_EQ(set("name=[1, 2]"), "");
  EXPECT_EQ(document_.root["name"].size(), 2U);
  EXPECT_EQ(set("name=a=b"), "");
  EXPECT_EQ(document_.root["name"], "a=b");
  EXPECT_EQ(set("name=\"7\""), "");
  EXPECT_EQ(document_.root["name"], "7");
  EXPECT_EQ(set("name="), "");
  EXPECT_EQ(document_.root["name"], "");
}

TEST_F(Override, ReachesIntoLists) {
  EXPECT_EQ(set("hotspots.0.entry=gemm"), "");
  EXPECT_EQ(document_.root["hotspots"][0]["entry"], "gemm");
  EXPECT_THAT(set("hotspots.1.entry=gemm"), HasSubstr("not a position"));
  EXPECT_THAT(set("hotspots.x.entry=gemm"), HasSubstr("count from 0"));
  EXPECT_THAT(set("hotspots.-1.entry=gemm"), HasSubstr("not a position"));
}

TEST_F(Override, RefusesWhatIsNoAssignment) {
  EXPECT_THAT(set("search.rounds"), HasSubstr("key=value"));
  EXPECT_THAT(set("=3"), HasSubstr("key=value"));
  EXPECT_THAT(set(""), HasSubstr("key=value"));
  EXPECT_THAT(set("name.first=3"), HasSubstr("not an object"));
}

TEST_F(Override, ForgetsTheLinesOfWhatItReplaced) {
  document_ = parsed("{\n\"a\": {\n\"b\": 1},\n\"ab\": 2}");
  EXPECT_EQ(set("a={\"b\": 5}"), "");
  EXPECT_EQ(document_.line_of("/a/b"), 0);
  EXPECT_EQ(document_.line_of("/ab"), 4);
}

TEST(Closest, FindsTypingErrorsOnly) {
  const std::vector<std::string> known{"rounds", "repeats", "trim"};
  EXPECT_EQ(closest("round", known), "rounds");
  EXPECT_EQ(closest("ruonds", known), "rounds");
  EXPECT_EQ(closest("trm", known), "trim");
  EXPECT_EQ(closest("temperature", known), "");
  EXPECT_EQ(closest("rounds", {}), "");
}

}  // namespace
}  // namespace noctune
