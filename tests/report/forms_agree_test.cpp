// The numbers of the terminal, the page, the CSV files and T4 are those of the results file.
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "base/json.hpp"
#include "report/campaign_summary.hpp"
#include "report/csv.hpp"
#include "report/html_page.hpp"
#include "report/recorded_campaign.hpp"
#include "report/report.hpp"
#include "report/report_style.hpp"
#include "report/t4.hpp"

namespace noctune {
namespace {

double number(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

class FormsAgreeTest : public RecordedCampaign {
 protected:
  using Row = std::map<std::string, std::string>;

  void SetUp() override {
    RecordedCampaign::SetUp();
    found_ = data();
    terminal_ = value_or_throw(render_report(results(), {}));
    page_ = value_or_throw(html_report(results(), found_));
    t4_ = Json::parse(value_or_throw(t4_text(results(), found_)));
    value_or_throw(write_csv(results(), found_, scratch_.path() / "csv"));
  }
  // Rows of a file whose cells hold no commas.
  std::vector<Row> csv(const std::string& name) const {
    std::istringstream text(value_or_throw(read_file(scratch_.path() / "csv" / name)));
    std::vector<std::string> head;
    std::vector<Row> out;
    for (std::string line; std::getline(text, line);) {
      const std::vector<std::string> cells = split(line);
      if (head.empty()) {
        head = cells;
        continue;
      }
      out.emplace_back();
      for (std::size_t i = 0; i < head.size(); ++i) out.back()[head[i]] = i < cells.size() ? cells[i] : "";
    }
    return out;
  }
  static std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> out;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) out.push_back(cell);
    return out;
  }

  ReportData found_;
  std::string terminal_, page_;
  Json t4_;
};

TEST_F(FormsAgreeTest, SpeedupOfTheWinner) {
  const Hdf5Columns stored = value_or_throw(results().columns("hotspots", {"standalone_speedup"}));
  const double speedup = stored.numbers("standalone_speedup")[0];
  ASSERT_DOUBLE_EQ(speedup, 3.98);
  EXPECT_TRUE(has(terminal_, factor(speedup)));
  EXPECT_TRUE(has(page_, "<data value=\"3.98\">" + factor(speedup) + "</data>"));
  const std::vector<Row> rows = csv("hotspots.csv");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_DOUBLE_EQ(number(rows[0].at("standalone_speedup")), speedup);
  EXPECT_EQ(rows[0].at("verdict"), "faster");
  int confirmed = 0;
  for (const Json& entry : t4_["results"])
    for (const Json& one : entry["measurements"]) {
      if (one["name"] != "confirmed_speedup") continue;
      ++confirmed;
      EXPECT_DOUBLE_EQ(one["value"].get<double>(), speedup);
    }
  EXPECT_EQ(confirmed, 1);
}

TEST_F(FormsAgreeTest, TotalsOfTheCampaign) {
  const CampaignSummary summary = summarise(found_);
  const double mean = summary.finished.geometric_mean;
  ASSERT_NEAR(mean, std::cbrt(3.98), 1e-12);
  EXPECT_TRUE(has(terminal_, "3 hotspots: 1 improved, 1 unchanged, 1 failed"));
  EXPECT_TRUE(has(terminal_, "geometric mean speed-up " + factor(mean) + ", median " +
                                 factor(summary.finished.median) + " over all 3"));
  EXPECT_TRUE(has(page_, ">" + factor(mean) + "</data>"));
  EXPECT_TRUE(has(page_, ">1 of 3</data>"));
  Row totals;
  for (const Row& row : csv("summary.csv")) totals[row.at("name")] = row.at("value");
  EXPECT_EQ(totals["improved"], "1");
  EXPECT_EQ(totals["unchanged"], "1");
  EXPECT_EQ(totals["failed"], "1");
  EXPECT_DOUBLE_EQ(number(totals["geometric_mean_finished"]), mean);
}

TEST_F(FormsAgreeTest, TimesAndVerdictsOfEveryEvaluation) {
  std::map<std::string, int> in_csv, in_t4;
  std::vector<double> csv_times, t4_times;
  for (const Row& row : csv("evaluations.csv")) {
    if (row.at("purpose") != "screen" && row.at("purpose") != "confirm") continue;
    if (row.at("id") == row.at("group")) ++in_csv[row.at("verdict") == "ok" ? "correct" : "compile"];
    if (!row.at("trimmed_mean").empty()) csv_times.push_back(1e3 * number(row.at("trimmed_mean")));
  }
  for (const Json& entry : t4_["results"]) {
    ++in_t4[entry["invalidity"].get<std::string>()];
    EXPECT_EQ(entry["correctness"], entry["invalidity"] == "correct" ? 1 : 0);
    for (const Json& time : entry["times"]["runtimes"]) t4_times.push_back(time.get<double>());
  }
  EXPECT_EQ(in_csv, in_t4);
  EXPECT_EQ(csv_times, t4_times);
  EXPECT_EQ(csv_times.size(), 6U);
}

// What the public schema requires of every entry, and the words it allows.
TEST_F(FormsAgreeTest, T4HasWhatItsSchemaAsksFor) {
  EXPECT_EQ(t4_["schema_version"], "1.0.0");
  ASSERT_FALSE(t4_["results"].empty());
  for (const Json& entry : t4_["results"]) {
    EXPECT_TRUE(entry["configuration"].is_object());
    EXPECT_TRUE(entry["correctness"].is_number());
    EXPECT_TRUE(entry["objectives"].is_array());
    for (const char* time : {"compilation_time", "framework", "search_algorithm", "validation"})
      EXPECT_TRUE(entry["times"][time].is_number()) << time;
    EXPECT_TRUE(entry["times"]["runtimes"].is_array());
    EXPECT_EQ(entry["timestamp"], "2026-02-02T02:40:00Z");
    EXPECT_TRUE(entry["invalidity"] == "correct" || entry["invalidity"] == "compile");
    for (const Json& one : entry["measurements"]) EXPECT_TRUE(one["unit"].is_string());
  }
  EXPECT_EQ(t4_["results"][0]["configuration"]["tile"], 32);
}

TEST(Csv, CellsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"so\""), "\"say \"\"so\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
}

}  // namespace
}  // namespace noctune
