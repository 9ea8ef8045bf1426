#include "integration/kernel_time.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

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

// Fields may be quoted; a quoted one holds commas, and "" for a quote.
std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> out(1);
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && inside && i + 1 < line.size() && line[i + 1] == '"')
      out.back() += line[++i];
    else if (line[i] == '"')
      inside = !inside;
    else if (line[i] == ',' && !inside)
      out.emplace_back();
    else if (line[i] != '\r')
      out.back() += line[i];
  }
  return out;
}

struct Columns {
  std::size_t name = 0, time = 0;
  bool known = false;
};

// The heading of nsys stats or rocprof.
Columns columns_of(const std::vector<std::string>& fields) {
  Columns out;
  bool name = false, time = false;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i] == "Name" || fields[i] == "Kernel_Name") out.name = i, name = true;
    if (fields[i] == "Total Time (ns)" || fields[i] == "TotalDurationNs") out.time = i, time = true;
  }
  out.known = name && time;
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
  std::map<std::string, double> out;
  Columns columns;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = csv_fields(line);
    if (const Columns heading = columns_of(fields); heading.known) {
      columns = heading;
    } else if (columns.known && fields.size() > std::max(columns.name, columns.time)) {
      const double time = std::strtod(fields[columns.time].c_str(), nullptr);
      const std::string name = plain_name(fields[columns.name]);
      if (time > 0 && !name.empty()) out[name] += time / nanoseconds;
    } else if (!columns.known) {
      add_samples(line, out);
    }
  }
  return out;
}

double seconds_in(const std::map<std::string, double>& seconds, const std::set<std::string>& names) {
  double out = 0;
  for (const auto& [name, spent] : seconds)
    if (names.contains(name)) out += spent;
  return out;
}

}  // namespace noctune
