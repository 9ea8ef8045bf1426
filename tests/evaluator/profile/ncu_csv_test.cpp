#include "evaluator/profile/ncu_csv.hpp"

#include "profile_fixture.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

std::string page(const std::string& name, const std::string& unit, const std::string& value) {
  return "\"ID\",\"Process ID\",\"Kernel Name\",\"CC\",\"" + name + "\"\n\"\",\"\",\"\",\"\",\"" + unit +
         "\"\n\"0\",\"12\",\"k<int, 3>(float *)\",\"9.0\",\"" + value + "\"\n";
}

Counter counter(const std::string& name, const std::string& unit, const std::string& value) {
  const auto rows = read_ncu_csv(page(name, unit, value));
  EXPECT_TRUE(rows && rows->size() == 1);
  return rows ? rows->front().counters.at(name) : Counter{};
}

TEST(NcuCsv, ReadsTheRecordedPage) {
  const KernelRows rows = recorded_rows();
  ASSERT_EQ(rows.size(), 1u);
  const KernelMetrics& row = rows[0];
  EXPECT_EQ(row.kernel, "k(float *, const float *, float, long)");
  EXPECT_EQ(row.process, "491");
  EXPECT_DOUBLE_EQ(*row.value("dram__bytes.sum"), 82296576);
  EXPECT_EQ(row.counters.at("dram__bytes.sum").unit, "byte");
  EXPECT_DOUBLE_EQ(*row.value("gpu__time_duration.sum"), 32384);
  EXPECT_EQ(row.counters.at("gpu__time_duration.sum").unit, "ns");
  EXPECT_DOUBLE_EQ(*row.value("lts__t_sectors_srcunit_tex_lookup_miss.avg"), 22310.13);
  EXPECT_DOUBLE_EQ(*row.value("device__attribute_l2_cache_size"), 62914560);
  EXPECT_DOUBLE_EQ(*row.value("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"), 0);
  EXPECT_FALSE(row.value("launch__tpc_enabled"));  // "all"
  EXPECT_FALSE(row.value("dram__bytes_read.sum"));
  EXPECT_EQ(row.counters.count("CC"), 0u);
}

TEST(NcuCsv, ReadsThePageOfFewMetrics) {
  const auto rows = read_ncu_csv(profile_data("ncu-h200-few-metrics.csv"));
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_DOUBLE_EQ(*rows->front().value("dram__bytes.sum"), 82226176);
  EXPECT_FALSE(rows->front().value("dram__bytes.sum.per_second"));
}

TEST(NcuCsv, CutAnywhereIsAnErrorAndNeverARow) {
  const std::string whole = profile_data("ncu-h200-all-metrics.csv");
  const std::size_t row = whole.find("\n\"0\"") + 1;
  for (std::size_t length = row + 1; length + 1 < whole.size(); length += 97) {
    const auto rows = read_ncu_csv(whole.substr(0, length));
    ASSERT_FALSE(rows) << length;
    EXPECT_THAT(rows.error().text(), HasSubstr("cut off")) << length;
  }
  EXPECT_FALSE(read_ncu_csv(whole.substr(0, row)));  // header and units alone
}

TEST(NcuCsv, UnknownMetricsHaveNoValue) {
  for (const char* value : {"n/a", "", "nan", "inf"})
    EXPECT_FALSE(counter("dram__bytes.sum", "", value).value) << value;
}

TEST(NcuCsv, BringsScaledUnitsBack) {
  const struct {
    const char *unit, *value, *base;
    double expected;
  } cases[] = {{"Mbyte", "82.23", "byte", 82.23e6},
               {"usecond", "32.42", "ns", 32420},
               {"us", "32.42", "ns", 32420},
               {"Gbyte/second", "2.5", "byte/s", 2.5e9},
               {"Tbyte/s", "2.5", "byte/s", 2.5e12},
               {"cycle/nsecond", "1.94", "hz", 1.94e9},
               {"Ghz", "1.94", "hz", 1.94e9},
               {"byte", "1,024", "byte", 1024},
               {"register/thread", "16", "register/thread", 16}};
  for (const auto& one : cases) {
    const Counter found = counter("x__y.sum", one.unit, one.value);
    EXPECT_NEAR(*found.value, one.expected, 1e-9 * one.expected) << one.unit;
    EXPECT_EQ(found.unit, one.base);
  }
}

TEST(NcuCsv, MatchesColumnsByNameNotByPlace) {
  const auto rows = read_ncu_csv(
      "\"ID\",\"b__x.sum\",\"Kernel Name\",\"a__x.sum\"\n\"\",\"\",\"\",\"\"\n\"0\",\"2\",\"k\",\"1\"\n");
  ASSERT_TRUE(rows);
  EXPECT_DOUBLE_EQ(*rows->front().value("a__x.sum"), 1);
  EXPECT_DOUBLE_EQ(*rows->front().value("b__x.sum"), 2);
}

TEST(NcuCsv, ReadsSeveralKernelsAndProcesses) {
  const auto rows = read_ncu_csv(page("a__x.sum", "", "1") + "\"1\",\"13\",\"second(int)\",\"9.0\",\"2\"\n" +
                                 "my own output, \"\n==PROF== Disconnected\n");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ(rows->at(0).kernel, "k<int, 3>(float *)");
  EXPECT_EQ(rows->at(1).kernel, "second(int)");
  EXPECT_NE(rows->at(0).process, rows->at(1).process);
}

TEST(NcuCsv, SaysWhatIsMissing) {
  EXPECT_THAT(read_ncu_csv("==ERROR== ERR_NVGPUCTRPERM\n").error().text(), HasSubstr("holds no table"));
  EXPECT_THAT(read_ncu_csv("\"ID\",\"Metric Name\"\n\"0\",\"x\"\n").error().text(), HasSubstr("--page raw"));
  const std::string units_alone = "\"ID\",\"Kernel Name\"\n\"\",\"\"\n";
  EXPECT_THAT(read_ncu_csv(units_alone).error().text(), HasSubstr("no launch"));
}

}  // namespace
}  // namespace noctune
