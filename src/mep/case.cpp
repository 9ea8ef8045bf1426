// Order: sizes, then the data sets' derived counts, then each argument, then work and depth.
#include "mep/case.hpp"

#include <algorithm>
#include <cmath>

#include "mep/runtime/random.hpp"
#include "model/expression.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

using Sizes = std::map<std::string, long long>;

Failure in_place(const Error& error, const std::string& place) {
  return fail(place, error.problem + ": " + error.reason, error.hint);
}

// What must be computed for a size: a number, an expression over other sizes, or what sizing chose.
Result<std::string> text_of(const SizeSpec& size, const CaseSpec& chosen, const Sizes& scaling) {
  const auto given = chosen.sizes.find(size.name);
  if (given != chosen.sizes.end() && given->second != "auto") return given->second;
  const auto sized = scaling.find(size.name);
  if (size.scale && sized != scaling.end()) return std::to_string(sized->second);
  if (size.value > 0) return std::to_string(size.value);
  return fail("case \"" + chosen.name + "\", size \"" + size.name + "\"", "it has no value",
              "give it a default, or let sizing choose it (\"scale\": true)");
}

Result<void> check_size(const SizeSpec& size, long long value, const std::string& case_name) {
  const std::string place = "case \"" + case_name + "\", size \"" + size.name + "\" = " + std::to_string(value);
  if (value < size.min || value > size.max)
    return fail(place, "it lies outside " + std::to_string(size.min) + " to " + std::to_string(size.max));
  if (value % size.multiple_of != 0) return fail(place, "it is not a multiple of " + std::to_string(size.multiple_of));
  if (size.power_of_two && (value & (value - 1)) != 0) return fail(place, "it is not a power of two");
  return {};
}

// Sizes may be written in terms of one another: what is known is put in until nothing changes.
Result<Sizes> resolve_sizes(const MepSpec& spec, const CaseSpec& chosen, const Sizes& scaling) {
  Sizes known;
  Symbols symbols;
  Error last{"case \"" + chosen.name + "\"", "its sizes refer to one another in a circle"};
  bool progress = true;
  while (progress && known.size() < spec.sizes.size()) {
    progress = false;
    for (const SizeSpec& size : spec.sizes) {
      if (known.count(size.name)) continue;
      const Result<std::string> text = text_of(size, chosen, scaling);
      if (!text) return Failure(text.error());
      const Result<std::vector<std::string>> names = names_in(*text);
      if (!names) return in_place(names.error(), "case \"" + chosen.name + "\", size \"" + size.name + "\"");
      if (!std::all_of(names->begin(), names->end(), [&](const std::string& name) { return symbols.count(name) > 0; })) {
        last.hint = "\"" + size.name + "\" is " + *text;
        continue;
      }
      const Result<long long> value = evaluate_integer(*text, symbols);
      if (!value) return in_place(value.error(), "case \"" + chosen.name + "\", size \"" + size.name + "\"");
      if (const Result<void> fits = check_size(size, *value, chosen.name); !fits) return Failure(fits.error());
      known[size.name] = *value;
      symbols[size.name] = static_cast<double>(*value);
      progress = true;
    }
  }
  if (known.size() < spec.sizes.size()) return Failure(last);
  return known;
}

// ---- data sets

struct DataShape {
  long long rows = 0, cols = 0, nnz_min = 0, nnz_max = 0, nnz = 0;
  double low = -1, high = 1;
  bool declared = false;
};

Result<DataShape> csr_shape(const DataSpec& data, int index, const Symbols& symbols, std::uint64_t seed) {
  DataShape shape;
  const std::pair<const char*, long long*> wanted[] = {
      {"rows", &shape.rows}, {"cols", &shape.cols}, {"nnz_min", &shape.nnz_min}, {"nnz_max", &shape.nnz_max}};
  for (const auto& [key, target] : wanted) {
    const Result<long long> value = evaluate_integer(data.fields.at(key), symbols);
    if (!value) return in_place(value.error(), "data \"" + data.name + "\", " + key);
    if (*value < 0 || *value > (1LL << 40))
      return fail("data \"" + data.name + "\", " + key + " = " + std::to_string(*value), "it lies outside 0 to 2^40");
    *target = *value;
  }
  shape.nnz_max = std::min(shape.nnz_max, shape.cols);
  shape.nnz_min = std::min(shape.nnz_min, shape.nnz_max);
  for (const auto& [key, target] : {std::pair("low", &shape.low), std::pair("high", &shape.high)}) {
    if (!data.fields.count(key)) continue;
    const Result<double> value = evaluate(data.fields.at(key), symbols);
    if (!value) return in_place(value.error(), "data \"" + data.name + "\", " + key);
    *target = *value;
    shape.declared = true;
  }
  if (shape.high < shape.low) return fail("data \"" + data.name + "\"", "high is below low");
  const std::uint64_t key = stream_key(seed, csr_structure_stream + static_cast<std::uint64_t>(index));
  for (long long row = 0; row < shape.rows; ++row)
    shape.nnz += static_cast<long long>(csr_row_length(key, static_cast<std::uint64_t>(row),
                                                       static_cast<std::uint64_t>(shape.nnz_min),
                                                       static_cast<std::uint64_t>(shape.nnz_max)));
  return shape;
}

Result<std::vector<DataShape>> resolve_data(const MepSpec& spec, Symbols& symbols, std::uint64_t seed) {
  std::vector<DataShape> shapes;
  const Symbols sizes = symbols;
  for (const DataSpec& data : spec.data) {
    const Result<DataShape> shape = csr_shape(data, static_cast<int>(shapes.size()), sizes, seed);
    if (!shape) return Failure(shape.error());
    symbols[data.name + ".rows"] = static_cast<double>(shape->rows);
    symbols[data.name + ".cols"] = static_cast<double>(shape->cols);
    symbols[data.name + ".nnz"] = static_cast<double>(shape->nnz);
    shapes.push_back(*shape);
  }
  return shapes;
}

// ---- arguments

double largest(ElementType type) {
  const int bits = static_cast<int>(8 * size_of(type));
  if (type == ElementType::boolean) return 1;
  const bool is_unsigned = type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32;
  return bits == 64 ? 0x1p53 : std::ldexp(1.0, is_unsigned ? bits : bits - 1) - 1;
}
double smallest(ElementType type) {
  switch (type) {
    case ElementType::boolean:
    case ElementType::u8:
    case ElementType::u16:
    case ElementType::u32:
    case ElementType::u64:
      return 0;
    default:
      return size_of(type) == 8 ? -0x1p53 : -std::ldexp(1.0, static_cast<int>(8 * size_of(type)) - 1);
  }
}

Result<double> by_value(const ParamSpec& param, ElementType type, const Symbols& symbols) {
  const std::string place = "parameter \"" + param.name + "\"";
  if (is_floating(type)) {
    const Result<double> value = evaluate(*param.value, symbols);
    if (!value) return in_place(value.error(), place);
    return *value;
  }
  const Result<long long> value = evaluate_integer(*param.value, symbols);
  if (!value) return in_place(value.error(), place);
  const double number = static_cast<double>(*value);
  if (number < smallest(type) || number > largest(type))
    return fail(place + " = " + std::to_string(*value), "it does not fit the type " + param.type);
  return number;
}

InitPlan default_plan(ElementType type) {
  InitPlan plan;
  plan.kind = is_floating(type) ? InitSpec::Kind::uniform : InitSpec::Kind::integers;
  if (!is_floating(type)) {
    plan.low = 0;
    plan.high = type == ElementType::boolean ? 1 : type == ElementType::u8 ? 255 : 9;
  }
  return plan;
}

InitPlan stated_plan(const InitSpec& init) {
  InitPlan plan;
  plan.kind = init.kind;
  plan.declared = true;
  plan.low = init.low;
  plan.high = init.high;
  plan.mean = init.mean;
  plan.sd = init.sd;
  plan.value = init.value;
  plan.step = init.step;
  return plan;
}

Result<InitPlan> joint_plan(const ParamSpec& param, const MepSpec& spec, const std::vector<DataShape>& shapes,
                            ArgPlan& arg) {
  const std::string& full = param.init->part;
  const std::string name = full.substr(0, full.find('.'));
  const auto data = std::find_if(spec.data.begin(), spec.data.end(), [&](const DataSpec& d) { return d.name == name; });
  if (data == spec.data.end()) return fail("parameter \"" + param.name + "\"", "there is no data \"" + name + "\"");
  InitPlan plan;
  plan.kind = InitSpec::Kind::joint;
  plan.part = full.substr(full.find('.') + 1);
  plan.data_index = static_cast<int>(data - spec.data.begin());
  const DataShape& shape = shapes[static_cast<std::size_t>(plan.data_index)];
  plan.rows = shape.rows;
  plan.cols = shape.cols;
  plan.nnz_min = shape.nnz_min;
  plan.nnz_max = shape.nnz_max;
  plan.low = shape.low;
  plan.high = shape.high;
  plan.declared = shape.declared;
  if (plan.part == "val" && !is_floating(arg.element) && !shape.declared) {
    plan.low = 0;
    plan.high = default_plan(arg.element).high;
  }
  const long long elements = plan.part == "row_ptr" ? shape.rows + 1 : shape.nnz;
  if (arg.count != elements)
    return fail("parameter \"" + param.name + "\"",
                "its count is " + std::to_string(arg.count) + ", but " + full + " has " + std::to_string(elements) + " elements",
                plan.part == "row_ptr" ? "write \"" + name + ".rows+1\"" : "write \"" + name + ".nnz\"");
  const long long biggest = plan.part == "row_ptr" ? shape.nnz : plan.part == "col" ? shape.cols - 1 : 0;
  if (static_cast<double>(biggest) > largest(arg.element))
    return fail("parameter \"" + param.name + "\"", full + " reaches " + std::to_string(biggest) + ", beyond its type " + param.type);
  return plan;
}

Result<ArgPlan> resolve_arg(const ParamSpec& param, const MepSpec& spec, const std::vector<DataShape>& shapes,
                            const Symbols& symbols) {
  ArgPlan arg;
  arg.name = param.name;
  arg.type = param.type;
  const std::optional<ElementType> element = element_of(param.type, spec.defines);
  if (!element) return fail("parameter \"" + param.name + "\"", "its type \"" + param.type + "\" is not known");
  arg.element = *element;
  arg.pointer = param.is_pointer();
  if (!arg.pointer) {
    const Result<double> value = by_value(param, arg.element, symbols);
    if (!value) return Failure(value.error());
    arg.scalar = *value;
    return arg;
  }
  const Result<long long> count = evaluate_integer(param.count, symbols);
  if (!count) return in_place(count.error(), "parameter \"" + param.name + "\", count");
  if (*count < 0 || *count > (1LL << 42))
    return fail("parameter \"" + param.name + "\"", "its count is " + std::to_string(*count), "counts lie in 0 to 2^42");
  arg.count = *count;
  arg.role = param.role;
  arg.live_out = param.live_out;
  arg.keep_unwritten = param.keep_unwritten;
  if (param.role != Role::in && param.role != Role::inout) return arg;
  arg.init = param.init ? stated_plan(*param.init) : default_plan(arg.element);
  if (!param.init || param.init->kind != InitSpec::Kind::joint) return arg;
  const Result<InitPlan> plan = joint_plan(param, spec, shapes, arg);
  if (!plan) return Failure(plan.error());
  arg.init = *plan;
  return arg;
}

Result<double> work(const std::string& expression, const Symbols& symbols, const char* what, double at_least) {
  if (expression.empty()) return 0.0;
  const Result<double> value = evaluate(expression, symbols);
  if (!value) return in_place(value.error(), what);
  if (*value < at_least) return fail(what, "its value, " + std::to_string(*value) + ", is too small");
  return *value;
}

Result<void> resolve_work(const MepSpec& spec, const Symbols& symbols, ResolvedCase& out) {
  const std::tuple<const std::string&, const char*, double, double*> wanted[] = {
      {spec.flops, "flops", 0, &out.flops}, {spec.bytes, "bytes", 0, &out.bytes}, {spec.check.depth, "check.depth", 0, &out.depth}};
  for (const auto& [expression, what, at_least, target] : wanted) {
    const Result<double> value = work(expression, symbols, what, at_least);
    if (!value) return Failure(value.error());
    *target = *value;
  }
  out.depth = std::max(1.0, out.depth);
  return {};
}

}  // namespace

std::string ResolvedCase::sizes_text() const {
  std::string out;
  for (const auto& [size, value] : sizes) out += (out.empty() ? "" : " ") + size + "=" + std::to_string(value);
  return out;
}

std::vector<std::string> auto_sizes(const MepSpec& spec, const CaseSpec& chosen) {
  std::vector<std::string> open;
  for (const SizeSpec& size : spec.sizes) {
    const auto given = chosen.sizes.find(size.name);
    if (size.scale && (given == chosen.sizes.end() || given->second == "auto")) open.push_back(size.name);
  }
  return open;
}

Result<ResolvedCase> resolve_case(const MepSpec& spec, const CaseSpec& chosen,
                                  const std::map<std::string, long long>& scaling_sizes, std::uint64_t seed) {
  ResolvedCase out;
  out.name = chosen.name;
  out.use = chosen.use;
  out.weight = chosen.weight;
  out.seed = seed;
  Result<Sizes> sizes = resolve_sizes(spec, chosen, scaling_sizes);
  if (!sizes) return Failure(sizes.error());
  out.sizes = *sizes;
  Symbols symbols;
  for (const auto& [name, value] : out.sizes) symbols[name] = static_cast<double>(value);
  const Result<std::vector<DataShape>> shapes = resolve_data(spec, symbols, seed);
  if (!shapes) return in_place(shapes.error(), "case \"" + chosen.name + "\" (" + out.sizes_text() + ")");
  for (const ParamSpec& param : spec.params) {
    Result<ArgPlan> arg = resolve_arg(param, spec, *shapes, symbols);
    if (!arg) return in_place(arg.error(), "case \"" + chosen.name + "\" (" + out.sizes_text() + ")");
    out.data_bytes += arg->bytes();
    out.args.push_back(std::move(*arg));
  }
  if (const Result<void> good = resolve_work(spec, symbols, out); !good)
    return in_place(good.error(), "case \"" + chosen.name + "\" (" + out.sizes_text() + ")");
  return out;
}

}  // namespace noctune
