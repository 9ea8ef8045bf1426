#include "coordinator/prompts/plan_reply.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace noctune {
namespace {

using testing::HasSubstr;

constexpr const char* entry =
    R"({"name": "tiles", "mechanism": "tiling", "what": "Tile i and j.", "counter": "L2 misses down",
        "expected_gain": 1.5, "risk": "edges", "patterns": ["P3", 7], "radical": true, "combines": false})";

std::string fenced_json(const std::string& text) {
  return "Here is the plan.\n```json\n" + text + "\n```\nGood luck!\n";
}

TEST(ReadPlan, ReadsEveryField) {
  const auto plan = read_plan(fenced_json(std::string("{\"hypotheses\": [") + entry + "]}"));
  ASSERT_TRUE(plan) << plan.error().text();
  ASSERT_EQ(plan->size(), 1u);
  const Hypothesis& one = plan->front();
  EXPECT_EQ(one.name, "tiles");
  EXPECT_EQ(one.mechanism, "tiling");
  EXPECT_EQ(one.what, "Tile i and j.");
  EXPECT_EQ(one.counter, "L2 misses down");
  EXPECT_DOUBLE_EQ(one.expected_gain, 1.5);
  EXPECT_EQ(one.risk, "edges");
  EXPECT_EQ(one.patterns, (std::vector<std::string>{"3", "7"}));
  EXPECT_TRUE(one.radical);
  EXPECT_FALSE(one.combines);
}

TEST(ReadPlan, IsTolerantOfForm) {
  const std::string e = entry;
  for (const std::string& text :
       {fenced_json("[" + e + "]"), fenced_json("[" + e + ",]"),
        fenced_json("// ideas\n[" + e + ", /* last */ ]"), fenced_json(e),
        "Plan: {\"plan\": {\"hypotheses\": [" + e + "]}} as asked", "~~~\n[" + e + "]\n~~~",
        "<think>{\"name\": 1}</think>[" + e + "]", "{\"hypotheses\": [" + e + "]}", "```json\n[" + e + "]",
        fenced_json("{\"note\": \"a } here\", \"hypotheses\": [" + e + "]}"),
        "for (i) { x; } then [" + e + "]"}) {
    const auto plan = read_plan(text);
    ASSERT_TRUE(plan) << text << plan.error().text();
    ASSERT_EQ(plan->size(), 1u) << text;
    EXPECT_EQ(plan->front().name, "tiles");
  }
}

TEST(ReadPlan, TakesGainsInManyForms) {
  const auto gain = [](const std::string& value) {
    const auto plan = read_plan(R"([{"name": "a", "mechanism": "algorithm", "what": "b", "expected_gain": )" +
                                value + "}]");
    return plan ? plan->front().expected_gain : -1;
  };
  for (const char* text : {"1.3", "\"1.3x\"", "\"30 %\"", "0.3", "\"about 30%\""})
    EXPECT_NEAR(gain(text), 1.3, 1e-9) << text;
  EXPECT_EQ(gain("\"unknown\""), 1);
  EXPECT_EQ(gain("null"), 1);
  EXPECT_EQ(gain("1e300"), 1000);
}

TEST(ReadPlan, IsStrictAboutMeaning) {
  const auto plan = read_plan(
      std::string("[{\"name\": \"x\", \"mechanism\": \"magic\", \"what\": \"y\"}, 3, ") + entry + "]");
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->size(), 1u);
  const auto bad = [](const std::string& text) {
    const auto read = read_plan(text);
    EXPECT_FALSE(read) << text;
    return read ? std::string() : read.error().text();
  };
  EXPECT_THAT(bad(R"([{"name": "x", "mechanism": "magic", "what": "y"}])"), HasSubstr("\"magic\""));
  EXPECT_THAT(bad(R"([{"name": "x", "mechanism": "tiling"}])"), HasSubstr("`what`"));
  EXPECT_THAT(bad(R"([{"mechanism": "tiling", "what": "y"}])"), HasSubstr("no name"));
  EXPECT_THAT(bad("I would tile it."), HasSubstr("JSON"));
  EXPECT_THAT(bad(""), HasSubstr("JSON"));
  EXPECT_THAT(bad("{\"hypotheses\": []}"), HasSubstr("the list is empty"));
  EXPECT_THAT(bad("[{\"name\": \"x\", \"mech"), HasSubstr("JSON"));
}

TEST(Mechanisms, AreRecognisedByWhatTheyMean) {
  EXPECT_EQ(mechanism_from("Parallelism and launch"), "parallelism");
  EXPECT_EQ(mechanism_from("memory access"), "memory access");
  EXPECT_EQ(mechanism_from("tiling and reuse"), "tiling");
  EXPECT_EQ(mechanism_from("Synchronization"), "synchronisation");
  EXPECT_EQ(mechanism_from("arithmetic and precision within tolerance"), "arithmetic");
  EXPECT_EQ(mechanism_from("vectorization"), "arithmetic");
  EXPECT_EQ(mechanism_from("compiler flags"), "compiler");
  EXPECT_EQ(mechanism_from("algorithm"), "algorithm");
  EXPECT_EQ(mechanism_from("magic"), "");
  for (const char* one : mechanisms) EXPECT_EQ(mechanism_from(one), one);
}

}  // namespace
}  // namespace noctune
