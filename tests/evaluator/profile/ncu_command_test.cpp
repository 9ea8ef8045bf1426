#include "evaluator/profile/ncu_command.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "evaluator/profile/ncu_metrics.hpp"
#include "profile_fixture.hpp"

namespace noctune {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::Not;

NcuCall usual() {
  NcuCall call;
  call.log_file = "/tmp/t.csv";
  call.kernels = {"axpy", "norm"};
  call.skip = 10;
  call.count = 2;
  call.child = {"./driver", "--commands", "7"};
  return call;
}

// The argument after an option.
std::string after(const std::vector<std::string>& arguments, const std::string& option) {
  const auto found = std::find(arguments.begin(), arguments.end(), option);
  return found == arguments.end() || found + 1 == arguments.end() ? "" : *(found + 1);
}

TEST(NcuMetrics, AreTheMeasuredListOnceEach) {
  const auto names = ncu_metric_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 57u);
  std::map<NcuGroup, int> counts;
  for (const NcuMetric& metric : ncu_metrics()) ++counts[metric.group];
  EXPECT_EQ(counts[NcuGroup::launch], 6);
  EXPECT_EQ(counts[NcuGroup::base], 12);
  EXPECT_EQ(counts[NcuGroup::stalls], 10);
}

TEST(NcuMetrics, AllHaveAColumnInTheRecordedPage) {
  const KernelRows rows = recorded_rows();
  ASSERT_EQ(rows.size(), 1u);
  for (const std::string& name : ncu_metric_names()) EXPECT_TRUE(rows[0].value(name)) << name;
}

TEST(NcuCommand, ProfilesAllKernelsOfACallInOneRun) {
  const auto arguments = ncu_command(usual());
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->front(), "ncu");
  EXPECT_THAT(*arguments, Contains("--csv"));
  EXPECT_EQ(after(*arguments, "--page"), "raw");
  EXPECT_EQ(after(*arguments, "--print-units"), "base");
  EXPECT_EQ(after(*arguments, "--log-file"), "/tmp/t.csv");
  EXPECT_EQ(after(*arguments, "--clock-control"), "none");
  EXPECT_EQ(after(*arguments, "--cache-control"), "all");
  EXPECT_EQ(after(*arguments, "--replay-mode"), "kernel");
  EXPECT_EQ(after(*arguments, "-k"), "regex:^(axpy|norm)$");
  EXPECT_EQ(after(*arguments, "-s"), "10");
  EXPECT_EQ(after(*arguments, "-c"), "2");
  const std::string metrics = after(*arguments, "--metrics");
  EXPECT_EQ(std::count(metrics.begin(), metrics.end(), ','), 56);
  const std::vector<std::string> tail(arguments->end() - 3, arguments->end());
  EXPECT_THAT(tail, ElementsAreArray(usual().child));
}

TEST(NcuCommand, LeavesOutWhatWasNotAsked) {
  NcuCall call = usual();
  call.kernels.clear();
  call.caches = CacheControl::keep;
  call.metrics = {"dram__bytes.sum"};
  const auto arguments = ncu_command(call);
  ASSERT_TRUE(arguments);
  EXPECT_THAT(*arguments, Not(Contains("-k")));
  EXPECT_EQ(after(*arguments, "--cache-control"), "none");
  EXPECT_EQ(after(*arguments, "--metrics"), "dram__bytes.sum");
}

TEST(NcuCommand, TakesNamesLiterally) {
  const std::string filter = kernel_filter({"k.1", "a|b"});
  ASSERT_TRUE(filter.starts_with("regex:"));
  const std::regex expression(filter.substr(6));
  EXPECT_TRUE(std::regex_match("k.1", expression));
  EXPECT_TRUE(std::regex_match("a|b", expression));
  EXPECT_FALSE(std::regex_match("kx1", expression));
  EXPECT_FALSE(std::regex_match("a", expression));
}

TEST(NcuCommand, RefusesWhatCannotRun) {
  for (const auto spoil : {+[](NcuCall& call) { call.log_file.clear(); },
                           +[](NcuCall& call) { call.count = 0; }, +[](NcuCall& call) { call.skip = -1; }}) {
    NcuCall call = usual();
    spoil(call);
    EXPECT_FALSE(ncu_command(call));
  }
}

}  // namespace
}  // namespace noctune
