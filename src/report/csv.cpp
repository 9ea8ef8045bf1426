#include "report/csv.hpp"

#include <charconv>
#include <cmath>
#include <fstream>

#include "base/utf8.hpp"
#include "report/campaign_summary.hpp"
#include "store/schema.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr long long block_rows = 65536;

std::string number_cell(double value) {
  if (!std::isfinite(value)) return {};
  char out[32];
  const auto end = std::to_chars(out, out + sizeof out, value);
  return {out, end.ptr};
}

// A file that is only in its place when it is whole.
class CsvFile {
 public:
  explicit CsvFile(fs::path path) : path_(std::move(path)), building_(path_.string() + ".building") {
    out_.open(building_, std::ios::binary | std::ios::trunc);
  }
  void write(const std::string& text) { out_.write(text.data(), static_cast<std::streamsize>(text.size())); }
  Result<void> close() {
    out_.close();
    std::error_code error;
    if (out_) fs::rename(building_, path_, error);
    if (!out_ || error)
      return fail("cannot write " + path_.string(),
                  error ? error.message() : "the folder may be full or read-only");
    return {};
  }

 private:
  fs::path path_, building_;
  std::ofstream out_;
};

std::string cell_of(const Hdf5Columns& rows, const Column& column, std::size_t row) {
  switch (column.type) {
    case ColumnType::int32:
    case ColumnType::int64:
      return std::to_string(rows.integers(column.name)[row]);
    case ColumnType::float64:
      return number_cell(rows.numbers(column.name)[row]);
    case ColumnType::text:
    case ColumnType::enumeration:
      return csv_cell(rows.texts(column.name)[row]);
  }
  return {};
}

Result<long long> write_table(const ResultsFile& results, const Table& table, const fs::path& folder) {
  std::vector<std::string> names;
  std::string head;
  for (const Column& column : table.columns) {
    head += (names.empty() ? "" : ",") + column.name;
    names.push_back(column.name);
  }
  CsvFile file(folder / (table.name + ".csv"));
  file.write(head + "\n");
  long long done = 0;
  for (;;) {
    const Result<Hdf5Columns> rows = results.columns(table.name, names, done, block_rows);
    if (!rows) return Failure(rows.error());
    std::string block;
    for (std::size_t i = 0; i < rows->rows(); ++i) {
      for (std::size_t j = 0; j < table.columns.size(); ++j)
        block += (j == 0 ? "" : ",") + cell_of(*rows, table.columns[j], i);
      block += '\n';
    }
    file.write(block);
    done += static_cast<long long>(rows->rows());
    if (static_cast<long long>(rows->rows()) < block_rows) break;
  }
  if (Result<void> closed = file.close(); !closed) return Failure(closed.error());
  return done;
}

std::string summary_csv(const ReportData& data) {
  const CampaignSummary summary = summarise(data);
  std::string out = "name,value,unit\n";
  const auto text = [&](const char* name, const std::string& value) {
    out += std::string(name) + "," + csv_cell(value) + ",\n";
  };
  const auto number = [&](const char* name, double value, const std::string& unit) {
    out += std::string(name) + "," + number_cell(value) + "," + csv_cell(unit) + "\n";
  };
  text("campaign", data.campaign);
  text("status", data.status);
  number("hotspots", summary.hotspots, "1");
  number("improved", summary.improved, "1");
  number("unchanged", summary.unchanged, "1");
  number("failed", summary.failed, "1");
  number("unfinished", summary.unfinished, "1");
  number("geometric_mean_finished", summary.finished.geometric_mean, "1");
  number("median_finished", summary.finished.median, "1");
  number("geometric_mean_improved", summary.faster.geometric_mean, "1");
  number("median_improved", summary.faster.median, "1");
  number("wall", summary.wall_s, "s");
  number("gpu_hours", summary.gpu_hours, "h");
  number("core_hours", summary.core_hours, "h");
  number("busy", summary.busy_hours, "h");
  number("candidates", static_cast<double>(summary.candidates), "1");
  number("evaluations", static_cast<double>(summary.evaluations), "1");
  number("model_calls", static_cast<double>(summary.calls), "1");
  number("tokens", static_cast<double>(summary.tokens), "1");
  number("cost", summary.cost, data.currency);
  return out;
}

}  // namespace

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return repaired_utf8(text);
  std::string out = "\"";
  for (const char one : text) out += one == '"' ? std::string("\"\"") : std::string(1, one);
  return repaired_utf8(out) + "\"";
}

Result<CsvFiles> write_csv(const ResultsFile& results, const ReportData& data, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail("cannot make the folder " + folder.string(), error.message());
  CsvFiles out;
  for (const Table& table : schema()) {
    if (table.columns.empty()) continue;  // the bytes of texts
    const Result<long long> rows = write_table(results, table, folder);
    if (!rows) return Failure(rows.error());
    out.rows += *rows;
    out.names.push_back(table.name + ".csv");
  }
  CsvFile file(folder / "summary.csv");
  file.write(summary_csv(data));
  if (Result<void> closed = file.close(); !closed) return Failure(closed.error());
  out.names.emplace_back("summary.csv");
  return out;
}

}  // namespace noctune
