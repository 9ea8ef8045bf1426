// No header is included and no library function named: the text stands behind a source whose macros nobody
// knows.
#include "mep/entry_source.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "mep/entry_expression.hpp"
#include "mep/glue.hpp"
#include "model/c_type.hpp"
#include "model/element_type.hpp"
#include "model/expression.hpp"
#include "model/mep_globals.hpp"

namespace noctune {
namespace {

using Kind = StepSpec::Kind;

bool is_output(const ParamSpec& param) {
  return param.live_out && (param.role == Role::out || param.role == Role::inout);
}

bool is_fixed(const MepSpec& spec, const SizeSpec& size) {
  return size.fixed && size.value > 0 &&
         std::none_of(spec.cases.begin(), spec.cases.end(),
                      [&](const CaseSpec& one) { return one.sizes.count(size.name) > 0; });
}

class Writer {
 public:
  Writer(const MepSpec& spec, const std::string& backend)
      : spec_(spec), gpu_(backend == "openmp" ? "" : backend) {
    collect_names();
  }

  Result<std::string> run() {
    std::string body;
    if (Result<void> good = steps(spec_.sequence, 1, names_, body); !good) return Failure(good.error());
    std::string before, after;
    if (Result<void> good = swapped_buffers(before, after); !good) return Failure(good.error());
    std::string out = function("", parameter_list(spec_, true), before + body + after);
    if (spec_.globals.empty()) return out;
    const Result<std::string> setup = setup_body();
    if (!setup) return Failure(setup.error());
    return function("_setup", parameter_list(spec_, true), *setup) + out;
  }

 private:
  std::string function(const std::string& suffix, const std::string& list, const std::string& body) const {
    return "extern \"C\" void " + spec_.entry + suffix + "(" + list +
           (gpu_.empty() ? "" : std::string(list.empty() ? "" : ", ") + "mep_stream_t stream") + ") {\n" +
           body + "}\n";
  }

  // ---- names

  // By-value parameters as they are; sizes and derived counts by what brings them into the entry.
  void collect_names() {
    for (const ParamSpec& param : spec_.params) add_value(param, "");
    for (const SizeSpec& size : spec_.sizes)
      if (is_fixed(spec_, size)) names_.emplace(size.name, std::to_string(size.value));
    for (const auto& define : spec_.defines) names_[define.first] = define.first;
    for (const ParamSpec& param : spec_.params)
      if (param.value) names_[param.name] = param.name;
  }

  void add_value(const ParamSpec& param, const std::string& prefix) {
    const std::string text = prefix + param.name;
    if (param.is_struct_value())
      for (const ParamSpec& field : param.fields) add_value(field, text + ".");
    if (!param.value) return;
    names_.emplace(*param.value, text);
    if (element_of(param.type, spec_.defines) == ElementType::i32) ints_.insert(text);
  }

  // A name that is a size and a parameter of another value means two things.
  Result<void> unambiguous(const std::string& text) const {
    const auto used = names_in(text);
    if (!used) return Failure(used.error());
    for (const std::string& name : *used)
      for (const SizeSpec& size : spec_.sizes)
        if (const ParamSpec* param = size.name == name ? find(name) : nullptr;
            param && param->value && *param->value != name)
          return fail("expression \"" + text + "\" of the sequence",
                      "\"" + name + "\" is a size and a parameter of another value", "rename the size");
    return {};
  }

  Result<std::string> expression(const std::string& text, const EntryNames& names) const {
    if (Result<void> good = unambiguous(text); !good) return Failure(good.error());
    return entry_expression(text, names);
  }

  // Counts may be beyond what an int holds.
  Result<std::string> bytes(const ParamSpec& param, const std::string& count, const EntryNames& names) const {
    EntryNames wide = names;
    for (auto& [name, text] : wide)
      if (!text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])))
        text = "static_cast<long long>(" + text + ")";
    const Result<std::string> elements = expression(count.empty() ? param.count : count, wide);
    if (!elements) return Failure(elements.error());
    return "static_cast<std::size_t>(" + *elements + ") * sizeof(*" + param.name + ")";
  }

  const ParamSpec* find(const std::string& name) const {
    for (const ParamSpec& param : spec_.params)
      if (param.name == name) return &param;
    return nullptr;
  }

  Result<const ParamSpec*> buffer(const std::string& name, const char* what) const {
    const ParamSpec* param = find(name);
    if (!param || !is_pointer_type(param->type) || param->count.empty())
      return fail(std::string(what) + " of \"" + name + "\"", "that is no buffer among the parameters");
    return param;
  }

  Result<const ParamSpec*> writable(const std::string& name, const char* what) const {
    Result<const ParamSpec*> param = buffer(name, what);
    if (param && (*param)->type.rfind("const ", 0) == 0)
      return fail(std::string(what) + " of \"" + name + "\"", "it points to what may not be written",
                  "take const from its type");
    return param;
  }

  // ---- steps

  static std::string indent(int depth) { return std::string(2 * static_cast<std::size_t>(depth), ' '); }

  Result<void> steps(const std::vector<StepSpec>& list, int depth, const EntryNames& names,
                     std::string& out) {
    for (const StepSpec& step : list)
      if (Result<void> good = one(step, depth, names, out); !good) return good;
    return {};
  }

  Result<void> one(const StepSpec& step, int depth, const EntryNames& names, std::string& out) {
    switch (step.kind) {
      case Kind::for_loop:
        return loop(step, depth, names, out);
      case Kind::while_flag:
        return repeat(step, depth, names, out);
      case Kind::launch:
        return launch(step, depth, names, out);
      case Kind::swap:
        return swap(step, depth, out);
      default:
        return memory(step, depth, names, out);
    }
  }

  // As wide as the numbers it runs between.
  std::string counter_type(const StepSpec& step, const EntryNames& names) const {
    for (const std::string& bound : {step.from, step.to}) {
      const auto used = names_in(bound);
      if (!used) return "long long";
      for (const std::string& name : *used) {
        const auto known = names.find(name);
        const std::string text = known == names.end() ? name : known->second;
        const bool number = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0]));
        const bool narrow = number || ints_.count(text) > 0 || spec_.defines.count(name) > 0;
        if (!narrow) return "long long";
      }
    }
    return "int";
  }

  Result<void> loop(const StepSpec& step, int depth, const EntryNames& names, std::string& out) {
    if (names.count(step.name) || find(step.name))
      return fail("the loop variable \"" + step.name + "\" of the sequence", "it hides another name");
    const Result<std::string> from = expression(step.from, names), to = expression(step.to, names);
    const bool scales = !step.step.empty() && (step.step[0] == '*' || step.step[0] == '/');
    const bool minus = !step.step.empty() && step.step[0] == '-';
    const Result<std::string> by = expression(scales || minus ? step.step.substr(1) : step.step, names);
    for (const Result<std::string>* part : {&from, &to, &by})
      if (!*part) return Failure(part->error());
    const std::string type = counter_type(step, names);
    const bool down = minus || step.step[0] == '/';
    const std::string sign = scales ? step.step.substr(0, 1) : minus ? "-" : "+";
    out += indent(depth) + "for (" + type + " " + step.name + " = " + *from + "; " + step.name +
           (down ? " > " : " < ") + *to + "; " +
           (!scales && *by == "1" ? sign + sign + step.name : step.name + " " + sign + "= " + *by) + ") {\n";
    EntryNames inside = names;
    inside[step.name] = step.name;
    if (type == "int") ints_.insert(step.name);
    if (Result<void> good = steps(step.steps, depth + 1, inside, out); !good) return good;
    ints_.erase(step.name);
    out += indent(depth) + "}\n";
    return {};
  }

  Result<void> repeat(const StepSpec& step, int depth, const EntryNames& names, std::string& out) {
    const Result<const ParamSpec*> flag = writable(step.name, "the flag");
    if (!flag) return Failure(flag.error());
    const std::string at_host = "noctune_flag_" + step.name;
    if (!gpu_.empty()) out += indent(depth) + pointee((*flag)->type) + " " + at_host + ";\n";
    out += indent(depth) + "do {\n";
    if (Result<void> good = steps(step.steps, depth + 1, names, out); !good) return good;
    if (!gpu_.empty())
      out += indent(depth + 1) + gpu_ + "MemcpyAsync(&" + at_host + ", " + step.name + ", sizeof(" + at_host +
             "), " + gpu_ + "MemcpyDeviceToHost, stream);\n" + indent(depth + 1) + gpu_ +
             "StreamSynchronize(stream);\n";
    out += indent(depth) + "} while (" + (gpu_.empty() ? step.name + "[0]" : at_host) + " != 0);\n";
    return {};
  }

  std::string instance(const std::string& name) const {
    if (spec_.template_args.empty() || name.find('<') != std::string::npos) return name;
    std::string list;
    for (const std::string& one : spec_.template_args) list += (list.empty() ? "" : ", ") + one;
    return name + "<" + list + ">";
  }

  Result<std::string> shape(const std::vector<std::string>& sizes, const EntryNames& names) const {
    std::string out;
    for (const std::string& size : sizes) {
      const Result<std::string> text = expression(size, names);
      if (!text) return text;
      out += (out.empty() ? "" : ", ") + ("static_cast<unsigned>(" + *text) + ")";
    }
    return "dim3(" + out + ")";
  }

  Result<std::string> configuration(const StepSpec& step, const EntryNames& names) const {
    if (step.grid.empty() || step.block.empty())
      return fail("the launch of " + step.name, "it has no grid or no block, which " + gpu_ + " needs",
                  "add \"grid\": [\"ceil(n/256)\"], \"block\": [256]");
    const Result<std::string> grid = shape(step.grid, names), block = shape(step.block, names),
                              shared = expression(step.shared, names);
    for (const Result<std::string>* part : {&grid, &block, &shared})
      if (!*part) return Failure(part->error());
    return "<<<" + *grid + ", " + *block + ", " + *shared + ", stream>>>";
  }

  Result<void> launch(const StepSpec& step, int depth, const EntryNames& names, std::string& out) const {
    if (step.name == spec_.entry)
      return fail("the launch of " + step.name, "the entry is called like that itself",
                  "name the entry " + step.name + "_entry");
    std::string call = instance(step.name);
    if (!gpu_.empty()) {
      const Result<std::string> how = configuration(step, names);
      if (!how) return Failure(how.error());
      call += *how;
    }
    std::string list;
    for (const std::string& arg : step.args) list += (list.empty() ? "" : ", ") + argument(arg, names);
    out += indent(depth) + call + "(" + list + ");\n";
    return {};
  }

  // A parameter or loop variable as it is; a size by what brings it here.
  std::string argument(const std::string& text, const EntryNames& names) const {
    if (find(text)) return text;
    const auto known = names.find(text);
    return known == names.end() ? text : known->second;
  }

  Result<void> swap(const StepSpec& step, int depth, std::string& out) {
    const Result<const ParamSpec*> a = writable(step.name, "swap"), b = writable(step.other, "swap");
    if (!a) return Failure(a.error());
    if (!b) return Failure(b.error());
    if (pointee((*a)->type) != pointee((*b)->type))
      return fail("swap of " + step.name + " and " + step.other, "they have different types");
    const auto pair = std::minmax(step.name, step.other);
    for (const auto& known : swaps_)
      if (known != std::pair<std::string, std::string>(pair) &&
          (known.first == pair.first || known.first == pair.second || known.second == pair.first ||
           known.second == pair.second))
        return fail("swap of " + step.name + " and " + step.other,
                    "one of them is swapped with a third buffer as well, so where results end is not known",
                    "write the entry yourself");
    swaps_.insert(pair);
    out += indent(depth) + "{ const auto noctune_kept = " + step.name + "; " + step.name + " = " +
           step.other + "; " + step.other + " = noctune_kept; }\n";
    return {};
  }

  Result<void> memory(const StepSpec& step, int depth, const EntryNames& names, std::string& out) const {
    const Result<const ParamSpec*> to = writable(step.name, step.kind == Kind::copy ? "copy" : "zero");
    if (!to) return Failure(to.error());
    const Result<std::string> size = bytes(**to, step.count, names);
    if (!size) return Failure(size.error());
    if (step.kind == Kind::zero) {
      out += indent(depth) + (gpu_.empty() ? "__builtin_memset(" : gpu_ + "MemsetAsync(") + step.name +
             ", 0, " + *size + (gpu_.empty() ? ");\n" : ", stream);\n");
      return {};
    }
    const Result<const ParamSpec*> from = buffer(step.other, "copy");
    if (!from) return Failure(from.error());
    if (pointee((*from)->type) != pointee((*to)->type))
      return fail("copy of " + step.other + " to " + step.name, "they have different types");
    out += indent(depth) + copied(step.name, step.other, *size);
    return {};
  }

  std::string copied(const std::string& to, const std::string& from, const std::string& size) const {
    if (gpu_.empty()) return "__builtin_memcpy(" + to + ", " + from + ", " + size + ");\n";
    return gpu_ + "MemcpyAsync(" + to + ", " + from + ", " + size + ", " + gpu_ +
           "MemcpyDeviceToDevice, stream);\n";
  }

  // ---- after an odd number of swaps

  // Results must end in the parameter whose name they have: the caller knows nothing of the swaps.
  Result<void> swapped_buffers(std::string& before, std::string& after) const {
    for (const auto& [first, second] : swaps_) {
      const ParamSpec &a = *find(first), &b = *find(second);
      if (!is_output(a) && !is_output(b)) continue;
      const ParamSpec& live = is_output(a) ? a : b;
      const std::string given = "noctune_given_" + live.name;
      const Result<std::string> size = bytes(live, "", names_);
      if (!size) return Failure(size.error());
      before += "  const auto " + given + " = " + live.name + ";\n";
      after += "  if (" + live.name + " != " + given + ") {\n";
      if (is_output(a) && is_output(b)) {
        if (!gpu_.empty() || a.count != b.count)
          return fail("swap of " + first + " and " + second,
                      a.count != b.count ? "they have different counts"
                                         : "both are outputs, so they would have to change places at the end",
                      "say \"live_out\": false of the one that nobody reads afterwards");
        after += "    for (std::size_t i = 0; i < (" + *size + ") / sizeof(*" + first + "); ++i) {\n" +
                 "      const auto noctune_kept = " + first + "[i];\n      " + first + "[i] = " + second +
                 "[i];\n      " + second + "[i] = noctune_kept;\n    }\n";
      } else {
        after += "    " + copied(given, live.name, *size);
      }
      after += "  }\n";
    }
    return {};
  }

  // ---- symbols

  std::string assigned(const ParamSpec& param) const {
    const std::string &name = param.name, symbol = "::" + name;
    if (gpu_.empty()) return "  " + symbol + " = " + name + ";\n";
    return "  " + to_symbol(symbol, "&" + name, "sizeof(" + name + ")", "MemcpyHostToDevice");
  }

  std::string to_symbol(const std::string& symbol, const std::string& from, const std::string& size,
                        const std::string& kind) const {
    const std::string target = gpu_ == "hip" ? "HIP_SYMBOL(" + symbol + ")" : symbol;
    return gpu_ + "MemcpyToSymbolAsync(" + target + ", " + from + ", " + size + ", 0, " + gpu_ + kind +
           ", stream);\n";
  }

  Result<std::string> setup_body() const {
    std::string out;
    for (const ParamSpec& symbol : spec_.globals) {
      const ParamSpec* param = find(symbol.name);
      if (!param)
        return fail("the symbol " + symbol.name, "it is no parameter of the entry: globals are not lowered");
      if (symbol.count.empty() || is_pointer_type(symbol.type)) {
        out += assigned(*param);
        continue;
      }
      const Result<std::string> size = bytes(*param, "", names_);
      if (!size) return Failure(size.error());
      const bool number = symbol.count.find_first_not_of("0123456789") == std::string::npos;
      if (number)
        out += "  static_assert(sizeof(::" + symbol.name + ") >= " + symbol.count + " * sizeof(*" +
               symbol.name + "), \"the symbol " + symbol.name + " is smaller than the spec's count\");\n";
      out += gpu_.empty()
                 ? "  __builtin_memcpy(&::" + symbol.name + ", " + symbol.name + ", " + *size + ");\n"
                 : "  " + to_symbol("::" + symbol.name, symbol.name, *size, "MemcpyDeviceToDevice");
    }
    return out;
  }

  const MepSpec& spec_;
  const std::string gpu_;  // prefix of the runtime's functions: "cuda", "hip"; empty on the host
  EntryNames names_;
  std::set<std::string> ints_;  // parameters, members and loop variables of that type
  std::set<std::pair<std::string, std::string>> swaps_;
};

}  // namespace

Result<std::string> entry_source(const MepSpec& spec, const std::string& backend) {
  if (spec.sequence.empty()) return std::string();
  return Writer(spec, backend).run();
}

Result<std::string> with_entry(const std::string& source, const MepSpec& spec, const std::string& backend) {
  const Result<std::string> entry = entry_source(spec, backend);
  if (!entry || entry->empty()) return entry ? Result<std::string>(source) : entry;
  return source + (source.empty() || source.back() == '\n' ? "\n" : "\n\n") + *entry;
}

}  // namespace noctune
