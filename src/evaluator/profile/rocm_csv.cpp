#include "evaluator/profile/rocm_csv.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "evaluator/profile/csv.hpp"

namespace noctune {
namespace {

const char* const row_starts = "\"0123456789";

struct Column {
  const char* name;    // in the table
  const char* common;  // empty = not a counter
};
constexpr Column columns[] = {
    {"Index", ""},
    {"KernelName", ""},
    {"gpu-id", ""},
    {"queue-id", ""},
    {"queue-index", ""},
    {"pid", ""},
    {"tid", ""},
    {"sig", ""},
    {"obj", ""},
    {"fbar", ""},
    {"DispatchNs", ""},
    {"CompleteNs", ""},
    {"BeginNs", "begin_ns"},
    {"EndNs", "end_ns"},
    {"DurationNs", "duration_ns"},
    {"grd", "grid_threads"},
    {"wgr", "block_size"},
    {"lds", "shared_bytes"},
    {"scr", "scratch_bytes"},
    {"vgpr", "registers"},
    {"arch_vgpr", "registers"},
    {"accum_vgpr", "matrix_registers"},
    {"sgpr", "scalar_registers"},
    {"wave_size", "wave_size"},
    {"Start_Timestamp", "begin_ns"},
    {"End_Timestamp", "end_ns"},
    {"Grid_Size", "grid_threads"},
    {"Workgroup_Size", "block_size"},
    {"LDS_Block_Size", "shared_bytes"},
    {"Scratch_Size", "scratch_bytes"},
    {"VGPR_Count", "registers"},
    {"Accum_VGPR_Count", "matrix_registers"},
    {"SGPR_Count", "scalar_registers"},
};

// Empty for a column that is no counter; the name without an index for what is not in the table.
std::string common_name(const std::string& column) {
  for (const Column& known : columns)
    if (column == known.name) return known.common;
  return column.substr(0, column.find('['));
}

void add_to(Counter& counter, std::optional<double> value, bool first) {
  if (first || !value || !counter.value)
    counter.value = first ? value : std::nullopt;
  else
    *counter.value += *value;
}

void add_duration(KernelMetrics& row) {
  const auto begin = row.value("begin_ns"), end = row.value("end_ns");
  row.counters.erase("begin_ns");
  row.counters.erase("end_ns");
  if (!row.value("duration_ns") && begin && end && *end > *begin)
    row.counters["duration_ns"] = {*end - *begin, "ns"};
}

// "axpy(int, float*) [clone .kd]" and "axpy.kd" are the same kernel as "axpy".
std::string kernel_name(std::string name) {
  for (const std::string_view tail : {" [clone .kd]", ".kd"})
    if (name.ends_with(tail)) name.resize(name.size() - tail.size());
  return name;
}

std::string field_of(const CsvTable& table, const CsvRecord& record, const std::string& name) {
  for (std::size_t i = 0; i < table.header.size(); ++i)
    if (table.header[i] == name) return record[i];
  return {};
}

KernelMetrics dispatch_of(const CsvTable& table, const CsvRecord& record) {
  KernelMetrics out;
  out.kernel = kernel_name(field_of(table, record, "KernelName"));
  out.process = field_of(table, record, "pid");
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string name = common_name(table.header[i]);
    if (name.empty()) continue;
    const auto [place, first] = out.counters.try_emplace(name);
    add_to(place->second, csv_number(record[i]), first);
  }
  add_duration(out);
  return out;
}

Result<KernelRows> not_empty(KernelRows rows, const std::string& what) {
  if (rows.empty())
    return fail(what + " has no dispatches", "its table has a header alone",
                "the kernel's name must fit, and a counter that the device lacks empties the table");
  return rows;
}

Result<KernelRows> read_dispatches(std::string_view text, std::string_view header, const std::string& what) {
  const Result<CsvTable> table = read_csv_table(text, header, row_starts, what);
  if (!table) return Failure(table.error());
  KernelRows out;
  for (const CsvRecord& record : table->records) out.push_back(dispatch_of(*table, record));
  return not_empty(std::move(out), what);
}

bool has_line_start(std::string_view text, std::string_view start) {
  return text.starts_with(start) || text.find("\n" + std::string(start)) != std::string_view::npos;
}

KernelMetrics launch_of(const CsvTable& table, const CsvRecord& record) {
  KernelMetrics out;
  out.kernel = kernel_name(field_of(table, record, "Kernel_Name"));
  out.process = field_of(table, record, "Process_Id");
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string name = common_name(table.header[i]);
    if (!name.empty() && name != table.header[i]) out.counters[name].value = csv_number(record[i]);
  }
  add_duration(out);
  return out;
}

}  // namespace

Result<KernelRows> read_rocprof_csv(std::string_view text) {
  return read_dispatches(text, "Index", "the output of rocprof");
}

Result<KernelRows> read_hipprof_csv(std::string_view text) {
  const bool named_first = has_line_start(text, "KernelName") || has_line_start(text, "\"KernelName");
  return read_dispatches(text, named_first ? "KernelName" : "Index", "the output of hipprof");
}

Result<KernelRows> read_rocprofv3_csv(std::string_view text) {
  const std::string what = "the output of rocprofv3";
  const Result<CsvTable> table = read_csv_table(text, "Correlation_Id", row_starts, what);
  if (!table) return Failure(table.error());
  KernelRows out;
  std::map<std::string, std::size_t> places;  // process and dispatch -> its row
  for (const CsvRecord& record : table->records) {
    const std::string key =
        field_of(*table, record, "Process_Id") + "/" + field_of(*table, record, "Dispatch_Id");
    const auto [place, is_new] = places.try_emplace(key, out.size());
    if (is_new) out.push_back(launch_of(*table, record));
    KernelMetrics& row = out[place->second];
    const auto [counter, first] = row.counters.try_emplace(field_of(*table, record, "Counter_Name"));
    add_to(counter->second, csv_number(field_of(*table, record, "Counter_Value")), first);
  }
  return not_empty(std::move(out), what);
}

Result<KernelRows> join_passes(const std::vector<KernelRows>& passes) {
  if (passes.empty()) return fail("no profile was read", "there are no passes to join");
  KernelRows out = passes.front();
  for (const KernelRows& pass : passes) {
    const bool same =
        std::equal(out.begin(), out.end(), pass.begin(), pass.end(),
                   [](const KernelMetrics& a, const KernelMetrics& b) { return a.kernel == b.kernel; });
    if (!same)
      return fail("the passes of the profiler do not fit together",
                  "they saw different kernels, or another number of launches",
                  "profile a program that launches the same kernels in every run");
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i].counters.insert(pass[i].counters.begin(), pass[i].counters.end());
  }
  return out;
}

KernelRows rows_of_call(const KernelRows& rows, std::size_t skip, std::size_t count) {
  const std::size_t start = std::min(skip, rows.size()), end = std::min(count, rows.size() - start) + start;
  return {rows.begin() + static_cast<std::ptrdiff_t>(start), rows.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace noctune
