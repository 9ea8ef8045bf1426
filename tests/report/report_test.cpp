#include "report/report.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "base/files.hpp"
#include "report/text_table.hpp"
#include "store/example_campaign.hpp"

namespace noctune {
namespace {

class ReportTest : public testing::Test {
 protected:
  void record(const std::string& status = "finished") {
    auto recorder = value_or_throw(Recorder::open(target_, example::header()));
    example::record(*recorder);
    value_or_throw(recorder->finish(status));
  }
  Result<std::string> render(const ReportOptions& options = {}) {
    return render_report(value_or_throw(ResultsFile::open(target_)), options);
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) out.push_back(line);
    return out;
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("report-test"));
  std::filesystem::path target_ = scratch_.path() / "results.h5";
};

TEST_F(ReportTest, WinnersInsideTheirApplicationStandBesideWhatTheyGainAlone) {
  auto recorder = value_or_throw(Recorder::open(target_, example::header()));
  example::record(*recorder);
  Json row{{"application", "app"},
           {"hotspot", 1},
           {"hotspots", "gemm"},
           {"candidate", 4},
           {"standalone", 3.98},
           {"speedup", 0.90},
           {"low", 0.85},
           {"high", 0.95},
           {"used", "yes"},
           {"pairs", 5},
           {"verdict", "slower"},
           {"run", 1},
           {"reason", "alone it is faster, inside the application slower"}};
  recorder->row("placements", row);
  row["run"] = 2;
  row["speedup"] = 0.91;
  recorder->row("placements", row);
  row = {{"application", "app"},    {"hotspots", "stencil"}, {"used", "cannot_tell"},
         {"verdict", "not_placed"}, {"reason", "no rule"},   {"run", 2}};
  recorder->row("placements", row);
  value_or_throw(recorder->finish("finished"));
  const std::string text = value_or_throw(render());
  EXPECT_TRUE(has(text, "Inside the application\n")) << text;
  EXPECT_TRUE(has(text, "  gemm     slower               3.98x      0.910x  0.850 to 0.950  yes")) << text;
  EXPECT_FALSE(has(text, "  0.900x")) << "the latest run counts";
  EXPECT_TRUE(has(text, "gemm: slower: alone it is faster, inside the application slower")) << text;
  EXPECT_TRUE(has(text, "stencil: not_placed, rolled back: no rule")) << text;
}

TEST_F(ReportTest, TheOverviewSaysWhatWasFound) {
  record();
  const std::string text = value_or_throw(render());
  if (std::getenv("NOCTUNE_SHOW")) std::fputs(text.c_str(), stdout);
  EXPECT_TRUE(has(text, "Campaign example\n"));
  EXPECT_TRUE(has(text, "status   finished, ran "));
  EXPECT_TRUE(has(text, "(job 4711)"));
  EXPECT_TRUE(has(text, "devices  1 x Test CPU (openmp, g++ 12.2.0) on 1 node\n"));
  EXPECT_TRUE(has(text, "  gemm     faster              4.02 ms  1.01 ms     3.98x   3.90 to 4.06\n"))
      << text;
  EXPECT_TRUE(has(text, "      won: loop interchange + tiling (candidate 4, rules, round 2)\n"));
  EXPECT_TRUE(has(text, "      3 candidates: 2 ok, 1 build_failed\n"));
  EXPECT_TRUE(has(text, "  stencil  indistinguishable  100.0 ms        -         -              -\n"));
  EXPECT_TRUE(has(text, "      reason: the original does not build\n"));
  EXPECT_TRUE(has(text, "  3 hotspots: 1 improved, 1 unchanged, 1 failed\n"));
  // The cube root of 3.98: what has no gain counts as 1.
  EXPECT_TRUE(
      has(text, "geometric mean speed-up 1.585x, median 1.000x over all 3 (without a gain counts as 1)\n"));
  EXPECT_TRUE(has(text, "geometric mean speed-up 3.98x, median 3.98x over the 1 improved\n"));
  EXPECT_TRUE(has(text, "the one: gemm 3.98x (3.90 to 4.06)\n"));
  EXPECT_TRUE(has(text, "Where the devices' time went"));
}

TEST_F(ReportTest, NoLineIsWiderThanAskedAndNoneEndsInBlanks) {
  record();
  for (const int width : {0, 80, 100})
    for (const char* hotspot : {"", "gemm", "stencil", "broken"}) {
      ReportOptions options;
      options.width = width;
      options.hotspot = hotspot;
      for (const std::string& line : lines(value_or_throw(render(options)))) {
        EXPECT_LE(display_width(line), static_cast<std::size_t>(std::max(width, 80))) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
        EXPECT_FALSE(has(line, "\x1b")) << line;
        EXPECT_FALSE(has(line, "nan")) << line;
      }
    }
}

TEST_F(ReportTest, AHotspotShowsItsLineage) {
  record();
  ReportOptions options;
  options.hotspot = "gemm";
  const std::string text = value_or_throw(render(options));
  if (std::getenv("NOCTUNE_SHOW")) std::fputs(text.c_str(), stdout);
  EXPECT_TRUE(has(text, "verdict     faster: 3.98x (95 % interval 3.90 to 4.06), 4.02 ms -> 1.01 ms\n"));
  EXPECT_TRUE(has(text, "case        main (time, weight 1.00): {\"n\":512}\n"));
  EXPECT_TRUE(has(text, "search      2 rounds, 3 candidates: 2 ok, 1 build_failed\n"));
  EXPECT_TRUE(has(text, "          1      -      -  -              original\n")) << text;
  EXPECT_TRUE(has(text, "          2      1  2.00x  1.96 to 2.04   loop interchange\n"));
  EXPECT_TRUE(has(text, "          4      2  2.00x  1.96 to 2.04   + tiling\n"));
  EXPECT_TRUE(has(text, "bottleneck  not profiled in the original, memory in the last version profiled\n"));
  EXPECT_TRUE(has(text, "Final confirmation against the original"));
  EXPECT_TRUE(has(text, "build_failed         -  broken: the compiler refused it\n"));
}

TEST_F(ReportTest, AnUnknownHotspotNamesTheKnownOnes) {
  record();
  ReportOptions options;
  options.hotspot = "gem";
  const auto text = render(options);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().reason, "it holds gemm, stencil, broken");
  EXPECT_EQ(text.error().hint, "did you mean \"gemm\"?");
}

TEST_F(ReportTest, ColourOnlyOnRequest) {
  record();
  ReportOptions options;
  options.colour = true;
  const std::string text = value_or_throw(render(options));
  EXPECT_TRUE(has(text, "\x1b[32m  gemm     faster"));
  EXPECT_TRUE(has(text, "\x1b[31m  broken   failed"));
  EXPECT_TRUE(has(text, "\x1b[1mTotals\x1b[0m\n"));
}

TEST_F(ReportTest, ACampaignThatHasJustBegunIsNoError) {
  auto recorder = value_or_throw(Recorder::open(target_, example::header()));
  value_or_throw(recorder->rebuild());
  const std::string text = value_or_throw(render());
  EXPECT_TRUE(has(text, "status   running, ran "));
  EXPECT_TRUE(has(text, "devices  none yet\n"));
  EXPECT_TRUE(has(text, "No hotspot has been recorded yet.\n"));

  HotspotRow row;
  row.name = "young";
  recorder->hotspot(row);
  value_or_throw(recorder->rebuild());
  EXPECT_TRUE(
      has(value_or_throw(render()), "1 hotspot: 0 improved, 0 unchanged, 0 failed, 1 not finished\n"));
}

TEST_F(ReportTest, CountsTheRunsOfAResumedCampaign) {
  record("stopped");
  record();
  EXPECT_TRUE(has(value_or_throw(render()), " in 2 runs (job 4711)"));
}

}  // namespace
}  // namespace noctune
