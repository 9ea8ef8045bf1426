#include "mep/completion/host_schedule.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

#include "mep/completion/c_expression.hpp"
#include "mep/completion/host_steps.hpp"
#include "mep/completion/spec_text.hpp"
#include "mep/completion/template_instance.hpp"
#include "mep/completion/text_words.hpp"

namespace noctune {
namespace {

bool looks_like_macro(const std::string& name) {
  return name.size() > 1 &&
         std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

// The class or namespace goes; "Class::f" is called f in names made from it.
std::string plain_name(const std::string& function) {
  const std::size_t cut = function.rfind("::");
  return cut == std::string::npos ? function : function.substr(cut + 2);
}

class Planner {
 public:
  Planner(const CompletionInput& input, const SourceFacts& facts, const ChosenKernels& chosen)
      : input_(input), facts_(facts), chosen_(chosen) {}

  HostSchedule run() {
    const bool loops = std::any_of(chosen_.launches.begin(), chosen_.launches.end(),
                                   [](const SourceLaunch& one) { return !one.loops.empty(); });
    out_.region = chosen_.kernels.size() > 1 || loops || chosen_.launches.size() > 1;
    if (!out_.region)
      single();
    else if (chosen_.launches.empty())
      in_source_order();
    else
      as_launched();
    out_.entry = plain_name(chosen_.kernels[0]->name) + (out_.direct ? "" : "_entry");
    for (KernelUse& use : out_.uses) {
      tie_macros(use);
      settle_block(use);
    }
    return std::move(out_);
  }

 private:
  // ---- one kernel, once

  void single() {
    const SourceFunction& kernel = *chosen_.kernels[0];
    KernelUse use;
    use.function = &kernel;
    if (!chosen_.launches.empty()) take_shape(chosen_.launches[0], use);
    choose_templates(facts_, chosen_.launches.empty() ? nullptr : &chosen_.launches[0], use, out_.assumed);
    out_.direct = input_.backend == "openmp" && kernel.c_linkage && kernel.return_type == "void" &&
                  kernel.templates.empty() && !kernel.is_static;
    out_.uses.push_back(use);
    add_own_params(0);
    if (!out_.direct) out_.steps.push_back(launch_step(0));
  }

  void add_own_params(std::size_t number) {
    for (const SourceParam& param : out_.uses[number].function->params)
      if (out_.param(param.name) == nullptr) add_param(param.name, &param, number);
  }

  void in_source_order() {
    for (const SourceFunction* kernel : chosen_.kernels) {
      KernelUse use;
      use.function = kernel;
      choose_templates(facts_, nullptr, use, out_.assumed);
      out_.uses.push_back(use);
      add_own_params(out_.uses.size() - 1);
      out_.steps.push_back(launch_step(out_.uses.size() - 1));
    }
  }

  // ---- as the host's code has it

  void as_launched() {
    std::vector<Item> items;
    for (const SourceLaunch& one : chosen_.launches) items.push_back({one.where.begin, &one, {}, one.loops});
    add_host_steps(items);
    out_.steps = steps_of(items, 0);
    settle_host_steps(out_.steps);
  }

  // Keeps the swaps, copies and clearings of what turned out to be buffers of the entry.
  void settle_host_steps(std::vector<StepSpec>& steps) {
    using Kind = StepSpec::Kind;
    const auto buffer = [&](std::string& name) {
      const auto handed = by_text_.find("&" + name);
      if (handed != by_text_.end()) name = handed->second;
      const EntryParam* param = out_.param(name);
      return param != nullptr && param->is_pointer();
    };
    std::vector<StepSpec> kept;
    for (StepSpec& step : steps) {
      settle_host_steps(step.steps);
      const bool moves = step.kind == Kind::swap || step.kind == Kind::copy || step.kind == Kind::zero;
      if (step.kind == Kind::while_flag) buffer(step.name);
      if (moves && (!buffer(step.name) || (!step.other.empty() && !buffer(step.other)))) continue;
      if (moves) make_writable(step.name);
      if (step.kind == Kind::swap) make_writable(step.other);
      kept.push_back(std::move(step));
    }
    steps = std::move(kept);
  }

  struct Item {
    std::size_t at = 0;
    const SourceLaunch* launch = nullptr;
    StepSpec step;
    std::vector<SourceLoop> loops;
  };

  void add_host_steps(std::vector<Item>& items) const {
    std::size_t begin = chosen_.launches.front().where.begin, end = chosen_.launches.back().where.end;
    for (const SourceLaunch& one : chosen_.launches)
      if (!one.loops.empty()) {
        begin = std::min(begin, one.loops[0].where.begin);
        end = std::max(end, one.loops[0].where.end);
      }
    for (const HostStep& one : host_steps_in(chosen_.launch_text, begin, end)) {
      std::vector<SourceLoop> around;
      for (const SourceLaunch& launch : chosen_.launches)
        for (std::size_t i = 0; i < launch.loops.size(); ++i)
          if (launch.loops[i].where.begin < one.at && one.at < launch.loops[i].where.end &&
              i == around.size())
            around.push_back(launch.loops[i]);
      items.push_back({one.at, nullptr, one.step, around});
    }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.at < b.at; });
  }

  std::vector<StepSpec> steps_of(const std::vector<Item>& items, std::size_t level) {
    std::vector<StepSpec> out;
    for (std::size_t i = 0; i < items.size();) {
      if (items[i].loops.size() <= level) {
        add_item(items[i++], out);
        continue;
      }
      const SourceLoop& loop = items[i].loops[level];
      std::vector<Item> inside;
      while (i < items.size() && items[i].loops.size() > level &&
             items[i].loops[level].where.begin == loop.where.begin)
        inside.push_back(items[i++]);
      out.push_back(loop_step(loop));
      out.back().steps = steps_of(inside, level + 1);
    }
    return out;
  }

  void add_item(const Item& item, std::vector<StepSpec>& out) {
    if (item.launch == nullptr) {
      out.push_back(item.step);
      return;
    }
    add_use(*item.launch);
    out.push_back(launch_step(out_.uses.size() - 1));
  }

  StepSpec loop_step(const SourceLoop& loop) {
    StepSpec out;
    out.kind = loop.variable.empty() ? StepSpec::Kind::while_flag : StepSpec::Kind::for_loop;
    out.name = loop.variable;
    if (loop.variable.empty()) {
      out.name = loop.condition;
      return out;
    }
    for (const std::string& text : {loop.from, loop.to}) add_host_names(text);
    out.from = spec_text(loop.from, renamed_).value_or(loop.from);
    out.to = spec_text(loop.to, renamed_).value_or(loop.to);
    out.step = step_text(loop.step);
    return out;
  }

  // "<<= 1" doubles: "*2".
  std::string step_text(const std::string& step) const {
    if (step.empty()) return "1";
    const std::size_t mark = step.find("= ");
    if (mark == std::string::npos) return spec_text(step, renamed_).value_or(step);
    const std::string by = spec_text(step.substr(mark + 2), renamed_).value_or("2");
    if (step[0] == '*' || step[0] == '/') return step.substr(0, 1) + by;
    const std::string factor = is_number(by) ? std::to_string(1LL << std::atoi(by.c_str())) : "2";
    return (step.rfind("<<", 0) == 0 ? "*" : "/") + factor;
  }

  // Sizes that only the host's loops name become parameters as well.
  void add_host_names(const std::string& text) {
    const std::optional<CExpression> parsed = parse_c_expression(text);
    if (!parsed) return;
    for (const std::string& name : names_of(*parsed)) {
      if (host_variable(name) || is_constant(name)) continue;
      const auto [renamed, kernel_param] = name_for_host(name);
      if (out_.param(renamed) == nullptr) add_param(renamed, kernel_param, 0);
    }
  }

  // What a grid is computed from, save the host's words for blocks and devices.
  void add_grid_names(const std::string& text) {
    if (input_.backend == "openmp") return;
    const std::optional<CExpression> parsed = parse_c_expression(text);
    if (!parsed) return;
    for (const std::string& name : names_of(*parsed)) {
      const std::string lower = in_lower_case(name);
      bool of_launch = name.find('.') != std::string::npos || is_macro(name);
      for (const char* part : {"block", "thread", "grid", "dim", "sm", "warp"})
        of_launch = of_launch || lower.find(part) != std::string::npos;
      if (!of_launch) add_host_names(name);
    }
  }

  // A bound of the host's loop that a launch passes on is that launch's parameter.
  std::pair<std::string, const SourceParam*> name_for_host(const std::string& name) {
    for (const SourceLaunch& launch : chosen_.launches) {
      const SourceFunction& function = *facts_.function(launch.kernel);
      for (std::size_t i = 0; i < launch.args.size(); ++i)
        if (launch.args[i] == name) {
          const std::string entry_name = name_of_argument(name, function.params[i]);
          return {entry_name, &function.params[i]};
        }
    }
    return {name, nullptr};
  }

  void add_use(const SourceLaunch& launch) {
    KernelUse use;
    use.function = facts_.function(launch.kernel);
    use.loops = launch.loops;
    take_shape(launch, use);
    for (const std::string& text : use.grid) add_grid_names(text);
    choose_templates(facts_, &launch, use, out_.assumed);
    out_.uses.push_back(use);
    const std::size_t number = out_.uses.size() - 1;
    for (std::size_t i = 0; i < launch.args.size(); ++i) pass(launch.args[i], number, i);
  }

  // Decides what stands for one argument, and which parameters of the entry it needs.
  void pass(const std::string& text, std::size_t number, std::size_t position) {
    KernelUse& use = out_.uses[number];
    const SourceParam& param = use.function->params[position];
    const std::optional<CExpression> parsed = parse_c_expression(text);
    const bool plain =
        parsed && parsed->kind == CExpression::Kind::name && parsed->text.find('.') == std::string::npos;
    if (plain && host_variable(parsed->text)) {
      use.actual[param.name] = parsed->text;
      return;
    }
    if (plain && !is_library_word(parsed->text)) {
      const std::string name = name_of_argument(parsed->text, param);
      if (out_.param(name) == nullptr) add_param(name, &param, number);
      merge_const(name, param);
      use.actual[param.name] = name;
      return;
    }
    if (parsed && !param.is_pointer() && simple_value(*parsed)) {
      for (const std::string& name : names_of(*parsed))
        if (!host_variable(name) && !is_constant(name)) {
          const std::string entry_name = name_of_argument(name, param);
          if (out_.param(entry_name) == nullptr) add_param(entry_name, &param, number);
        }
      use.actual[param.name] = with_names(text, renamed_);
      return;
    }
    const std::string name = name_for_text(text, param.name);
    if (out_.param(name) == nullptr) add_param(name, &param, number);
    merge_const(name, param);
    use.actual[param.name] = name;
  }

  static bool is_library_word(const std::string& name) {
    return name == "NULL" || name == "nullptr" || name == "true" || name == "false";
  }

  // Numbers, names and arithmetic: the entry can compute it.
  static bool simple_value(const CExpression& expression) {
    using Kind = CExpression::Kind;
    if (expression.kind == Kind::call || expression.kind == Kind::index || expression.kind == Kind::ternary)
      return false;
    if (expression.kind == Kind::name && expression.text.find('.') != std::string::npos) return false;
    return std::all_of(expression.parts.begin(), expression.parts.end(), simple_value);
  }

  // Macros make way for the kernel's own name, so that the size stays open.
  std::string name_of_argument(const std::string& name, const SourceParam& param) {
    const auto known = renamed_.find(name);
    if (known != renamed_.end()) return known->second;
    const bool macro = !param.is_pointer() && (is_macro(name) || looks_like_macro(name));
    if (!macro || (out_.param(param.name) != nullptr && !param.name.empty())) return name;
    renamed_[name] = param.name;
    return param.name;
  }

  std::string name_for_text(const std::string& text, const std::string& wanted) {
    const auto known = by_text_.find(text);
    if (known != by_text_.end()) return known->second;
    std::string name = wanted;
    for (int i = 2; out_.param(name) != nullptr; ++i) name = wanted + std::to_string(i);
    return by_text_[text] = name;
  }

  // ---- shared

  void add_param(const std::string& name, const SourceParam* declared, std::size_t number) {
    EntryParam param;
    param.name = name;
    param.declared = declared;
    param.use = number;
    param.type = declared == nullptr ? "int" : declared->type;
    if (declared != nullptr && number < out_.uses.size())
      param.type = instance_of(param.type, out_.uses[number]);
    out_.params.push_back(param);
  }

  // One kernel reads what another writes: the entry may not promise const.
  void merge_const(const std::string& name, const SourceParam& param) {
    for (EntryParam& one : out_.params)
      if (one.name == name && one.declared != nullptr && one.declared->const_base && param.is_pointer() &&
          !param.const_base) {
        one.declared = &param;
        one.use = out_.uses.size() - 1;
        one.type = instance_of(param.type, out_.uses.back());
      }
  }

  // What swaps places or is cleared is written.
  void make_writable(const std::string& name) {
    for (EntryParam& one : out_.params)
      if (one.name == name && one.type.rfind("const ", 0) == 0) one.type = one.type.substr(6);
  }

  StepSpec launch_step(std::size_t number) {
    StepSpec out;
    const KernelUse& use = out_.uses[number];
    out.name = instance_name(use);
    for (const SourceParam& param : use.function->params) out.args.push_back(use.argument(param.name));
    out_.use_of_launch.push_back(number);
    return out;
  }

  static void take_shape(const SourceLaunch& launch, KernelUse& use) {
    use.grid = axes_of(launch.grid);
    use.block = axes_of(launch.block);
  }

  // "dim3(a, b)" and "a".
  static std::vector<std::string> axes_of(const std::string& text) {
    if (text.empty()) return {};
    const std::size_t open = text.find('(');
    if (text.rfind("dim3", 0) != 0 || open == std::string::npos) return {text};
    const std::size_t close = text.rfind(')');
    std::vector<std::string> out = split_outside_brackets(text.substr(open + 1, close - open - 1), ",");
    for (std::string& one : out) one = trimmed(one);
    return out;
  }

  bool host_variable(const std::string& name) const {
    for (const SourceLaunch& launch : chosen_.launches)
      for (const SourceLoop& loop : launch.loops)
        if (loop.variable == name) return true;
    return false;
  }
  bool is_macro(const std::string& name) const {
    return input_.defines.count(name) > 0 ||
           std::any_of(facts_.macros.begin(), facts_.macros.end(),
                       [&](const SourceMacro& one) { return one.name == name; });
  }
  bool is_constant(const std::string& name) const {
    return std::any_of(facts_.symbols.begin(), facts_.symbols.end(), [&](const SourceSymbol& one) {
      return one.name == name && one.is_const && !one.initial.empty();
    });
  }

  // Blocks as numbers: macros by their value, the host's own names by what is usual.
  void settle_block(KernelUse& use) const {
    static const std::vector<std::vector<std::string>> usual = {{"256"}, {"32", "8"}, {"32", "4", "2"}};
    for (std::size_t axis = 0; axis < use.block.size() && use.block.size() <= usual.size(); ++axis) {
      std::string& text = use.block[axis];
      for (int round = 0; round < 4 && !is_number(text); ++round) text = macro_value(text);
      if (!is_number(text)) text = usual[use.block.size() - 1][axis];
    }
  }
  std::string macro_value(const std::string& name) const {
    if (const auto define = input_.defines.find(name); define != input_.defines.end()) return define->second;
    for (const SourceMacro& macro : facts_.macros)
      if (macro.name == name && !macro.function_like) return macro.value;
    return name;
  }

  // "NJ" beside a parameter "nj", both in one body: one size under two names.
  void tie_macros(KernelUse& use) const {
    const std::size_t length = use.function->body.end - use.function->body.begin;
    const std::string body = input_.source.substr(use.function->body.begin, length);
    for (const SourceParam& param : use.function->params) {
      if (param.is_pointer() || !is_identifier(use.argument(param.name))) continue;
      std::string upper = param.name;
      std::transform(upper.begin(), upper.end(), upper.begin(),
                     [](unsigned char c) { return std::toupper(c); });
      if (upper == param.name) continue;
      bool used = holds_word(body, upper);
      for (const SourceParam& other : use.function->params) used = used || contains(other.extents, upper);
      if (used) use.ties[upper] = use.argument(param.name);
    }
  }

  const CompletionInput& input_;
  const SourceFacts& facts_;
  const ChosenKernels& chosen_;
  HostSchedule out_;
  std::map<std::string, std::string> renamed_, by_text_;
};

}  // namespace

const EntryParam* HostSchedule::param(const std::string& name) const {
  for (const EntryParam& one : params)
    if (one.name == name) return &one;
  return nullptr;
}

HostSchedule plan_schedule(const CompletionInput& input, const SourceFacts& facts,
                           const ChosenKernels& chosen) {
  return Planner(input, facts, chosen).run();
}

}  // namespace noctune
