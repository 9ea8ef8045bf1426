#include "report/comparison_text.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

ReportHotspot faster(const std::string& name, double speedup, double baseline = 1) {
  ReportHotspot out;
  out.name = name;
  out.verdict = "faster";
  out.speedup = speedup;
  out.low = 0.95 * speedup;
  out.high = 1.05 * speedup;
  out.baseline_time = baseline;
  return out;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Comparison, SaysWhatChanged) {
  ReportData before, after;
  before.hotspots = {faster("better", 2), faster("same", 3), faster("worse", 4), faster("gone", 5),
                     faster("fails", 2)};
  after.hotspots = {faster("better", 3), faster("same", 3.1), faster("worse", 2), faster("new", 5),
                    faster("fails", 1)};
  after.hotspots.back().verdict = "failed";
  const std::string text = comparison_text(before, after, {});
  EXPECT_TRUE(has(text, "  better   2.00x (1.90 to 2.10)  3.00x (2.85 to 3.15)  better  ")) << text;
  EXPECT_TRUE(has(text, "  no difference  ")) << text;
  EXPECT_TRUE(has(text, "  worse  ")) << text;
  EXPECT_TRUE(has(text, "  fails now  ")) << text;
  EXPECT_TRUE(has(text, "only before: gone\n"));
  EXPECT_TRUE(has(text, "only after: new\n"));
  EXPECT_FALSE(has(text, "machine"));
}

TEST(Comparison, WarnsThatTheMachinesDiffer) {
  ReportData before, after;
  before.hotspots = {faster("a", 2, 1.0)};
  after.hotspots = {faster("a", 2, 0.5)};
  EXPECT_TRUE(has(comparison_text(before, after, {}), "the originals run 2.00x faster after than before"));
}

TEST(Comparison, EmptyCampaignsAreNoError) {
  EXPECT_TRUE(has(comparison_text({}, {}, {}), "Two campaigns"));
}

}  // namespace
}  // namespace noctune
