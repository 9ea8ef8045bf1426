#include "mep/completion/sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "mep/completion/extents.hpp"
#include "mep/completion/scalar_values.hpp"
#include "mep/completion/text_words.hpp"
#include "model/data_generators.hpp"
#include "model/expression.hpp"

namespace noctune {
namespace {

// A first guess runs some ten milliseconds on one core and fits into caches; sizing goes on from there.
constexpr double most_work = 2e7;
constexpr double most_elements = 2e6;
constexpr int row_entries = 18;

bool whole_by_value(const CompletionState& state, const EntryParam& param) {
  return !param.is_pointer() &&
         (param.declared == nullptr || is_whole_number_type(state, param.declared->base));
}

// The size that a scalar stays below: the pitch beside it in an index, else any bound there.
std::string size_beside(const CompletionState& state, const std::string& name) {
  std::string any;
  for (const ArrayAccess& one : state.accesses.all) {
    if (!one.index || !one.index->has(name)) continue;
    for (const std::string& other : one.index->names()) {
      if (other == name || is_index_variable(other) || state.accesses.bounds.count(other) == 0) continue;
      if (one.index->coefficient(name).is_constant()) return other;
      any = other;
    }
  }
  if (!any.empty()) return any;
  for (const EntryParam& param : state.schedule.params)
    if (state.accesses.bounds.count(param.name) > 0 && whole_by_value(state, param)) return param.name;
  return {};
}

std::string macro_value(const CompletionState& state, const std::string& name) {
  const auto define = state.input.defines.find(name);
  if (define != state.input.defines.end()) return define->second;
  for (const SourceMacro& macro : state.facts.macros)
    if (macro.name == name && !macro.function_like) return macro.value;
  return {};
}

class Planner {
 public:
  Planner(CompletionState& state, const std::map<std::string, std::string>& literals)
      : state_(state), literals_(literals) {}

  void run() {
    for (const std::string& name : names()) add(name);
    start_values();
  }

 private:
  void collect(const std::string& expression, std::vector<std::string>& out) const {
    const Result<std::vector<std::string>> used = names_in(expression);
    if (!used) return;
    for (const std::string& name : *used)
      if (name.find('.') == std::string::npos && !contains(out, name)) out.push_back(name);
  }

  void collect(const std::vector<ParamSpec>& params, std::vector<std::string>& out) const {
    for (const ParamSpec& param : params) {
      if (param.value) collect(*param.value, out);
      if (!param.count.empty()) collect(param.count, out);
      collect(param.fields, out);
    }
  }

  // Expressions only: "kind": "dominant" names no size.
  void collect_data(std::vector<std::string>& out) const {
    for (const DataSpec& data : state_.draft.spec.data) {
      const DataGenerator* generator = data_generator(data.gen);
      if (generator == nullptr) continue;
      for (const DataField& field : generator->fields) {
        const auto given = data.fields.find(field.name);
        if (field.kind == DataField::Kind::expression && given != data.fields.end())
          collect(given->second, out);
      }
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    collect(state_.draft.spec.params, out);
    collect(state_.draft.spec.globals, out);
    collect_data(out);
    return out;
  }

  // A macro with the same role as a parameter freezes it.
  std::string frozen_by(const std::string& name) const {
    for (const KernelUse& use : state_.schedule.uses)
      for (const auto& [macro, param] : use.ties)
        if (param == name) return macro;
    return contains_name(state_.facts.unknown_names, name) || !macro_value(state_, name).empty() ? name : "";
  }
  static bool contains_name(const std::vector<std::string>& names, const std::string& name) {
    return contains(names, name);
  }

  bool in_extents(const std::string& name) const {
    std::vector<std::string> used;
    for (const ParamSpec& param : state_.draft.spec.params) {
      if (!param.count.empty()) collect(param.count, used);
      for (const ParamSpec& field : param.fields)
        if (!field.count.empty()) collect(field.count, used);
    }
    collect_data(used);
    return contains(used, name);
  }

  void add(const std::string& name) {
    SizeSpec size;
    size.name = name;
    const std::string macro = frozen_by(name);
    const auto literal = literals_.find(name);
    const long long small = small_size_by_name(name);
    if (!macro.empty()) {
      freeze(size, macro);
    } else if (literal != literals_.end() && std::atoll(literal->second.c_str()) > 0) {
      size.value = std::atoll(literal->second.c_str());
      size.scale = size.value >= 64;
    } else if (small > 0) {
      size.value = small;
      state_.assumed(name + " is taken as " + std::to_string(small) + ", by its name");
    } else if (!in_extents(name)) {
      size.value = 10;
      state_.assumed(name + " is taken as 10, since no buffer grows with it");
    } else {
      size.scale = true;
      size.min = 8;
    }
    constrain(size);
    state_.spec().sizes.push_back(size);
  }

  void freeze(SizeSpec& size, const std::string& macro) {
    size.fixed = true;
    const std::string value = macro_value(state_, macro);
    if (is_number(value)) {
      size.value = std::atoll(value.c_str());
    } else {
      open_macros_.push_back({size.name, macro});
    }
    if (size.name != macro)
      state_.understood(size.name + " and the macro " + macro + " name one size, so it cannot change");
  }

  void constrain(SizeSpec& size) const {
    if (state_.accesses.powers_of_two.count(size.name) > 0) size.power_of_two = true;
    const auto found = state_.accesses.divisors.find(size.name);
    if (found != state_.accesses.divisors.end())
      for (const long long divisor : found->second) size.multiple_of = std::lcm(size.multiple_of, divisor);
    if (size.power_of_two) size.multiple_of = 1;
    if (size.scale) size.min = std::max<long long>(size.min, size.multiple_of);
  }

  // ---- how large they start

  double value_of(const std::string& name, double n) const {
    for (const SizeSpec& size : state_.draft.spec.sizes)
      if (size.name == name) return size.value > 0 ? static_cast<double>(size.value) : n;
    if (name.find(".nnz") != std::string::npos) return row_entries * n;
    return n;
  }
  double at(const Polynomial& polynomial, double n) const {
    return with_settled(polynomial, state_.settled).at([&](const std::string& name) {
      return value_of(name, n);
    });
  }

  bool affordable(double n) const {
    double work = 0, elements = 0;
    for (const ArrayAccess& one : state_.accesses.all) work += std::max(0.0, at(one.repeats, n));
    std::map<std::string, double> counts;
    for (const ArrayAccess& one : state_.accesses.all)
      if (one.range.high) counts[one.array] = std::max(counts[one.array], at(*one.range.high, n) + 1);
    for (const auto& [array, count] : counts) elements += count;
    return work <= most_work && elements <= most_elements;
  }

  void start_values() {
    static const std::array<long long, 20> steps = {64,    128,   192,    256,    384,    512,    768,
                                                    1024,  1536,  2048,   3072,   4096,   8192,   16384,
                                                    32768, 65536, 131072, 262144, 524288, 1048576};
    long long chosen = steps[0], power = steps[0];
    for (const long long n : steps) {
      if (!affordable(static_cast<double>(n))) break;
      chosen = n;
      if ((n & (n - 1)) == 0) power = n;
    }
    for (SizeSpec& size : state_.spec().sizes) {
      if (size.value > 0) continue;
      size.value = size.power_of_two
                       ? power
                       : std::max(size.multiple_of, chosen / size.multiple_of * size.multiple_of);
    }
    for (const auto& [size, macro] : open_macros_) {
      state_.input.defines[macro] = std::to_string(chosen);
      state_.spec().defines[macro] = std::to_string(chosen);
      state_.assumed(macro + " is taken as " + std::to_string(chosen) + ", since nobody defines it");
    }
  }

  CompletionState& state_;
  const std::map<std::string, std::string>& literals_;
  std::vector<std::pair<std::string, std::string>> open_macros_;
};

}  // namespace

bool is_whole_number_type(const CompletionState& state, const std::string& base) {
  std::string type = base;
  for (const SourceAlias& alias : state.facts.aliases)
    if (alias.name == type) type = alias.type;
  if (const auto define = state.input.defines.find(type); define != state.input.defines.end())
    type = define->second;
  for (const char* word :
       {"int", "long", "short", "unsigned", "size_t", "uint", "char", "ptrdiff_t", "ulong"})
    if (holds_word(type, word)) return true;
  return type.find("int") != std::string::npos && type.find("_t") != std::string::npos;
}

bool is_picking_scalar(const CompletionState& state, const std::string& name) {
  return state.settled.count(name) > 0 && name.find('.') == std::string::npos;
}

void settle_picking_scalars(CompletionState& state) {
  for (const EntryParam& param : state.schedule.params) {
    if (!whole_by_value(state, param) || state.accesses.bounds.count(param.name) > 0) continue;
    const bool indexes =
        std::any_of(state.accesses.all.begin(), state.accesses.all.end(), [&](const ArrayAccess& one) {
          return (one.index && one.index->has(param.name)) ||
                 (one.range.high && one.range.high->has(param.name));
        });
    if (!indexes || small_size_by_name(param.name) > 0) continue;
    const std::string size = size_beside(state, param.name);
    if (size.empty()) continue;
    state.settled[param.name] = Polynomial::of(size) - 1;
    state.assumed(param.name + " is taken as half of " + size +
                  ", since no call of the host shows which values it takes");
  }
}

Result<void> plan_sizes(CompletionState& state, const std::map<std::string, std::string>& literals) {
  Planner(state, literals).run();
  return {};
}

}  // namespace noctune
