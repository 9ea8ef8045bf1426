// The line below the header holds the units; there the identifying columns are empty.
#include "evaluator/profile/ncu_csv.hpp"

#include <cstddef>

#include "evaluator/profile/csv.hpp"

namespace noctune {
namespace {

struct Scaled {
  const char* unit;
  const char* base;
  double factor;
};
constexpr Scaled scaled_units[] = {
    {"nsecond", "ns", 1},
    {"us", "ns", 1e3},
    {"usecond", "ns", 1e3},
    {"ms", "ns", 1e6},
    {"msecond", "ns", 1e6},
    {"s", "ns", 1e9},
    {"second", "ns", 1e9},
    {"Kbyte", "byte", 1e3},
    {"Mbyte", "byte", 1e6},
    {"Gbyte", "byte", 1e9},
    {"byte/second", "byte/s", 1},
    {"Kbyte/s", "byte/s", 1e3},
    {"Kbyte/second", "byte/s", 1e3},
    {"Mbyte/s", "byte/s", 1e6},
    {"Mbyte/second", "byte/s", 1e6},
    {"Gbyte/s", "byte/s", 1e9},
    {"Gbyte/second", "byte/s", 1e9},
    {"Tbyte/s", "byte/s", 1e12},
    {"Tbyte/second", "byte/s", 1e12},
    {"cycle/second", "hz", 1},
    {"cycle/usecond", "hz", 1e6},
    {"cycle/nsecond", "hz", 1e9},
    {"Khz", "hz", 1e3},
    {"Mhz", "hz", 1e6},
    {"Ghz", "hz", 1e9},
};

Counter in_base_units(std::optional<double> value, const std::string& unit) {
  for (const Scaled& known : scaled_units)
    if (unit == known.unit) return {value ? std::optional(*value * known.factor) : value, known.base};
  return {value, unit};
}

std::optional<std::size_t> column(const CsvRecord& header, const char* name) {
  for (std::size_t i = 0; i < header.size(); ++i)
    if (header[i] == name) return i;
  return {};
}

bool is_identity(const std::string& name) {
  return name.find("__") == std::string::npos;
}

KernelMetrics row_of(const CsvRecord& header, const CsvRecord& units, const CsvRecord& record) {
  KernelMetrics out;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] == "Kernel Name") out.kernel = record[i];
    if (header[i] == "Process ID") out.process = record[i];
    if (is_identity(header[i])) continue;
    const std::string unit = i < units.size() ? units[i] : std::string();
    out.counters.emplace(header[i], in_base_units(csv_number(record[i]), unit));
  }
  return out;
}

}  // namespace

Result<KernelRows> read_ncu_csv(std::string_view text) {
  const Result<CsvTable> table = read_csv_table(text, "ID\"", "\"", "the output of ncu");
  if (!table) return Failure(table.error());
  const auto id = column(table->header, "ID");
  if (!id || !column(table->header, "Kernel Name"))
    return fail("the output of ncu has no kernel names", "its table has other columns than the raw page",
                "call ncu with --csv --page raw");
  CsvRecord units;
  KernelRows out;
  for (const CsvRecord& record : table->records) {
    if (record[*id].empty())
      units = record;
    else
      out.push_back(row_of(table->header, units, record));
  }
  if (out.empty())
    return fail("ncu profiled no launch", "its table has no rows",
                "the kernel's name, --launch-skip and --launch-count must fit the program");
  return out;
}

}  // namespace noctune
