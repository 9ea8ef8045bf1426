#include "mep/case_args.hpp"

#include <algorithm>
#include <cmath>

#include "mep/runtime/random.hpp"

namespace noctune {
namespace {

Result<DataShape> csr_shape(const DataSpec& data, int index, const Symbols& symbols, std::uint64_t seed) {
  DataShape shape;
  const std::pair<const char*, long long*> wanted[] = {
      {"rows", &shape.rows}, {"cols", &shape.cols}, {"nnz_min", &shape.nnz_min}, {"nnz_max", &shape.nnz_max}};
  for (const auto& [key, target] : wanted) {
    const Result<long long> value = evaluate_integer(data.fields.at(key), symbols);
    if (!value) return in_place(value.error(), "data \"" + data.name + "\", " + key);
    if (*value < 0 || *value > (1LL << 40))
      return fail("data \"" + data.name + "\", " + key + " = " + std::to_string(*value),
                  "it lies outside 0 to 2^40");
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
  if (!param.value) return fail(place, "it has neither a value nor a count");
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
  const auto data =
      std::find_if(spec.data.begin(), spec.data.end(), [&](const DataSpec& d) { return d.name == name; });
  if (data == spec.data.end())
    return fail("parameter \"" + param.name + "\"", "there is no data \"" + name + "\"");
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
                "its count is " + std::to_string(arg.count) + ", but " + full + " has " +
                    std::to_string(elements) + " elements",
                plan.part == "row_ptr" ? "write \"" + name + ".rows+1\"" : "write \"" + name + ".nnz\"");
  const long long biggest = plan.part == "row_ptr" ? shape.nnz : plan.part == "col" ? shape.cols - 1 : 0;
  if (static_cast<double>(biggest) > largest(arg.element))
    return fail("parameter \"" + param.name + "\"",
                full + " reaches " + std::to_string(biggest) + ", beyond its type " + param.type);
  return plan;
}

}  // namespace

Failure in_place(const Error& error, const std::string& place) {
  return fail(place, error.problem + ": " + error.reason, error.hint);
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

namespace {

// Several numbers of one value: an array in a struct, or a member that all records hold alike.
Result<InitPlan> constant_plan(const ParamSpec& param, ElementType element, const Symbols& symbols) {
  const Result<double> value = by_value(param, element, symbols);
  if (!value) return Failure(value.error());
  InitPlan plan;
  plan.kind = InitSpec::Kind::constant;
  plan.declared = true;
  plan.value = *value;
  return plan;
}

}  // namespace

Result<ArgPlan> resolve_arg(const Leaf& leaf, const MepSpec& spec, const std::vector<DataShape>& shapes,
                            const Symbols& symbols) {
  const ParamSpec& param = leaf.param;
  ArgPlan arg;
  arg.name = param.name;
  arg.type = param.type;
  const std::optional<ElementForm> form = element_form_of(param.type, spec.defines);
  if (!form) return fail("parameter \"" + param.name + "\"", "its type \"" + param.type + "\" is not known");
  arg.element = form->element;
  arg.pointer = leaf.kind != Leaf::Kind::value;
  if (!arg.pointer) {
    const Result<double> value = by_value(param, arg.element, symbols);
    if (!value) return Failure(value.error());
    arg.scalar = *value;
    return arg;
  }
  const Result<long long> count = evaluate_integer(param.count, symbols);
  if (!count) return in_place(count.error(), "parameter \"" + param.name + "\", count");
  if (*count < 0 || *count > (1LL << 42) / form->scalars)
    return fail("parameter \"" + param.name + "\"", "its count is " + std::to_string(*count),
                "counts lie in 0 to 2^42");
  arg.count = *count * form->scalars;
  arg.role = param.role;
  arg.live_out = param.live_out;
  arg.keep_unwritten = param.keep_unwritten;
  arg.by_invariants = param.by_invariants;
  if (param.role != Role::in && param.role != Role::inout) return arg;
  arg.init = param.init ? stated_plan(*param.init) : default_plan(arg.element);
  Result<InitPlan> plan = arg.init;
  if (param.value)
    plan = constant_plan(param, arg.element, symbols);
  else if (param.init && param.init->kind == InitSpec::Kind::joint)
    plan = joint_plan(param, spec, shapes, arg);
  if (!plan) return Failure(plan.error());
  arg.init = *plan;
  return arg;
}

}  // namespace noctune
