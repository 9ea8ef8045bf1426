#include "mep/case_args.hpp"

#include <algorithm>
#include <cmath>

#include "mep/data/data_shape.hpp"

namespace noctune {
namespace {

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

Result<void> fits(const std::string& what, double value, const ArgPlan& arg) {
  if (is_floating(arg.element)) return {};
  if (value == std::floor(value) && value >= smallest(arg.element) && value <= largest(arg.element))
    return {};
  const bool whole = value == std::floor(value);
  return fail("parameter \"" + arg.name + "\"",
              what +
                  (whole ? " reaches " + std::to_string(static_cast<long long>(value))
                         : " is " + std::to_string(value)) +
                  ", " + (whole ? "beyond its type " : "but whole numbers are needed for ") + arg.type);
}

// The numbers of the contents that follow from sizes.
Result<void> resolve_bounds(const InitSpec& init, const Symbols& symbols, const ArgPlan& arg,
                            InitPlan& plan) {
  double length = 0;
  const std::pair<const char*, double*> targets[] = {{"low", &plan.low},
                                                     {"high", &plan.high},
                                                     {"value", &plan.value},
                                                     {"step", &plan.step},
                                                     {"length", &length}};
  for (const auto& [key, target] : targets) {
    const auto given = init.expressions.find(key);
    if (given == init.expressions.end()) continue;
    const Result<double> value = evaluate(given->second, symbols);
    if (!value) return in_place(value.error(), "parameter \"" + arg.name + "\", init." + key);
    if (const Result<void> good = fits(std::string("init.") + key, *value, arg); !good)
      return Failure(good.error());
    *target = *value;
  }
  plan.length = static_cast<long long>(length);
  if (plan.high < plan.low)
    return fail("parameter \"" + arg.name + "\", init",
                "high is " + std::to_string(plan.high) + ", below low, " + std::to_string(plan.low),
                "a size may be too small here: give it a min");
  return {};
}

Result<void> check_contents(const InitPlan& plan, const ArgPlan& arg) {
  const std::string place = "parameter \"" + arg.name + "\", init";
  if (plan.kind == InitSpec::Kind::unique && static_cast<double>(arg.count) > plan.high - plan.low + 1)
    return fail(place,
                std::to_string(arg.count) + " different numbers are wanted, but there are only " +
                    std::to_string(static_cast<long long>(plan.high - plan.low + 1)) + " from low to high",
                "widen the range, or use integers where numbers may repeat");
  if (plan.kind == InitSpec::Kind::permutation && plan.length < 0) return fail(place, "length is negative");
  if (plan.kind == InitSpec::Kind::permutation)
    return fits("its permutation",
                static_cast<double>(std::max(1LL, plan.length > 0 ? plan.length : arg.count) - 1), arg);
  return {};
}

Result<InitPlan> bounded_plan(const InitSpec& init, const Symbols& symbols, const ArgPlan& arg) {
  InitPlan plan = stated_plan(init);
  if (const Result<void> known = resolve_bounds(init, symbols, arg, plan); !known)
    return Failure(known.error());
  if (const Result<void> good = check_contents(plan, arg); !good) return Failure(good.error());
  return plan;
}

Result<void> check_part(const std::string& full, const PartShape& part, const ArgPlan& arg) {
  const std::string place = "parameter \"" + arg.name + "\"";
  if (arg.count != part.count)
    return fail(place,
                "its count is " + std::to_string(arg.count) + ", but " + full + " has " +
                    std::to_string(part.count) + " elements",
                "write \"" + full + ".count\"");
  if (part.element) {
    if (*part.element == arg.element) return {};
    return fail(
        place,
        full + " has elements of type " + to_text(*part.element) + ", but the parameter is " + arg.type,
        "give both the same type");
  }
  if (part.real && !is_floating(arg.element))
    return fail(place, full + " has fractions, so its type must be floating-point, not " + arg.type);
  if (is_floating(arg.element) && part.largest > 1 / unit_roundoff(arg.element))
    return fail(place,
                full + " reaches " + std::to_string(static_cast<long long>(part.largest)) + ", and " +
                    arg.type + " does not hold every whole number so far",
                "use a type with more digits, or a smaller range");
  if (!part.plain && components(arg.element) == 2)
    return fail(place, full + " has real numbers, so its type cannot be " + arg.type);
  if (const Result<void> good = fits(full, part.largest, arg); !good) return Failure(good.error());
  return fits(full, part.smallest, arg);
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
  const auto known = shape.parts.find(plan.part);
  if (known == shape.parts.end())
    return fail("parameter \"" + param.name + "\"", "\"" + name + "\" has no part \"" + plan.part + "\"");
  const PartShape& part = known->second;
  plan.plain = part.plain;
  plan.low = part.low;
  plan.high = part.high;
  plan.declared = part.declared;
  if (part.plain && !is_floating(arg.element) && !part.declared) {
    plan.low = 0;
    plan.high = default_plan(arg.element).high;
  }
  if (const Result<void> good = check_part(full, part, arg); !good) return Failure(good.error());
  return plan;
}

}  // namespace

Failure in_place(const Error& error, const std::string& place) {
  return fail(place, error.problem + ": " + error.reason, error.hint);
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
  arg.init = default_plan(arg.element);
  Result<InitPlan> plan = arg.init;
  if (param.value)
    plan = constant_plan(param, arg.element, symbols);
  else if (param.init && param.init->kind == InitSpec::Kind::joint)
    plan = joint_plan(param, spec, shapes, arg);
  else if (param.init)
    plan = bounded_plan(*param.init, symbols, arg);
  if (!plan) return Failure(plan.error());
  arg.init = *plan;
  return arg;
}

}  // namespace noctune
