#include "report/campaign_summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace noctune {
namespace {

ReportHotspot hotspot(const std::string& name, const std::string& verdict, double speedup) {
  ReportHotspot out;
  out.name = name;
  out.verdict = verdict;
  out.speedup = speedup;
  return out;
}

TEST(CampaignSummary, CountsHowHotspotsEnded) {
  ReportData data;
  data.hotspots = {hotspot("a", "faster", 4),
                   hotspot("b", "faster", 2),
                   hotspot("c", "slower", 0.5),
                   hotspot("d", "indistinguishable", std::nan("")),
                   hotspot("e", "failed", std::nan("")),
                   hotspot("f", "pending", std::nan(""))};
  const CampaignSummary out = summarise(data);
  EXPECT_EQ(out.hotspots, 6);
  EXPECT_EQ(out.improved, 2);
  EXPECT_EQ(out.unchanged, 2);  // a slower version is not taken: the original stays
  EXPECT_EQ(out.failed, 1);
  EXPECT_EQ(out.unfinished, 1);
  EXPECT_EQ(out.finished.count, 5);
  EXPECT_DOUBLE_EQ(out.finished.geometric_mean, std::pow(8, 0.2));
  EXPECT_DOUBLE_EQ(out.finished.median, 1);
  EXPECT_DOUBLE_EQ(out.faster.geometric_mean, std::sqrt(8));
  EXPECT_DOUBLE_EQ(out.faster.median, 3);
  EXPECT_EQ(out.best->name, "a");
  EXPECT_EQ(out.worst->name, "b");
}

TEST(CampaignSummary, NothingIsNoError) {
  const ReportData data;
  const CampaignSummary out = summarise(data);
  EXPECT_EQ(out.best, nullptr);
  EXPECT_TRUE(std::isnan(out.finished.geometric_mean));
  EXPECT_EQ(resource_text(out), "");
  EXPECT_EQ(cost_text(out, "USD"), "-");
}

TEST(CampaignSummary, CountsGpusOnceAndProcessorsOncePerNode) {
  ReportData data;
  data.time.wall = 7200;
  for (long long i = 0; i < 3; ++i) {
    ReportDevice device;
    device.id = i + 1;
    device.host = "node1";
    device.backend = i == 2 ? "openmp" : "cuda";
    device.uuid = i == 2 ? "" : "GPU-1";  // two ranks on one GPU
    device.measure_cpus = "0-3";
    device.build_cpus = "2-5";
    data.devices.push_back(device);
  }
  const CampaignSummary out = summarise(data);
  EXPECT_DOUBLE_EQ(out.gpu_hours, 2);
  EXPECT_DOUBLE_EQ(out.core_hours, 12);
  EXPECT_EQ(resource_text(out), "2.00 GPU-hours, 12.00 core-hours");
}

TEST(CampaignSummary, ReadsListsOfProcessorsAndForgivesDamagedOnes) {
  EXPECT_EQ(processors_in("0-2,8"), (std::vector<int>{0, 1, 2, 8}));
  EXPECT_TRUE(processors_in("").empty());
  for (const char* damaged : {"x", "-", "5-", "0-99999999999", "-3-2", "1;2", ",,", "7-3"})
    EXPECT_LE(processors_in(damaged).size(), 1U) << damaged;
}

}  // namespace
}  // namespace noctune
