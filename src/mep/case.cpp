// Order: sizes, then the data sets' derived counts, then each argument, then work and depth.
#include "mep/case.hpp"

#include <algorithm>
#include <cmath>

#include "mep/case_args.hpp"
#include "mep/data/data_shape.hpp"
#include "model/expression.hpp"

namespace noctune {
namespace {

using Sizes = std::map<std::string, long long>;

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
  const std::string place =
      "case \"" + case_name + "\", size \"" + size.name + "\" = " + std::to_string(value);
  if (value < size.min || value > size.max)
    return fail(place, "it lies outside " + std::to_string(size.min) + " to " + std::to_string(size.max));
  if (value % size.multiple_of != 0)
    return fail(place, "it is not a multiple of " + std::to_string(size.multiple_of));
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
      if (!std::all_of(names->begin(), names->end(),
                       [&](const std::string& name) { return symbols.count(name) > 0; })) {
        last.hint = "\"" + size.name + "\" is " + *text;
        continue;
      }
      const Result<long long> value = evaluate_integer(*text, symbols);
      if (!value) return in_place(value.error(), "case \"" + chosen.name + "\", size \"" + size.name + "\"");
      if (const Result<void> fits = check_size(size, *value, chosen.name); !fits)
        return Failure(fits.error());
      known[size.name] = *value;
      symbols[size.name] = static_cast<double>(*value);
      progress = true;
    }
  }
  if (known.size() < spec.sizes.size()) return Failure(last);
  return known;
}

Result<double> work(const std::string& expression, const Symbols& symbols, const char* what,
                    double at_least) {
  if (expression.empty()) return 0.0;
  const Result<double> value = evaluate(expression, symbols);
  if (!value) return in_place(value.error(), what);
  if (*value < at_least) return fail(what, "its value, " + std::to_string(*value) + ", is too small");
  return *value;
}

Result<void> resolve_work(const MepSpec& spec, const Symbols& symbols, ResolvedCase& out) {
  const std::tuple<const std::string&, const char*, double, double*> wanted[] = {
      {spec.flops, "flops", 0, &out.flops},
      {spec.bytes, "bytes", 0, &out.bytes},
      {spec.check.depth, "check.depth", 0, &out.depth}};
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
  for (const auto& [size, value] : sizes)
    out += (out.empty() ? "" : " ") + size + "=" + std::to_string(value);
  return out;
}

Result<void> countable(const ResolvedCase& resolved) {
  constexpr long long most = (1LL << 31) - 1;
  bool narrow = false, wide = false;
  for (const ArgPlan& arg : resolved.args) {
    if (arg.pointer || is_floating(arg.element)) continue;
    const bool counts_further = size_of(arg.element) == 8 || arg.element == ElementType::u32;
    (counts_further ? wide : narrow) = true;
  }
  for (const ArgPlan& arg : resolved.args)
    if (narrow && !wide && arg.pointer && arg.count > most)
      return fail(
          "case \"" + resolved.name + "\" (" + resolved.sizes_text() + "), parameter \"" + arg.name + "\"",
          "it has " + std::to_string(arg.count) +
              " elements, more than the entry's sizes can count, which are int and end at " +
              std::to_string(most));
  return {};
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
  for (const DataShape& shape : *shapes) out.data.push_back(shape.plan);
  for (const Leaf& leaf : leaves_of(spec)) {
    Result<ArgPlan> arg = resolve_arg(leaf, spec, *shapes, symbols);
    if (!arg) return in_place(arg.error(), "case \"" + chosen.name + "\" (" + out.sizes_text() + ")");
    out.data_bytes += arg->bytes();
    out.args.push_back(std::move(*arg));
  }
  if (const Result<void> good = resolve_work(spec, symbols, out); !good)
    return in_place(good.error(), "case \"" + chosen.name + "\" (" + out.sizes_text() + ")");
  return out;
}

}  // namespace noctune
