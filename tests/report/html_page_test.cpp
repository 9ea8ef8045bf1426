#include "report/html_page.hpp"

#include <algorithm>
#include <limits>

#include "report/html_charts.hpp"
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

// Boxes of the path that the tooltip belongs to.
std::size_t boxes_of(const std::string& chart, const std::string& tooltip) {
  const std::size_t end = chart.find(tooltip);
  if (end == std::string::npos) return 0;
  const std::size_t begin = chart.rfind("<path", end);
  return static_cast<std::size_t>(std::count(chart.begin() + static_cast<std::ptrdiff_t>(begin),
                                             chart.begin() + static_cast<std::ptrdiff_t>(end), 'M'));
}

TEST(Timeline, TellsWaitingForTheModelFromIdling) {
  ReportData data;
  data.devices.resize(1);
  data.devices[0].id = 1;
  for (const double started : {1000.0, 1030.0}) {
    ReportEvaluation one;
    one.device = 1;
    one.started = started;
    one.time = 10;
    data.evaluations.push_back(one);
  }
  EXPECT_EQ(boxes_of(timeline_chart(data), ": idle while the model"), 0U);
  // Two calls at once, one of them while the device was busy, and one that nobody knows the time of.
  for (const double sent : {1005.0, 1007.5, std::numeric_limits<double>::quiet_NaN()}) {
    ReportCall call;
    call.sent = sent;
    call.seconds = 10;
    data.calls.push_back(call);
  }
  const std::string chart = timeline_chart(data);
  // 40 s in 400 slices: timed for 20 s, and waited for from 10 s to 17.5 s.
  EXPECT_EQ(boxes_of(chart, ": timing"), 200U);
  EXPECT_EQ(boxes_of(chart, ": idle while the model"), 75U);
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
