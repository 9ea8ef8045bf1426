#include "mep/completion/entry_params.hpp"

#include <algorithm>

#include "mep/completion/extents.hpp"
#include "mep/completion/index_contents.hpp"
#include "mep/completion/missing_names.hpp"
#include "mep/completion/roles.hpp"
#include "mep/completion/scalar_values.hpp"
#include "mep/completion/sizes.hpp"
#include "mep/completion/spec_text.hpp"
#include "mep/completion/text_words.hpp"
#include "mep/completion/value_patterns.hpp"
#include "model/c_type.hpp"

namespace noctune {
namespace {

const char* role_words(Role role) {
  switch (role) {
    case Role::in:
      return "input";
    case Role::out:
      return "output";
    case Role::inout:
      return "input and output";
    default:
      return "scratch";
  }
}

class Planner {
 public:
  Planner(CompletionState& state, const std::map<std::string, std::string>& literals)
      : state_(state), literals_(literals) {}

  Result<void> run() {
    for (const EntryParam& param : state_.schedule.params) {
      Result<ParamSpec> made = one(param);
      if (!made) return Failure(made.error());
      state_.spec().params.push_back(*made);
    }
    return symbols();
  }

 private:
  Result<ParamSpec> one(const EntryParam& param) {
    ParamSpec out;
    out.name = param.name;
    out.type = plain_type(state_, param.type);
    if (param.is_pointer()) return buffer(std::move(out), param.declared->base);
    const std::string base = param.declared == nullptr ? "int" : param.declared->base;
    if (const SourceStruct* record = struct_of(base); record != nullptr)
      return members(std::move(out), *record);
    if (out.type.rfind("const ", 0) == 0) out.type = out.type.substr(6);
    out.value = value_of(param.name, base);
    return out;
  }

  const SourceStruct* struct_of(const std::string& base) const {
    for (const SourceStruct& one : state_.facts.structs)
      if (one.name == base || "struct " + one.name == base) return &one;
    return nullptr;
  }

  // ---- by value

  bool is_bound(const std::string& name) const { return state_.accesses.bounds.count(name) > 0; }

  std::string value_of(const std::string& name, const std::string& base) {
    const bool whole = is_whole_number_type(state_, base);
    const auto literal = literals_.find(name);
    if (literal != literals_.end() && !(whole && is_bound(name))) return number_of(literal->second);
    if (base == "bool") return "1";
    if (!whole) {
      const std::string value = real_by_name(name);
      state_.assumed(name + " = " + value);
      return value;
    }
    if (is_picking_scalar(state_, name)) {
      const Polynomial below = state_.settled.at(name) + 1;
      return "floor(" + below.text() + "/2)";
    }
    if (const auto width = pitches_.find(name); width != pitches_.end()) return width->second;
    if (is_bound(name)) return name;
    const std::string value =
        small_size_by_name(name) > 0 ? std::to_string(small_size_by_name(name)) : whole_by_name(name);
    state_.assumed(name + " = " + value);
    return value;
  }

  // "0.05f" and "1e-2f" without their suffix.
  static std::string number_of(std::string text) {
    while (!text.empty() && std::string("fFlLuU").find(text.back()) != std::string::npos) text.pop_back();
    if (!text.empty() && text.back() == '.') text += "0";
    return !text.empty() && text[0] == '-' ? "0" + text : text;
  }

  // ---- buffers

  Result<ParamSpec> buffer(ParamSpec out, const std::string& base) {
    BufferRole role = role_of(out.name, state_.accesses);
    if (!partners(state_.schedule.steps, out.name).empty())
      role = {Role::inout, false, false, "changes places with another"};
    out.role = role.role;
    out.keep_unwritten = role.keep_unwritten;
    const Result<Polynomial> count = count_of(out.name);
    if (!count) return Failure(count.error());
    const BufferExtent reached = extent_of(out.name, state_.accesses, state_.settled);
    if (out.role == Role::out && reached.count && !(*reached.count == *count)) out.keep_unwritten = true;
    if (out.keep_unwritten && filled_by_permutation(out.name)) out.keep_unwritten = false;
    const std::optional<Polynomial> records = in_declared_elements(out, *count);
    if (!records) return Failure(unknown_extent(out.name).error());
    out.count = records->text();
    state_.understood(out.name + ": " + role_words(out.role) + ", " + out.count + " elements, " + role.why);
    if (const SourceStruct* record = struct_of(base); record != nullptr)
      return records_of(std::move(out), *record);
    if (out.role == Role::in || out.role == Role::inout) choose_contents(out, base, *count, role.counts);
    return out;
  }

  bool filled_by_permutation(const std::string& name) const {
    for (const ArrayAccess* one : state_.accesses.of(name)) {
      if (!one->writes()) continue;
      for (const std::string& via : one->via) {
        const auto init = state_.inits.find(via);
        if (init != state_.inits.end() && init->second.kind == InitSpec::Kind::permutation) return true;
      }
    }
    return false;
  }

  // Buffers that change places with this one.
  static std::vector<std::string> partners(const std::vector<StepSpec>& steps, const std::string& name) {
    std::vector<std::string> out;
    for (const StepSpec& step : steps) {
      if (step.kind == StepSpec::Kind::swap && step.name == name) out.push_back(step.other);
      if (step.kind == StepSpec::Kind::swap && step.other == name) out.push_back(step.name);
      const std::vector<std::string> inside = partners(step.steps, name);
      out.insert(out.end(), inside.begin(), inside.end());
    }
    return out;
  }

  Result<Polynomial> count_of(const std::string& name) {
    BufferExtent extent = extent_of(name, state_.accesses, state_.settled);
    for (const std::string& other : partners(state_.schedule.steps, name)) {
      const BufferExtent theirs = extent_of(other, state_.accesses, state_.settled);
      if (theirs.count && (!extent.count || compare_typical(*theirs.count, *extent.count) > 0))
        extent = theirs;
    }
    if (!extent.count) {
      if (state_.accesses.of(name).empty()) {
        state_.assumed(name + " is not used by the kernel; it gets one element");
        return Polynomial(1);
      }
      return Failure(unknown_extent(name).error());
    }
    if (!extent.all_known)
      state_.assumed("not every access of " + name + " could be followed; its extent is that of [" +
                     extent.because + "]");
    const PitchedExtent rows = whole_rows(*extent.count);
    const Polynomial count = !rows.pitch.empty() && is_parameter(rows.pitch) ? rows.count : *extent.count;
    return whole_grid(count).value_or(count);
  }

  bool is_parameter(const std::string& name) const { return state_.schedule.param(name) != nullptr; }

  Result<void> unknown_extent(const std::string& name) const {
    std::string index;
    for (const ArrayAccess* one : state_.accesses.of(name)) index = one->source->index;
    return fail(state_.input.file,
                "nothing says how many elements " + name + " has" +
                    (index.empty() ? "" : "; it is indexed by [" + index + "]"),
                "show the host's call and its sizes as \"call_site\", or write the MEP's spec");
  }

  std::string tied(std::size_t use, const std::string& macro) const {
    const std::map<std::string, std::string>& ties = state_.schedule.uses[use].ties;
    const auto found = ties.find(macro);
    return found == ties.end() ? macro : found->second;
  }

  // double (*)[3] counts rows of three.
  std::optional<Polynomial> in_declared_elements(const ParamSpec& param, const Polynomial& count) const {
    const std::size_t open = param.type.find(")[");
    if (open == std::string::npos) return count;
    Polynomial divisor = 1;
    const EntryParam* entry = state_.schedule.param(param.name);
    if (entry == nullptr || entry->declared == nullptr) return std::nullopt;
    const std::vector<std::string>& extents = entry->declared->extents;
    for (std::size_t i = 1; i < extents.size(); ++i) {
      if (is_number(extents[i]))
        divisor = divisor * Polynomial(std::stod(extents[i]));
      else
        divisor = divisor * Polynomial::of(tied(entry->use, extents[i]));
    }
    return count.over(divisor);
  }

  void choose_contents(ParamSpec& out, const std::string& base, const Polynomial& count, bool counts) {
    const bool whole = is_whole_number_type(state_, instance_base(out, base));
    const auto decided = state_.inits.find(out.name);
    if (decided != state_.inits.end()) {
      out.init = decided->second;
      return;
    }
    if (const std::optional<ValuePattern> found = values_for(state_, out.name, out.role, whole, count)) {
      out.init = found->init;
      state_.understood(out.name + ": " + found->why);
      return;
    }
    const bool single = count.is_constant() && count.constant() == 1;
    if (whole && (counts || single) && out.role == Role::inout) {
      out.init = InitSpec{};
      out.init->kind = InitSpec::Kind::zeros;
      state_.assumed(out.name + " starts from 0, as counters do");
    }
  }

  static std::string instance_base(const ParamSpec& param, const std::string& base) {
    (void)base;
    std::string type = param.type.substr(0, param.type.find('*'));
    if (type.rfind("const ", 0) == 0) type = type.substr(6);
    return trimmed(type);
  }

  // ---- structs

  // Behind a pointer: each member an init, the role is the parameter's.
  Result<ParamSpec> records_of(ParamSpec out, const SourceStruct& record) {
    for (const SourceField& field : record.fields) {
      ParamSpec member;
      member.name = field.name;
      member.type = field_type(field);
      const std::string full = out.name + "." + field.name;
      if (field.pointers > 0) return pointer_member(out.name, record);
      if (const SourceStruct* inner = struct_of(field.base); inner != nullptr) {
        const Result<ParamSpec> nested = records_of(std::move(member), *inner);
        if (!nested) return nested;
        member = *nested;
      } else if (out.role == Role::in || out.role == Role::inout) {
        choose_member_contents(member, full, field, out.count == "1");
      }
      out.fields.push_back(member);
    }
    return out;
  }

  void choose_member_contents(ParamSpec& member, const std::string& full, const SourceField& field,
                              bool single) {
    const bool whole = is_whole_number_type(state_, field.base);
    if (const auto decided = state_.inits.find(full); decided != state_.inits.end())
      member.init = decided->second;
    else if (const std::optional<ValuePattern> found =
                 values_for(state_, full, Role::in, whole, Polynomial(1)))
      member.init = found->init;
    if (member.init || !single || whole || !field.extents.empty()) return;
    // One record of constants.
    member.init = InitSpec{};
    member.init->kind = InitSpec::Kind::constant;
    member.init->value = std::stod(real_by_name(field.name));
    state_.assumed(full + " = " + real_by_name(field.name));
  }

  Result<ParamSpec> pointer_member(const std::string& name, const SourceStruct& record) const {
    return fail(state_.input.file,
                name + " points to " + record.name + ", whose members are pointers themselves",
                "pass the members as parameters of their own, or write the MEP's spec");
  }

  // By value: each member a value, or a buffer of its own.
  Result<ParamSpec> members(ParamSpec out, const SourceStruct& record) {
    for (const SourceField& field : record.fields) {
      const std::string full = out.name + "." + field.name;
      ParamSpec member;
      member.name = field.name;
      member.type = field_type(field);
      if (field.pointers > 0) {
        member.name = full;
        const Result<ParamSpec> made = buffer(std::move(member), field.base);
        if (!made) return made;
        member = *made;
        member.name = field.name;
      } else if (const SourceStruct* inner = struct_of(field.base); inner != nullptr) {
        member.name = full;
        const Result<ParamSpec> nested = members(std::move(member), *inner);
        if (!nested) return nested;
        member = *nested;
        member.name = field.name;
      } else {
        member.value = member_value(full, field);
      }
      out.fields.push_back(member);
    }
    return out;
  }

  // A member that loops run up to is a size of the member's own name.
  std::string member_value(const std::string& full, const SourceField& field) {
    if (const auto known = state_.settled.find(full); known != state_.settled.end())
      return known->second.text();
    return value_of(field.name, field.base);
  }

  std::string field_type(const SourceField& field) const {
    std::string out = plain_type(state_, field.type);
    for (const std::string& extent : field.extents) out += "[" + extent + "]";
    return out;
  }

  // ---- symbols

  Result<void> symbols() {
    for (const SourceSymbol& symbol : state_.facts.symbols) {
      if (!is_read(symbol.name) || (symbol.is_const && !symbol.initial.empty())) continue;
      if (symbol.space == SourceSymbol::Space::host && !symbol.initial.empty()) continue;
      ParamSpec out;
      out.name = symbol.name;
      out.type = plain_type(state_, symbol.type);
      if (const SourceStruct* record = struct_of(out.type); record != nullptr && symbol.extents.empty()) {
        Result<ParamSpec> made = members(std::move(out), *record);
        if (!made) return Failure(made.error());
        out = *made;
      } else if (symbol.extents.empty()) {
        out.value = value_of(symbol.name, symbol.type);
      } else {
        const Result<std::string> count = product(symbol.extents);
        if (!count) return Failure(count.error());
        out.count = *count;
        const bool whole = is_whole_number_type(state_, symbol.type);
        if (const auto decided = state_.inits.find(symbol.name); decided != state_.inits.end())
          out.init = decided->second;
        else if (const auto found = values_for(state_, symbol.name, Role::in, whole, Polynomial(1)))
          out.init = found->init;
      }
      state_.understood(symbol.name + ": a symbol of the source, set before each call");
      state_.spec().globals.push_back(out);
    }
    return {};
  }

  bool is_read(const std::string& name) const {
    for (const SourceFunction& one : state_.facts.functions)
      if (state_.needed.count(one.name) > 0 &&
          holds_word(state_.input.source.substr(one.body.begin, one.body.end - one.body.begin), name))
        return true;
    return false;
  }

  Result<std::string> product(const std::vector<std::string>& extents) const {
    static const KernelUse nobody{&state_.facts.functions.front(), {}, {}, {}, {}, {}, {}};
    KernelUse use = nobody;
    use.function = state_.schedule.uses.front().function;
    IndexBounds bounds(state_.facts, state_.input.source, use, state_.input.defines);
    Polynomial out = 1;
    for (const std::string& extent : extents) {
      const std::optional<Polynomial> value = bounds.polynomial(extent, {});
      if (!value) return fail(state_.input.file, "the extent [" + extent + "] is no number");
      out = out * *value;
    }
    return out.text();
  }

  CompletionState& state_;
  const std::map<std::string, std::string>& literals_;
  std::map<std::string, std::string> pitches_;
};

}  // namespace

std::string plain_type(const CompletionState& state, const std::string& type) {
  std::map<std::string, std::string> macros;
  for (const SourceMacro& macro : state.facts.macros)
    if (!macro.function_like && !macro.value.empty() && !is_number(macro.value))
      macros[macro.name] = macro.value;
  for (const auto& [name, value] : state.input.defines)
    if (!is_number(value)) macros[name] = value;
  std::string out = with_names(type, macros);
  for (int round = 0; round < 4; ++round) {
    std::map<std::string, std::string> names;
    for (const SourceAlias& alias : state.facts.aliases)
      if (holds_word(out, alias.name)) names[alias.name] = alias.type;
    if (names.empty()) break;
    out = with_names(out, names);
  }
  for (const char* word : {"__restrict__", "__restrict", "restrict", "volatile", "struct"}) {
    const std::size_t at = find_word(out, word);
    if (at != std::string::npos) out.erase(at, std::string(word).size());
  }
  std::string tidy;
  for (const char c : trimmed(out)) {
    if (c == ' ' && (tidy.empty() || tidy.back() == ' ')) continue;
    if (c == '*' && !tidy.empty() && tidy.back() == ' ') tidy.pop_back();
    tidy += c;
  }
  out = trimmed(tidy);
  return out.find('[') == std::string::npos ? out : parameter_type(out);
}

Result<void> plan_params(CompletionState& state, const std::map<std::string, std::string>& literals) {
  return Planner(state, literals).run();
}

}  // namespace noctune
