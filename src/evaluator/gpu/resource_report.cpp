// ptxas: "Compiling entry function 'f' for 'sm_90'" opens a kernel, "Function properties for f" names whose
// frame and spills the next line gives, and "Used ..." is the kernel's that was opened last. A function
// without an opening is a device function. hipcc: "Function Name: f" opens a block; only kernels have an LDS
// line.
#include "evaluator/gpu/resource_report.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string_view>

namespace noctune {
namespace {

// References to earlier parts of a mangled name, S_ or T0_: a few levels of pair<pair<..>, pair<..>> in a
// candidate make a demangled name of gigabytes.
std::size_t back_references(const std::string& name) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < name.size(); ++i)
    if ((name[i] == 'S' || name[i] == 'T') && (name[i + 1] == '_' || name[i + 1] < 'a')) ++count;
  return count;
}

std::string demangled(const std::string& name) {
  constexpr std::size_t too_long = 1024, too_many = 24, shown = 1024;
  if (!name.starts_with("_Z") || name.size() > too_long || back_references(name) > too_many) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()).substr(0, shown) : name;
}

// Digits at the end of `text`, or at its start; 0 where there are none or too many.
long long number_at(std::string_view text, bool end) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t from = 0, to = text.size();
  if (end)
    for (from = to; from > 0 && digit(text[from - 1]);) --from;
  long long value = 0;
  const auto [stop, bad] = std::from_chars(text.data() + from, text.data() + to, value);
  return bad == std::errc() && value >= 0 ? value : 0;
}

int small(long long value) {
  return static_cast<int>(std::min<long long>(value, std::numeric_limits<int>::max()));
}

// The number before " bytes spill stores" and the like.
long long before(std::string_view line, std::string_view words) {
  const auto at = line.find(words);
  return at == std::string_view::npos ? 0 : number_at(line.substr(0, at), true);
}

// All numbers before "bytes cmem[0]", "bytes cmem[2]" together.
long long constants(std::string_view line) {
  long long sum = 0;
  constexpr std::string_view words = " bytes cmem[";
  for (auto at = line.find(words); at != std::string_view::npos; at = line.find(words)) {
    sum = std::min(sum + std::min(number_at(line.substr(0, at), true), 1LL << 40), 1LL << 40);
    line.remove_prefix(at + words.size());
  }
  return sum;
}

std::string between(const std::string& line, std::string_view start, std::string_view stop) {
  const auto from = line.find(start);
  if (from == std::string::npos) return {};
  const auto begin = from + start.size(), end = line.find(stop, begin);
  return line.substr(begin, stop.empty() || end == std::string::npos ? std::string::npos : end - begin);
}

KernelResources named(std::string name, std::string arch) {
  KernelResources out;
  out.demangled = demangled(name);
  out.name = std::move(name);
  out.arch = std::move(arch);
  return out;
}

class PtxasReader {
 public:
  void line(const std::string& text) {
    if (std::string kernel = between(text, "Compiling entry function '", "'"); !kernel.empty()) {
      arch_ = between(text, "' for '", "'");
      kernels_.push_back(named(std::move(kernel), arch_));
    } else if (std::string name = between(text, "Function properties for ", ""); !name.empty()) {
      properties_of_ = std::move(name);
    } else if (text.find(" bytes stack frame, ") != std::string::npos) {
      frame(text);
    } else if (text.find(": Used ") != std::string::npos && !kernels_.empty()) {
      used(text, kernels_.back());
    }
  }
  ResourceReport done() { return {std::move(kernels_), std::move(functions_)}; }

 private:
  void frame(const std::string& text) {
    if (properties_of_.empty()) return;
    const bool entry = !kernels_.empty() && kernels_.back().name == properties_of_;
    if (!entry) functions_.push_back(named(properties_of_, arch_));
    KernelResources& out = entry ? kernels_.back() : functions_.back();
    out.stack_bytes = before(text, " bytes stack frame");
    out.spill_store_bytes = before(text, " bytes spill stores");
    out.spill_load_bytes = before(text, " bytes spill loads");
    out.local_bytes = out.spill_store_bytes + out.spill_load_bytes == 0 ? out.stack_bytes : 0;
    properties_of_.clear();
  }
  static void used(const std::string& text, KernelResources& out) {
    out.registers = small(before(text, " registers"));
    out.barriers = small(before(text, " barriers"));
    out.shared_bytes = before(text, " bytes smem");
    out.constant_bytes = constants(text);
  }

  std::vector<KernelResources> kernels_, functions_;
  std::string arch_, properties_of_;
};

class HipReader {
 public:
  explicit HipReader(std::vector<std::string> architectures) : architectures_(std::move(architectures)) {
    std::sort(architectures_.begin(), architectures_.end());
  }
  // "k.hip:5:1: remark:     VGPRs: 7 [-Rpass-analysis=...]"; other versions put the place behind "remark:".
  void line(std::string_view text) {
    const auto mark = text.find(" [-Rpass-analysis=kernel-resource-usage]");
    if (mark == std::string_view::npos) return;
    text = text.substr(0, mark);
    const auto colon = text.rfind(": ");
    if (colon == std::string_view::npos) return;
    std::string_view key = text.substr(0, colon);
    if (const auto start = key.rfind(':'); start != std::string_view::npos) key.remove_prefix(start + 1);
    key.remove_prefix(std::min(key.find_first_not_of(' '), key.size()));
    fact(key, text.substr(colon + 2));
  }
  ResourceReport done() {
    close();
    return std::move(report_);
  }

 private:
  void fact(std::string_view key, std::string_view value) {
    if (key == "Function Name") {
      close();
      open_ = named(std::string(value), {});
      return;
    }
    const long long number = number_at(value, false);
    if (key == "VGPRs") open_.registers = small(number);
    if (key == "SGPRs" || key == "TotalSGPRs") open_.sgprs = small(number);
    if (key == "AGPRs") open_.agprs = small(number);
    if (key == "ScratchSize [bytes/lane]") open_.scratch_bytes = open_.stack_bytes = number;
    if (key == "VGPRs Spill") open_.spill_store_bytes = open_.spill_load_bytes = 4LL * small(number);
    if (key != "LDS Size [bytes/block]") return;
    open_.shared_bytes = number;
    is_kernel_ = true;
  }
  void close() {
    if (open_.name.empty()) return;
    const std::size_t times = seen_[open_.name]++;
    if (times < architectures_.size()) open_.arch = architectures_[times];
    if (open_.spill_store_bytes == 0) open_.local_bytes = open_.scratch_bytes;
    (is_kernel_ ? report_.kernels : report_.functions).push_back(std::move(open_));
    open_ = {};
    is_kernel_ = false;
  }

  std::vector<std::string> architectures_;
  std::map<std::string, std::size_t> seen_;
  KernelResources open_;
  bool is_kernel_ = false;
  ResourceReport report_;
};

template <class Reader>
ResourceReport read_lines(const std::string& diagnostics, Reader reader) {
  std::istringstream lines(diagnostics);
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    reader.line(line);
  }
  return reader.done();
}

}  // namespace

ResourceReport ptxas_report(const std::string& diagnostics) {
  return read_lines(diagnostics, PtxasReader());
}

ResourceReport hip_report(const std::string& diagnostics, std::vector<std::string> architectures) {
  return read_lines(diagnostics, HipReader(std::move(architectures)));
}

ResourceReport compiler_report(const std::string& backend, const std::string& diagnostics) {
  return backend == "cuda" ? ptxas_report(diagnostics) : hip_report(diagnostics, {});
}

ResourceSum resource_sum(const ResourceReport& report, const std::string& arch) {
  ResourceSum out;
  for (const KernelResources& one : report.kernels) {
    if (!arch.empty() && one.arch != arch) continue;
    ++out.kernels;
    out.registers = std::max(out.registers, one.registers);
    out.shared_bytes = std::max(out.shared_bytes, one.shared_bytes);
    out.spill_bytes = std::max(out.spill_bytes, one.spill_store_bytes + one.spill_load_bytes);
  }
  return out;
}

void add_occupancy(ResourceReport& report, int block_threads, long long dynamic_shared_bytes) {
  for (KernelResources& one : report.kernels) {
    const Result<DeviceLimits> limits = device_limits(one.arch);
    if (!limits) continue;
    KernelNeeds needs;
    needs.registers = one.registers;
    needs.sgprs = one.sgprs;
    needs.agprs = one.agprs;
    needs.barriers = one.barriers;
    needs.static_shared_bytes = one.shared_bytes;
    needs.dynamic_shared_bytes = dynamic_shared_bytes;
    needs.block_threads = block_threads;
    const Occupancy found = occupancy_of(*limits, needs);
    one.occupancy = found.fraction;
    one.limiter = found.limiter;
  }
}

}  // namespace noctune
