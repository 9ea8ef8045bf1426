#include "report/html_page.hpp"

#include <limits>

#include "report/recorded_campaign.hpp"
#include "report/svg.hpp"

namespace noctune {
namespace {

using HtmlPageTest = RecordedCampaign;

TEST_F(HtmlPageTest, HoldsEverySectionAndLoadsNothing) {
  const std::string page = value_or_throw(html_report(results(), data()));
  for (const char* part :
       {"<h1>example</h1>", "<h2>Hotspots</h2>", "<h2>How the versions ended</h2>", "<h2>Devices</h2>",
        "<h2>What the winners changed</h2>", "prefers-color-scheme: dark", "@media print",
        "name=\"viewport\"", "Speed-up of every hotspot", "Best version so far by round"})
    EXPECT_TRUE(has(page, part)) << part;
  for (const char* part : {"<script", "http://", "https://", "src=", "@import", "url("})
    EXPECT_FALSE(has(page, part)) << part;
  EXPECT_FALSE(has(page, "nan"));
}

TEST_F(HtmlPageTest, TagsThatAreOpenedAreClosed) {
  const std::string page = value_or_throw(html_report(results(), data()));
  for (const std::string tag :
       {"section", "svg", "table", "tr", "td", "figure", "details", "pre", "div", "title", "text"})
    EXPECT_EQ(count(page, "<" + tag + ">") + count(page, "<" + tag + " "), count(page, "</" + tag + ">"))
        << tag;
}

TEST_F(HtmlPageTest, TextFromOutsideIsNeverMarkup) {
  ReportData hostile = data();
  const std::string evil = "<script>alert(1)</script>\"'&\x01\xff";
  hostile.campaign = hostile.status = hostile.job_id = hostile.path = hostile.currency = evil;
  for (ReportHotspot& one : hostile.hotspots) one.name = one.reason = evil;
  hostile.hotspots.back().verdict = evil;
  for (ReportDevice& one : hostile.devices) one.name = one.host = one.compiler_version = evil;
  for (auto& [id, one] : hostile.candidates) one.strategies = one.verdict = one.message = evil;
  ReportArm arm;
  arm.hotspot = 1;
  arm.arm = evil;
  hostile.arms.push_back(arm);
  ReportCall call;
  call.purpose = evil;
  hostile.calls.push_back(call);
  hostile.pattern_uses.push_back({1, 1, evil, "ok", 0.1, true});
  const std::string page = value_or_throw(html_report(results(), hostile));
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "\"'&"));
  EXPECT_FALSE(has(page, "\x01"));
}

TEST_F(HtmlPageTest, NumbersThatAreUnknownOrAbsurdDrawNothingOdd) {
  ReportData odd = data();
  const double infinite = std::numeric_limits<double>::infinity();
  for (ReportHotspot& one : odd.hotspots) one.speedup = one.low = one.high = one.integrated = infinite;
  for (ReportEvaluation& one : odd.evaluations) {
    one.started = 1e300;
    one.build = infinite;
  }
  odd.ceilings = {{1, "read", "B/s", infinite}, {1, "fp64 FMA", "flop/s", -1}, {1, "x", "B/s", 0}};
  const std::string page = value_or_throw(html_report(results(), odd));
  EXPECT_LT(page.size(), 1'000'000U);
  EXPECT_FALSE(has(page, "=\"inf"));
  EXPECT_FALSE(has(page, "=\"nan"));
}

TEST(Svg, ScalesStayWithinTheirRange) {
  const Scale log(ScaleKind::logarithmic, 1, 100, 0, 200);
  EXPECT_DOUBLE_EQ(log.at(10), 100);
  EXPECT_DOUBLE_EQ(log.at(1e9), 200);
  EXPECT_DOUBLE_EQ(log.at(-1), 0);
  EXPECT_EQ(log.ticks(), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
  EXPECT_EQ(Scale(ScaleKind::linear, 0, 10, 0, 1).ticks(), (std::vector<double>{0, 2, 4, 6, 8, 10}));
}

}  // namespace
}  // namespace noctune
