#include "model/evaluation_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace noctune {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Candidate full_candidate() {
  Candidate out;
  out.id = 7;
  out.source = "// caf\xe9 in Latin-1\nvoid f() {}\n";
  out.extra_flags = {"-funroll-loops", "-mprefer-vector-width=512"};
  out.proposer = "rules";
  out.kind = "tiling";
  out.strategies = {"loop interchange", "tiling"};
  out.params = {{"tile", "32"}, {"unroll", "4"}};
  out.hypothesis = "fits the cache \xe2\x86\x92 fewer misses";
  out.patterns = {"block-for-cache"};
  out.arm = "sampling";
  out.replicate = 2;
  out.base = 3;
  out.repair_of = 5;
  out.call = 11;
  out.prompt_template = "write/1";
  out.predicted_gain = 1.5;
  out.sha = candidate_sha(out);
  return out;
}

Evaluation full_evaluation() {
  Evaluation out;
  out.verdict = Verdict::wrong_result;
  out.message = "output y differs";
  out.diagnostics = std::string("quote \" tab \t nul \0 bad \xff\xfe", 25);
  out.binary_sha = "abc";
  TimingSummary timing;
  timing.case_name = "main";
  timing.weight = 0.25;
  timing.batch = 12;
  timing.trimmed_mean = 0.1;
  timing.median = 1.0 / 3;
  timing.minimum = 5e-324;
  timing.reference_trimmed_mean = 1.7976931348623157e308;
  timing.speedup = nan_value;
  timing.interval_low = -infinity;
  timing.interval_high = infinity;
  timing.samples = {1e-3, 0.1 + 0.2, 0, -0.0, nan_value, infinity, 2.2250738585072014e-308};
  timing.reference_samples = {42};
  timing.device = {{1.9e9, -1}, {4, 0}};
  timing.schedule = "abba";
  out.timings = {timing, TimingSummary{}};
  out.profile = {{"dram_rate", 2.5e12, "B/s"}, {"class:memory", 0.9, "1"}};
  out.check = {true, 1e-17, 1e-10, "y", false};
  out.seconds = {1, 2, 3, 4};
  out.started = 1.77e9 + 0.123456;
  out.device = -3;
  out.speedup = 1.5;
  out.interval_low = 1.4;
  out.interval_high = 1.6;
  return out;
}

// Both encodings in which records travel.
std::vector<Json> travelled(const Json& json) {
  return {Json::parse(json.dump()), Json::from_cbor(Json::to_cbor(json))};
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

TEST(EvaluationJson, ACandidateComesBackWhole) {
  const Candidate given = full_candidate();
  for (const Json& json : travelled(to_json(given))) {
    const Candidate back = value_or_throw(candidate_from_json(json));
    EXPECT_EQ(back.source, given.source);
    EXPECT_EQ(candidate_sha(back), given.sha);
    EXPECT_EQ(back.params, given.params);
    EXPECT_EQ(back.strategies, given.strategies);
    EXPECT_EQ(to_json(back), to_json(given));
  }
}

TEST(EvaluationJson, AnEvaluationComesBackWholeSamplesIncluded) {
  const Evaluation given = full_evaluation();
  for (const Json& json : travelled(to_json(given))) {
    const Evaluation back = value_or_throw(evaluation_from_json(json));
    EXPECT_EQ(back.diagnostics, given.diagnostics);
    EXPECT_EQ(back.verdict, given.verdict);
    ASSERT_EQ(back.profile.size(), 2u);
    EXPECT_EQ(back.profile[0].value, 2.5e12);
    EXPECT_EQ(back.started, given.started);
    EXPECT_FALSE(back.check.deterministic);
    ASSERT_EQ(back.timings.size(), 2u);
    const TimingSummary &timing = back.timings[0], &expected = given.timings[0];
    ASSERT_EQ(timing.samples.size(), expected.samples.size());
    for (std::size_t i = 0; i < expected.samples.size(); ++i)
      EXPECT_TRUE(same(timing.samples[i], expected.samples[i])) << i;
    EXPECT_TRUE(same(timing.minimum, expected.minimum));
    EXPECT_TRUE(same(timing.speedup, expected.speedup));
    EXPECT_TRUE(same(timing.interval_low, expected.interval_low));
    EXPECT_EQ(to_json(back), to_json(given));
  }
}

TEST(EvaluationJson, DefaultsAndEveryVerdictComeBack) {
  for (int i = 0; i <= static_cast<int>(Verdict::lost); ++i) {
    Evaluation given;
    given.verdict = static_cast<Verdict>(i);
    EXPECT_EQ(value_or_throw(evaluation_from_json(to_json(given))).verdict, given.verdict);
  }
  EXPECT_EQ(to_json(value_or_throw(candidate_from_json(to_json(Candidate{})))), to_json(Candidate{}));
}

TEST(EvaluationJson, MissingMembersKeepDefaultsButEvidenceIsRequired) {
  EXPECT_EQ(value_or_throw(evaluation_from_json({{"verdict", "ok"}, {"from the future", 1}})).device, 0);
  EXPECT_EQ(value_or_throw(candidate_from_json({{"source", "x"}})).base, 0);
  EXPECT_EQ(evaluation_from_json(Json::object()).error().problem, "cannot read an evaluation: verdict");
  EXPECT_EQ(candidate_from_json(Json::object()).error().reason, "is missing");
}

TEST(EvaluationJson, WrongTypesAreErrors) {
  const auto with = [](const char* pointer, Json value) {
    Json json = to_json(full_evaluation());
    json[Json::json_pointer(pointer)] = std::move(value);
    return evaluation_from_json(json).has_value();
  };
  EXPECT_TRUE(with("/verdict", "ok"));
  EXPECT_FALSE(with("/verdict", "splendid"));
  EXPECT_FALSE(with("/verdict", 3));
  EXPECT_FALSE(with("/device", 1.5));
  EXPECT_FALSE(with("/device", 1LL << 40));
  EXPECT_FALSE(with("/device", ~0ULL));
  EXPECT_FALSE(with("/started", "now"));
  EXPECT_FALSE(with("/timings", Json::object()));
  EXPECT_FALSE(with("/timings/0", 5));
  EXPECT_FALSE(with("/timings/0/samples", Json::array({1, 2})));
  EXPECT_FALSE(with("/timings/0/samples", "1 two"));
  EXPECT_FALSE(with("/timings/0/samples", "1  2"));
  EXPECT_FALSE(with("/timings/0/samples", "1 "));
  EXPECT_FALSE(with("/check/passed", "yes"));
  EXPECT_FALSE(with("/message", {{"latin1", 5}}));
  EXPECT_FALSE(with("/message", {{"latin1", "\xe2\x86\x92"}}));
  EXPECT_FALSE(evaluation_from_json(Json()).has_value());
  EXPECT_FALSE(candidate_from_json({{"source", "x"}, {"params", {{"a", 1}}}}).has_value());
  EXPECT_FALSE(candidate_from_json({{"source", "x"}, {"strategies", "a"}}).has_value());
}

TEST(EvaluationJson, TextKeepsEveryByte) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const std::string texts[] = {"",
                               "plain",
                               all,
                               "\xc0\x80",          // overlong
                               "\xed\xa0\x80",      // a surrogate
                               "\xf4\x90\x80\x80",  // beyond Unicode
                               "\xe2\x86",          // cut short
                               "\xf0\x9f\x98\x80"};
  for (const std::string& text : texts)
    for (const Json& json : travelled(text_to_json(text)))
      EXPECT_EQ(value_or_throw(text_from_json(json)), text);
  EXPECT_TRUE(text_to_json("\xf0\x9f\x98\x80").is_string());
  EXPECT_TRUE(text_to_json("\xc0\x80").is_object());
}

}  // namespace
}  // namespace noctune
