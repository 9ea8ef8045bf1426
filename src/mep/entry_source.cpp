// No header is included and no library function named: the text stands behind a source whose macros nobody
// knows.
#include "mep/entry_source.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "mep/entry_scope.hpp"
#include "mep/glue.hpp"
#include "model/backend.hpp"
#include "model/c_type.hpp"

namespace noctune {
namespace {

using Kind = StepSpec::Kind;

bool is_output(const ParamSpec& param) {
  return param.live_out && (param.role == Role::out || param.role == Role::inout);
}

class Writer {
 public:
  explicit Writer(const MepSpec& spec)
      : spec_(spec), scope_(spec), gpu_(runs_on_gpu(spec.backend) ? spec.backend : "") {}

  Result<std::string> run() {
    std::string body;
    if (Result<void> good = steps(spec_.sequence, 1, scope_.names(), body); !good)
      return Failure(good.error());
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
    return "extern \"C\" void " + spec_.entry + suffix + "(" + list + ") {\n" + body + "}\n";
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

  Result<void> loop(const StepSpec& step, int depth, const EntryNames& names, std::string& out) {
    if (names.count(step.name) || scope_.find(step.name))
      return fail("the loop variable \"" + step.name + "\" of the sequence", "it hides another name");
    const Result<std::string> from = scope_.expression(step.from, names),
                              to = scope_.expression(step.to, names);
    const bool scales = !step.step.empty() && (step.step[0] == '*' || step.step[0] == '/');
    const bool minus = !step.step.empty() && step.step[0] == '-';
    const Result<std::string> by =
        scope_.expression(scales || minus ? step.step.substr(1) : step.step, names);
    for (const Result<std::string>* part : {&from, &to, &by})
      if (!*part) return Failure(part->error());
    // As wide as the numbers it runs between.
    const bool narrow =
        scope_.counts_in_ints(step.from, names, ints_) && scope_.counts_in_ints(step.to, names, ints_);
    const std::string type = narrow ? "int" : "long long";
    const bool down = minus || step.step[0] == '/';
    const std::string sign = scales ? step.step.substr(0, 1) : minus ? "-" : "+";
    out += indent(depth) + "for (" + type + " " + step.name + " = " + *from + "; " + step.name +
           (down ? " > " : " < ") + *to + "; " +
           (!scales && *by == "1" ? sign + sign + step.name : step.name + " " + sign + "= " + *by) + ") {\n";
    EntryNames inside = names;
    inside[step.name] = step.name;
    if (narrow) ints_.insert(step.name);
    if (Result<void> good = steps(step.steps, depth + 1, inside, out); !good) return good;
    ints_.erase(step.name);
    out += indent(depth) + "}\n";
    return {};
  }

  Result<void> repeat(const StepSpec& step, int depth, const EntryNames& names, std::string& out) {
    const Result<const ParamSpec*> flag = scope_.writable(step.name, "the flag");
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
      const Result<std::string> text = scope_.expression(size, names);
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
                              shared = scope_.expression(step.shared, names);
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

  // Parameters and loop variables as they are; sizes by what brings them here.
  std::string argument(const std::string& text, const EntryNames& names) const {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string word = text.substr(at, end - at);
      const auto known = names.find(word);
      const bool member = at > 0 && text[at - 1] == '.';
      out += word.empty()                                          ? text.substr(at, 1)
             : known == names.end() || member || scope_.find(word) ? word
                                                                   : known->second;
      at = word.empty() ? at + 1 : end;
    }
    return out;
  }

  Result<void> swap(const StepSpec& step, int depth, std::string& out) {
    const Result<const ParamSpec*> a = scope_.writable(step.name, "swap"),
                                   b = scope_.writable(step.other, "swap");
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
    const Result<const ParamSpec*> to = scope_.writable(step.name, step.kind == Kind::copy ? "copy" : "zero");
    if (!to) return Failure(to.error());
    const Result<std::string> size = scope_.bytes(**to, step.count, names);
    if (!size) return Failure(size.error());
    if (step.kind == Kind::zero) {
      out += indent(depth) + (gpu_.empty() ? "__builtin_memset(" : gpu_ + "MemsetAsync(") + step.name +
             ", 0, " + *size + (gpu_.empty() ? ");\n" : ", stream);\n");
      return {};
    }
    const Result<const ParamSpec*> from = scope_.buffer(step.other, "copy");
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
      const ParamSpec &a = *scope_.find(first), &b = *scope_.find(second);
      if (!is_output(a) && !is_output(b)) continue;
      const ParamSpec& live = is_output(a) ? a : b;
      const std::string given = "noctune_given_" + live.name;
      const Result<std::string> size = scope_.bytes(live, "", scope_.names());
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
      const ParamSpec* param = scope_.find(symbol.name);
      if (!param)
        return fail("the symbol " + symbol.name, "it is no parameter of the entry: globals are not lowered");
      if (symbol.count.empty() || is_pointer_type(symbol.type)) {
        out += assigned(*param);
        continue;
      }
      const Result<std::string> size = scope_.bytes(*param, "", scope_.names());
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
  const EntryScope scope_;
  const std::string gpu_;       // prefix of the runtime's functions: "cuda", "hip"; empty on the host
  std::set<std::string> ints_;  // loop variables of that type, while in scope
  std::set<std::pair<std::string, std::string>> swaps_;
};

}  // namespace

Result<std::string> entry_source(const MepSpec& spec) {
  if (spec.sequence.empty()) return std::string();
  return Writer(spec).run();
}

Result<std::string> with_entry(const std::string& source, const MepSpec& spec) {
  const Result<std::string> entry = entry_source(spec);
  if (!entry || entry->empty()) return entry ? Result<std::string>(source) : entry;
  return source + (source.empty() || source.back() == '\n' ? "\n" : "\n\n") + *entry;
}

}  // namespace noctune
