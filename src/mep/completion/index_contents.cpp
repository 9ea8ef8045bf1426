#include "mep/completion/index_contents.hpp"

#include <algorithm>

#include "mep/completion/extents.hpp"
#include "mep/completion/text_words.hpp"

namespace noctune {
namespace {

constexpr int list_length = 32;  // where no size says how long lists may be

InitSpec part_of(const std::string& data, const std::string& part) {
  InitSpec out;
  out.kind = InitSpec::Kind::joint;
  out.part = data + "." + part;
  return out;
}

bool is_integer(const std::string& base) {
  return base.find("float") == std::string::npos && base.find("double") == std::string::npos &&
         base.find("half") == std::string::npos && in_lower_case(base).find("real") == std::string::npos;
}

class Planner {
 public:
  explicit Planner(CompletionState& state) : state_(state) {}

  void run() {
    for (const ListLoop& list : state_.accesses.lists)
      if (!list.first.empty()) plan_rows(list.first);
    for (const ListLoop& list : state_.accesses.lists)
      if (!list.count.empty()) plan_counts(list.count);
    for (const std::string& array : index_arrays()) plan_index(array);
  }

 private:
  // Arrays whose values reach an index, in order of use.
  std::vector<std::string> index_arrays() const {
    std::vector<std::string> out;
    for (const ArrayAccess& one : state_.accesses.all)
      for (const std::string& via : one.via)
        if (!contains(out, via)) out.push_back(via);
    return out;
  }

  const SourceParam* declared(const std::string& array) const {
    const EntryParam* param = state_.schedule.param(array.substr(0, array.find('.')));
    return param == nullptr ? nullptr : param->declared;
  }

  std::string base_of(const std::string& array) const {
    const SourceParam* param = declared(array);
    if (param == nullptr) return "int";
    const std::size_t dot = array.find('.');
    if (dot == std::string::npos) return instance_base(array, *param);
    for (const SourceStruct& one : state_.facts.structs)
      if (one.name == param->base)
        for (const SourceField& field : one.fields)
          if (field.name == array.substr(dot + 1)) return field.base;
    return "int";
  }
  std::string instance_base(const std::string& array, const SourceParam& param) const {
    const std::string type = state_.schedule.param(array)->type;
    if (type != param.type) return type;
    const auto define = state_.input.defines.find(param.base);
    if (define != state_.input.defines.end()) return define->second;
    for (const SourceAlias& alias : state_.facts.aliases)
      if (alias.name == param.base) return alias.type;
    return param.base;
  }

  std::optional<Polynomial> extent(const std::string& array) const {
    return extent_of(array, state_.accesses, state_.settled).count;
  }

  // Extent by accesses that no array's values decide.
  std::optional<Polynomial> own_extent(const std::string& array) const {
    std::optional<Polynomial> out;
    for (const ArrayAccess* one : state_.accesses.of(array)) {
      if (!one->via.empty() || !one->range.high) continue;
      const Polynomial count = with_settled(*one->range.high, state_.settled) + 1;
      if (!out || compare_typical(count, *out) > 0) out = count;
    }
    return out;
  }

  void settle(const std::string& array, const Polynomial& largest) {
    state_.settled[largest_value_in(array)] = largest;
  }
  bool settled(const std::string& array) const { return state_.settled.count(largest_value_in(array)) > 0; }

  // ---- CSR

  void plan_rows(const std::string& first) {
    if (settled(first)) return;
    const std::optional<Polynomial> entries = own_extent(first);
    if (!entries) return;
    const Polynomial rows = *entries - 1;
    const std::string name = new_data_name("sparse");
    settle(first, Polynomial::of(name + ".nnz"));
    state_.inits[first] = part_of(name, "row_ptr");
    DataSpec data;
    data.name = name;
    data.gen = "csr";
    data.fields["rows"] = rows.text();
    data.fields["nnz_min"] = "4";
    data.fields["nnz_max"] = std::to_string(list_length);
    Polynomial columns = rows;
    for (const std::string& array : sharing(first)) {
      if (!is_index_array(array)) continue;
      if (const std::optional<Polynomial> target = target_extent(array))
        columns = *target;
      else if (const std::string size = unused_size(array); !size.empty())
        columns = size_of(size);
      settle(array, columns - 1);
      state_.inits[array] = part_of(name, "col");
    }
    bool values = false;
    for (const std::string& array : sharing(first))
      if (!is_index_array(array) && !values && !is_integer(base_of(array))) {
        state_.inits[array] = part_of(name, "val");
        values = true;
      }
    data.fields["cols"] = columns.text();
    state_.spec().data.push_back(data);
    state_.understood(first + ": start of each row of a sparse matrix of " + rows.text() + " rows and " +
                      columns.text() + " columns, since a loop runs from one entry to the next");
    state_.assumed("rows of the sparse matrix hold 4 to " + std::to_string(list_length) + " entries");
  }

  // Arrays that a loop from first[i] to first[i + 1] walks along.
  std::vector<std::string> sharing(const std::string& first) const {
    std::vector<std::string> out;
    for (const ArrayAccess& one : state_.accesses.all)
      if (one.range.high && *one.range.high == Polynomial::of(largest_value_in(first)) - 1 &&
          one.array != first && !contains(out, one.array))
        out.push_back(one.array);
    return out;
  }

  bool is_index_array(const std::string& array) const { return contains(index_arrays(), array); }

  // Elements of what `array` indexes, as far as other accesses say.
  std::optional<Polynomial> target_extent(const std::string& array) const {
    std::optional<Polynomial> out;
    for (const ArrayAccess& one : state_.accesses.all) {
      if (one.via.count(array) == 0 || one.array == array) continue;
      std::optional<Polynomial> target = own_extent(one.array);
      if (!target || !one.index) continue;
      // 3 * j + d reaches a third of the elements' number.
      const Polynomial factor = factor_of(one, array);
      if (!(factor == Polynomial(1)) && !factor.terms().empty())
        if (const std::optional<Polynomial> share = target->over(factor); share) target = share;
      if (!out || compare_typical(*target, *out) < 0) out = target;
    }
    return out;
  }

  static Polynomial factor_of(const ArrayAccess& access, const std::string& via) {
    for (const std::string& name : access.index->names())
      if (name.rfind("@" + via + "|", 0) == 0) return access.index->coefficient(name);
    return {};
  }

  // ---- counted lists

  void plan_counts(const std::string& count) {
    if (settled(count)) return;
    const std::string largest = largest_value_in(count);
    Polynomial limit = list_length;
    for (const ArrayAccess& one : state_.accesses.all) {
      if (!one.range.high || !one.range.high->has(largest)) continue;
      const PitchedExtent rows = whole_rows(*one.range.high + 1);
      if (!rows.pitch.empty() && rows.width == Polynomial::of(largest)) limit = Polynomial::of(rows.pitch);
    }
    settle(count, limit);
    InitSpec init = integers_up_to(limit);
    if (limit.is_constant())
      init.low = list_length / 2;
    else
      init.low = 1;
    state_.inits[count] = init;
    state_.understood(count + ": lengths of lists, up to " + limit.text() + ", since a loop runs up to them");
  }

  // ---- gathered and scattered positions

  void plan_index(const std::string& array) {
    if (settled(array)) return;
    const std::string base = base_of(array);
    std::optional<Polynomial> largest;
    std::string why;
    if (const std::optional<Polynomial> digit = below_pitch(array)) {
      largest = digit;
      why = "what it is added to comes in steps of " + (*digit + 1).text();
    } else if (base == "unsigned char" || base == "uint8_t" || base == "uchar") {
      largest = Polynomial(255);
      why = "it holds bytes";
    } else if (const std::optional<Polynomial> target = target_extent(array)) {
      largest = *target - 1;
      why = "its values are positions in " + target_name(array);
    } else if (const std::string size = unused_size(array); !size.empty()) {
      largest = size_of(size) - 1;
      why = size + " counts what it points to";
      state_.assumed("the values of " + array + " are taken to lie below " + size);
    } else if (const std::optional<Polynomial> own = extent(array)) {
      largest = *own - 1;
      why = "its values are positions in " + target_name(array);
      state_.assumed("the values of " + array + " are taken to lie below " + own->text() +
                     ", since nothing says how large " + target_name(array) + " is");
    }
    if (!largest) return;
    settle(array, *largest);
    state_.inits[array] = scattered(array) ? permutation() : integers_up_to(*largest);
    state_.understood(array + ": whole numbers from 0 to " + largest->text() + ", since " + why);
  }

  // The last digit of an index: cell * 8 + group leaves 0 to 7 to the group.
  std::optional<Polynomial> below_pitch(const std::string& array) const {
    for (const ArrayAccess& one : state_.accesses.all) {
      if (one.via.count(array) == 0 || !one.index || !(factor_of(one, array) == Polynomial(1))) continue;
      for (const std::string& name : one.index->names()) {
        if (name[0] != '@' || name.rfind("@" + array + "|", 0) == 0) continue;
        const Polynomial pitch = one.index->coefficient(name);
        if (compare_typical(pitch, 1) > 0) return pitch - 1;
      }
    }
    return std::nullopt;
  }

  Polynomial size_of(const std::string& parameter) {
    state_.accesses.bounds.insert(parameter);
    return Polynomial::of(parameter);
  }

  static InitSpec permutation() {
    InitSpec out;
    out.kind = InitSpec::Kind::permutation;
    return out;
  }

  std::string target_name(const std::string& array) const {
    for (const ArrayAccess& one : state_.accesses.all)
      if (one.via.count(array) > 0 && one.array != array) return one.array;
    return "an array";
  }

  // out[slot[i]] = ... alone: two equal slots would race.
  bool scattered(const std::string& array) const {
    bool found = false;
    for (const ArrayAccess& one : state_.accesses.all) {
      if (one.via.count(array) == 0) continue;
      if (one.kind != SourceAccess::Kind::write || one.conditional) return false;
      if (own_extent(one.array) || !one.index || !one.index->is_single_name()) return false;
      found = true;
    }
    return found;
  }

  // A whole number that the kernel takes and no loop or index needs: it counts what is pointed to.
  std::string unused_size(const std::string& array) const {
    std::string best;
    for (const EntryParam& param : state_.schedule.params) {
      if (param.is_pointer() || param.declared == nullptr || !is_integer(param.declared->base)) continue;
      if (state_.accesses.bounds.count(param.name) > 0) continue;
      const std::string lower = in_lower_case(param.name), stem = in_lower_case(array);
      const bool counts = lower[0] == 'n' || lower.find("num") != std::string::npos || lower.back() == 's' ||
                          lower.find("count") != std::string::npos || lower.find("size") != std::string::npos;
      if (!counts) continue;
      if (best.empty() || lower.find(stem.substr(0, 4)) != std::string::npos) best = param.name;
    }
    return best;
  }

  std::string new_data_name(const std::string& wanted) const {
    std::string name = wanted;
    for (int i = 2;; ++i) {
      const bool taken = std::any_of(state_.draft.spec.data.begin(), state_.draft.spec.data.end(),
                                     [&](const DataSpec& one) { return one.name == name; });
      if (!taken) return name;
      name = wanted + std::to_string(i);
    }
  }

  CompletionState& state_;
};

}  // namespace

InitSpec integers_up_to(const Polynomial& high) {
  InitSpec out;
  out.kind = InitSpec::Kind::integers;
  out.low = 0;
  if (high.is_constant())
    out.high = high.constant();
  else
    out.expressions["high"] = high.text();
  return out;
}

void plan_index_contents(CompletionState& state) {
  Planner(state).run();
}

}  // namespace noctune
