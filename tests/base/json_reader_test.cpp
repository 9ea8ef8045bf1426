#include <gmock/gmock.h>

#include "base/json.hpp"

namespace noctune {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class Reading : public testing::Test {
 protected:
  StrictReader reader(const std::string& text, const std::string& pointer = "") {
    document_ = value_or_throw(parse_json(text, "c.json"));
    return StrictReader(document_, pointer);
  }
  // The message with which `read` is refused.
  template <class F>
  static std::string refusal(F&& read) {
    try {
      read();
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), Exit::usage);
      return error.what();
    }
    return "";
  }
  JsonDocument document_;
};

TEST_F(Reading, GivesValuesByKind) {
  StrictReader at = reader(R"({"t": "x", "n": 1.5, "i": 3, "b": true, "l": ["p", "q"], "whole": 2})");
  EXPECT_EQ(at.text("t"), "x");
  EXPECT_EQ(at.number("n"), 1.5);
  EXPECT_EQ(at.number("whole"), 2.0);
  EXPECT_EQ(at.integer("i"), 3);
  EXPECT_TRUE(at.boolean("b"));
  EXPECT_THAT(at.texts("l"), ElementsAre("p", "q"));
  EXPECT_EQ(refusal([&] { at.finish(); }), "");
}

TEST_F(Reading, FallsBackWhereAKeyIsAbsent) {
  StrictReader at = reader("{}");
  EXPECT_EQ(at.text("t", "d"), "d");
  EXPECT_EQ(at.number("n", 2.5), 2.5);
  EXPECT_EQ(at.integer("i", 7), 7);
  EXPECT_TRUE(at.boolean("b", true));
  EXPECT_THAT(at.texts("l", std::vector<std::string>{"d"}), ElementsAre("d"));
  EXPECT_FALSE(at.object("o").has("x"));
  EXPECT_TRUE(at.objects("os").empty());
}

TEST_F(Reading, MissingKeysAreNamed) {
  StrictReader at = reader("{\n\"search\": {\n}\n}", "/search");
  EXPECT_EQ(refusal([&] { at.text("rounds"); }), "c.json:2: search.rounds: is missing");
  EXPECT_THAT(refusal([&] { at.raw("rounds"); }), HasSubstr("is missing"));
  EXPECT_THAT(refusal([&] { at.texts("rounds"); }), HasSubstr("is missing"));
}

TEST_F(Reading, WrongKindsAreNamedWithLineAndKind) {
  StrictReader at =
      reader("{\n\"a\": \"3\",\n\"b\": 1.5,\n\"c\": null,\n\"d\": {},\n\"e\": [1],\n\"f\": true}");
  EXPECT_EQ(refusal([&] { at.integer("a"); }), "c.json:2: a: expected an integer, found a string");
  EXPECT_EQ(refusal([&] { at.integer("b"); }), "c.json:3: b: expected an integer, found a number");
  EXPECT_EQ(refusal([&] { at.text("c"); }), "c.json:4: c: expected a string, found null");
  EXPECT_EQ(refusal([&] { at.number("d"); }), "c.json:5: d: expected a number, found an object");
  EXPECT_EQ(refusal([&] { at.number("f"); }), "c.json:7: f: expected a number, found true or false");
  EXPECT_EQ(refusal([&] { at.boolean("b"); }), "c.json:3: b: expected true or false, found a number");
  EXPECT_THAT(refusal([&] { at.texts("e"); }),
              HasSubstr("c.json:6: e: expected a list of strings, found an integer"));
  EXPECT_THAT(refusal([&] { at.objects("a"); }), HasSubstr("expected a list of objects"));
  EXPECT_EQ(refusal([&] { at.object("a"); }), "c.json:2: a: expected an object, found a string");
}

TEST_F(Reading, AnExplicitNullIsNoAbsence) {
  StrictReader at = reader(R"({"t": null})");
  EXPECT_THAT(refusal([&] { at.text("t", "d"); }), HasSubstr("found null"));
}

TEST_F(Reading, UnknownKeysAreRefusedWithASuggestion) {
  StrictReader at = reader("{\n\"search\": {\n\"ronds\": 3}\n}", "/search");
  at.integer("rounds", 6);
  EXPECT_EQ(refusal([&] { at.finish(); }),
            "c.json:3: search.ronds: unknown key\n  hint: did you mean \"rounds\"?");
}

TEST_F(Reading, UnknownKeysWithoutANeighbourGetTheList) {
  StrictReader at = reader(R"({"banana": 3})");
  at.integer("rounds", 6);
  at.integer("trim", 3);
  EXPECT_THAT(refusal([&] { at.finish(); }), HasSubstr("known keys: rounds, trim"));
}

TEST_F(Reading, AskingMakesAKeyKnown) {
  StrictReader at = reader(R"({"a": {"x": 1}, "b": [], "c": 1})");
  at.object("a");
  at.objects("b");
  at.raw("c");
  EXPECT_EQ(refusal([&] { at.finish(); }), "");
}

TEST_F(Reading, ListsOfObjectsKnowTheirPlace) {
  StrictReader at = reader("{\"hotspots\": [\n{\"name\": \"a\"},\n{\"nam\": \"b\"}]}");
  auto items = at.objects("hotspots");
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].text("name"), "a");
  items[1].text("name", "");
  EXPECT_THAT(refusal([&] { items[1].finish(); }),
              AllOf(HasSubstr("c.json:3: hotspots.1.nam"), HasSubstr("\"name\"")));
}

TEST_F(Reading, NonObjectsInAListOfObjectsAreNamed) {
  StrictReader at = reader("{\"hotspots\": [\n3]}");
  EXPECT_THAT(refusal([&] { at.objects("hotspots"); }), HasSubstr("expected an object, found an integer"));
}

TEST_F(Reading, AFileThatIsNoObjectIsRefused) {
  EXPECT_EQ(refusal([&] { reader("[1]"); }), "c.json:1: the file: expected an object, found a list");
}

TEST_F(Reading, ValuesFromTheCommandLineSaySo) {
  document_ = value_or_throw(parse_json("{\"search\": {\"rounds\": 6}}", "c.json"));
  ASSERT_TRUE(apply_override(document_, "search.rounds=many"));
  StrictReader at(document_, "/search");
  EXPECT_EQ(refusal([&] { at.integer("rounds"); }),
            "c.json (--set): search.rounds: expected an integer, found a string");
}

TEST_F(Reading, ComplaintsCarryReasonAndHint) {
  StrictReader at = reader("{\n\"trim\": 20}");
  at.integer("trim");
  EXPECT_EQ(refusal([&] { at.complain("trim", "is too large", "choose repeats > 2 trim"); }),
            "c.json:2: trim: is too large\n  hint: choose repeats > 2 trim");
}

}  // namespace
}  // namespace noctune
