#include "integration/kernel_time.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "evaluator/profile/csv.hpp"

namespace noctune {
namespace {

constexpr double nanoseconds = 1e9;

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// "void ns::f<int>(int)", "(anonymous namespace)::f(int) [clone ._omp_fn.0]", "f._omp_fn.0" are all f.
std::string plain_name(std::string symbol) {
  const std::string nameless = "(anonymous namespace)::";
  for (std::size_t at; (at = symbol.find(nameless)) != std::string::npos;) symbol.erase(at, nameless.size());
  symbol = symbol.substr(0, symbol.find_first_of("(<[."));
  while (!symbol.empty() && symbol.back() == ' ') symbol.pop_back();
  const std::size_t before = symbol.find_last_of(" :*&");
  return before == std::string::npos ? symbol : symbol.substr(before + 1);
}

// perf report -F period,symbol: "     28056112  [.] (anonymous namespace)::spmv".
void add_samples(const std::string& line, std::map<std::string, double>& out) {
  const std::size_t mark = line.find("[.] ");
  char* end = nullptr;
  const double period = std::strtod(line.c_str(), &end);
  if (mark == std::string::npos || end == line.c_str() || !(period > 0)) return;
  const std::string name = plain_name(line.substr(mark + 4));
  if (!name.empty()) out[name] += period / nanoseconds;
}

// Of nsys stats or rocprof; nothing where it is neither, or was cut off.
std::map<std::string, double> table_seconds(const std::string& listing) {
  std::map<std::string, double> out;
  for (const char* first : {"Time (%)", "Name", "Kernel_Name"}) {
    const Result<CsvTable> table = read_csv_table(listing, first, "\"0123456789", "the profile");
    if (!table) continue;
    const auto column = [&](const char* name, const char* other) {
      const auto found = std::find_if(table->header.begin(), table->header.end(),
                                      [&](const std::string& one) { return one == name || one == other; });
      return static_cast<std::size_t>(found - table->header.begin());
    };
    const std::size_t name = column("Name", "Kernel_Name"),
                      time = column("Total Time (ns)", "TotalDurationNs");
    if (std::max(name, time) >= table->header.size()) continue;
    for (const CsvRecord& record : table->records) {
      const double spent = csv_number(record[time]).value_or(0);
      const std::string plain = plain_name(record[name]);
      if (spent > 0 && !plain.empty()) out[plain] += spent / nanoseconds;
    }
  }
  return out;
}

}  // namespace

std::vector<KernelProfiler> kernel_profilers(const std::string& backend, const std::string& run,
                                             const std::string& file) {
  const std::string shell = "/bin/sh -c " + quoted(run);
  const auto at = [&](const char* end) { return quoted(file + end); };
  if (backend == "cuda")
    return {{"nsys",
             "nsys profile --trace=cuda --sample=none --cpuctxsw=none --force-overwrite=true -o " + at("") +
                 " " + shell,
             "nsys stats -q --force-export=true --report cuda_gpu_kern_sum --format csv " + at(".nsys-rep")}};
  if (backend == "hip")
    return {{"rocprofv3",
             "rocprofv3 --kernel-trace --stats --output-format csv -d " + at(".rocprof") + " -o kernels -- " +
                 shell,
             "cat " + at(".rocprof") + "/kernels_kernel_stats.csv"},
            {"rocprof", "rocprof --stats -o " + at(".csv") + " " + shell, "cat " + at(".stats.csv")}};
  return {{"perf", "perf record -q -e cpu-clock:u -F 499 -o " + at(".perf") + " -- " + shell,
           "perf report -i " + at(".perf") + " --stdio --no-children -F period,symbol -g none"}};
}

std::map<std::string, double> function_seconds(const std::string& listing) {
  std::map<std::string, double> out = table_seconds(listing);
  if (!out.empty()) return out;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) add_samples(line, out);
  return out;
}

double seconds_in(const std::map<std::string, double>& seconds, const std::set<std::string>& names) {
  double out = 0;
  for (const auto& [name, spent] : seconds)
    if (names.contains(name)) out += spent;
  return out;
}

}  // namespace noctune
