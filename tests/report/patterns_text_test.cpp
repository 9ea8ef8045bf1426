#include "report/patterns_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "base/files.hpp"
#include "report/pattern_tables.hpp"
#include "report/text_table.hpp"
#include "store/example_campaign.hpp"

namespace noctune {
namespace {

PatternLine line(const std::string& name, PatternStatus status) {
  PatternLine out;
  out.pattern.name = name;
  out.pattern.status = status;
  out.pattern.when = {{"backend", "openmp"}, {"loop_depth", ">=2"}};
  return out;
}

PatternsPage page() {
  PatternsPage out;
  out.source = "library";
  PatternLine unused = line("row-blocking", PatternStatus::draft),
              used = line("cache-tiling", PatternStatus::admitted);
  unused.offers = 3;
  unused.offered_on = {"atax", "gemm"};
  unused.pattern.drafted_on = "gemm";
  unused.pattern.when.clear();
  used.uses = 6;
  used.gains = 4;
  used.effect = std::log(1.25);
  used.hotspots = {"2mm", "gemm"};
  used.platforms = {"openmp, Test CPU, g++"};
  used.offers = used.taken = 2;
  out.lines = {unused, used};
  return out;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(PatternsText, UsedOnesFirstWithConditionsAndWhere) {
  const std::string text = patterns_text(page(), {});
  if (std::getenv("NOCTUNE_SHOW")) std::fputs(text.c_str(), stdout);
  EXPECT_TRUE(has(text, "Patterns in library\n  2 patterns, 6 measured uses, 4 gains\n")) << text;
  EXPECT_TRUE(has(text,
                  "  cache-tiling  admitted     6      4  1.250x  2mm, gemm on openmp, Test CPU, g++\n"
                  "      when backend openmp, loop_depth >=2\n"
                  "  row-blocking  draft        0      0       -  drafted on gemm\n"
                  "      when always\n"))
      << text;
  EXPECT_TRUE(has(text, "Offered and never used\n"));
  EXPECT_TRUE(has(text, "  row-blocking       3  atax, gemm\n")) << text;
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);) EXPECT_LE(display_width(one), 100U) << one;
}

TEST(PatternsText, WhatWasLeftOutIsSaid) {
  PatternsPage empty;
  empty.source = "library";
  empty.problems = {"a.jsonl:3: this is no JSON object with one key"};
  EXPECT_EQ(patterns_text(empty, {}),
            "Patterns in library\n  0 patterns, 0 measured uses, 0 gains\n"
            "\nLeft out\n  a.jsonl:3: this is no JSON object with one key\n");
}

TEST(PatternsText, JsonHasTheSame) {
  const Json json = patterns_json(page());
  ASSERT_EQ(json["patterns"].size(), 2U);
  EXPECT_EQ(json["patterns"][0]["name"], "cache-tiling");
  EXPECT_EQ(json["patterns"][0]["gains"], 4);
  EXPECT_EQ(json["patterns"][0]["when"]["loop_depth"], ">=2");
  EXPECT_EQ(json["patterns"][1]["offered_on"], Json::array({"atax", "gemm"}));
}

TEST(PatternTables, RowsComeBackWithNamesForIds) {
  const ScratchFolder scratch = value_or_throw(ScratchFolder::make("patterns-report-test"));
  const std::filesystem::path target = scratch.path() / "results.h5";
  {
    auto recorder = value_or_throw(Recorder::open(target, example::header()));
    example::record(*recorder);
    const long long id = recorder->row("patterns", {{"name", "cache-tiling"},
                                                    {"category", "tiling"},
                                                    {"when", R"({"loop_depth": ">=2"})"},
                                                    {"what", "tiles"},
                                                    {"status", "draft"},
                                                    {"revision", 2}});
    recorder->row("pattern_evidence", {{"pattern", id},
                                       {"hotspot", 1},
                                       {"candidate", 2},
                                       {"base", 1},
                                       {"platform", "openmp, Test CPU, g++"},
                                       {"log_ratio", 0.5},
                                       {"verdict", "ok"},
                                       {"gain", 1},
                                       {"features", R"({"dtype": "f64"})"}});
    recorder->row("pattern_evidence", {{"pattern", 99}, {"hotspot", 1}, {"log_ratio", 0.5}});
    recorder->row("pattern_trials", {{"pattern", id}, {"hotspot", 1}, {"call", 7}, {"used", 0}});
    value_or_throw(recorder->finish("finished"));
  }
  const PatternTables tables = value_or_throw(read_pattern_tables(value_or_throw(ResultsFile::open(target))));
  ASSERT_EQ(tables.patterns.size(), 1U);
  EXPECT_EQ(tables.patterns[0].name, "cache-tiling");
  EXPECT_EQ(tables.patterns[0].when.at("loop_depth"), ">=2");
  EXPECT_EQ(tables.patterns[0].revision, 2);
  ASSERT_EQ(tables.evidence.size(), 1U);
  EXPECT_EQ(tables.evidence[0].pattern, "cache-tiling");
  EXPECT_EQ(tables.evidence[0].hotspot, "gemm");
  EXPECT_EQ(tables.evidence[0].candidate.size(), 64U);
  EXPECT_EQ(tables.evidence[0].features.at("dtype"), "f64");
  EXPECT_TRUE(tables.evidence[0].gain);
  ASSERT_EQ(tables.trials.size(), 1U);
  EXPECT_EQ(tables.trials[0].slot, "call 7");
  EXPECT_FALSE(tables.trials[0].used);
}

}  // namespace
}  // namespace noctune
