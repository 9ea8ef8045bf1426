#include "coordinator/patterns/features.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>

#include "coordinator/patterns/feature_words.hpp"
#include "coordinator/patterns/kernel_shape.hpp"
#include "mep/driver_sources.hpp"
#include "mep/leaves.hpp"
#include "model/element_type.hpp"

namespace noctune {
namespace {

constexpr double low_intensity = 1, high_intensity = 8;  // flop per byte
// A ceiling that explains less than this of the time does not limit it.
constexpr double smallest_share = 0.05;

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string yes_no(bool found, bool certain) {
  return found ? "yes" : certain ? "no" : unknown_feature;
}

// --- from the spec ---

std::string family_of(ElementType type) {
  switch (type) {
    case ElementType::c64:
    case ElementType::c128:
      return "complex";
    case ElementType::u64:
      return "i64";
    case ElementType::u32:
      return "i32";
    case ElementType::u16:
      return "i16";
    case ElementType::u8:
    case ElementType::boolean:
      return "i8";
    default:
      return to_text(type);
  }
}

std::string dtype_of(const MepSpec& spec) {
  std::set<std::string> floating, integers;
  for (const Leaf& leaf : leaves_of(spec)) {
    if (leaf.kind == Leaf::Kind::value || leaf.kind == Leaf::Kind::inlined) continue;
    const std::optional<ElementType> type = element_of(leaf.param.type, spec.defines);
    if (!type) return unknown_feature;
    (is_floating(*type) ? floating : integers).insert(family_of(*type));
  }
  const std::set<std::string>& deciding = floating.empty() ? integers : floating;
  if (deciding.empty()) return unknown_feature;
  return deciding.size() == 1 ? *deciding.begin() : "mixed";
}

// --- from the source ---

std::optional<KernelShape> read_shape(const PrepareTask& task, const std::string& source) {
  RuleContext context;
  context.source = without_pragmas(source);
  context.context = context_header(task.mep.spec, task.mep.context);
  context.entry = task.mep.spec.entry;
  context.flags = task.mep.flags.empty() ? task.platform.flags : task.mep.flags;
  context.spec = task.mep.spec;
  int vector_bytes = 16;
  Result<rules::Program> program = rules::read_program(context, vector_bytes);
  if (!program) return {};
  return shape_of(std::move(*program));
}

void add_shape(const std::optional<KernelShape>& read, KernelFeatures& out) {
  const KernelShape shape = read.value_or(KernelShape{});
  out["loop_depth"] = shape.loop_depth > 0 ? std::to_string(shape.loop_depth)
                      : shape.whole        ? "0"
                                           : unknown_feature;
  out["reduction"] = yes_no(shape.reduction, shape.whole);
  out["stencil"] = yes_no(shape.stencil, shape.whole);
  out["indirect"] = yes_no(shape.indirect, shape.whole);
  out["branches"] = yes_no(shape.branches, shape.whole);
  out["calls_math"] = yes_no(shape.calls_math, shape.whole);
  out["transposed"] = yes_no(shape.transposed, shape.whole);
}

// --- from sizes and ceilings ---

std::string home_of(long long bytes, const DeviceFacts& device) {
  if (bytes <= 0) return unknown_feature;
  const long long last = device.last_level_cache_bytes;
  if (device.l1_bytes > 0 && bytes <= device.l1_bytes) return "l1";
  if (device.l2_bytes > 0 && bytes <= device.l2_bytes) return "l2";
  if (last <= 0) return unknown_feature;
  return bytes <= last ? "llc" : "memory";
}

// Of the fastest level that was measured with a working set like this one; the slowest known beyond that.
double bandwidth_for(const std::vector<Ceiling>& ceilings, double bytes) {
  double fitting = 0, slowest = 0;
  for (const Ceiling& one : ceilings) {
    if (one.unit != "B/s") continue;
    slowest = slowest == 0 ? one.value : std::min(slowest, one.value);
    if (one.bytes >= bytes) fitting = std::max(fitting, one.value);
  }
  return fitting > 0 ? fitting : slowest;
}

double peak_for(const std::vector<Ceiling>& ceilings, const std::string& dtype) {
  const std::string name = dtype == "f32" ? "fp32 FMA" : dtype == "f64" ? "fp64 FMA" : "";
  for (const Ceiling& one : ceilings)
    if (one.name == name) return one.value;
  return 0;
}

void add_intensity(const SizedCase& sized, KernelFeatures& out) {
  if (sized.flops <= 0 || sized.bytes <= 0) return;
  const double ratio = sized.flops / sized.bytes;
  out["flops_per_byte"] = number_text(ratio);
  out["intensity"] = ratio < low_intensity ? "low" : ratio < high_intensity ? "medium" : "high";
}

// `processors`: the share of the device that the original could use.
void add_bottleneck(const SizedCase& sized, const MepReport& report, const DeviceFacts& device,
                    double processors, KernelFeatures& out) {
  const double bandwidth = bandwidth_for(device.ceilings, static_cast<double>(sized.data_bytes));
  const double peak = peak_for(device.ceilings, out.at("dtype")), seconds = report.baseline_seconds;
  if (seconds <= 0) return;
  const double memory = bandwidth > 0 ? sized.bytes / bandwidth / seconds : 0;
  const double compute = peak > 0 ? sized.flops / peak / seconds : 0;
  if (memory > 0) out["memory_share"] = number_text(memory);
  if (compute > 0) out["compute_share"] = number_text(compute);
  if (memory <= 0 || compute <= 0) return;
  const double larger = std::max(memory, compute);
  out["bottleneck"] = larger < smallest_share * processors ? "latency"
                      : memory >= compute                  ? "memory"
                                                           : "compute";
}

}  // namespace

KernelFeatures features_of(const PrepareTask& task, const MepReport& report, const DeviceFacts& device,
                           const std::string& source) {
  KernelFeatures out;
  for (const std::string& name : feature_names()) out[name] = unknown_feature;
  out["backend"] = task.platform.backend;
  out["dtype"] = dtype_of(task.mep.spec);
  out["arrays"] = std::to_string(std::count_if(task.mep.spec.params.begin(), task.mep.spec.params.end(),
                                               [](const ParamSpec& param) { return param.is_pointer(); }));
  out["parallel"] = starts_threads(source) ? "yes" : "no";
  add_shape(read_shape(task, source), out);
  const SizedCase* sized = heaviest_case(report);
  if (!sized) return out;
  out["working_set"] = home_of(sized->data_bytes, device);
  add_intensity(*sized, out);
  const std::size_t cpus = std::max<std::size_t>(device.measured_cpus.size(), 1);
  const double threads = task.platform.threads > 0 ? task.platform.threads : static_cast<double>(cpus);
  add_bottleneck(*sized, report, device, starts_threads(task.mep.original) ? 1 : 1 / threads, out);
  return out;
}

}  // namespace noctune
