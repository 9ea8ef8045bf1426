#include "coordinator/patterns/pattern_rows.hpp"

#include <gtest/gtest.h>

#include "coordinator/patterns/known.hpp"
#include "store/schema.hpp"

namespace noctune {
namespace {

using namespace patterns_test;

void expect_columns(const std::string& table, const Json& row) {
  for (const auto& [name, value] : row.items()) {
    const Column* column = find_table(table)->find(name);
    ASSERT_NE(column, nullptr) << table << "." << name;
    EXPECT_EQ(value.is_string(), column->type == ColumnType::text || column->type == ColumnType::enumeration)
        << table << "." << name;
  }
}

TEST(PatternRows, AreColumnsOfTheResultsFile) {
  expect_columns("patterns", pattern_row(pattern("tiling", {{"dtype", "f64"}})));
  expect_columns("pattern_evidence", evidence_row(use("tiling", "gemm", 0.5, true), {1, 2, 3, 4}));
  expect_columns("pattern_trials", trial_row({"tiling", "night", "gemm", "plan/1", true, "ok"}, 1, 2, -1));
  EXPECT_EQ(pattern_row(pattern("tiling", {{"dtype", "f64"}}))["when"], R"({"dtype":"f64"})");
}

}  // namespace
}  // namespace noctune
