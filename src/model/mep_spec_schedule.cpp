// The host schedule of a spec: "template" and "sequence". Reading knows which names a step may use; whether
// the entry can be made of it, entry_source() says.
#include <algorithm>
#include <cctype>

#include "model/mep_spec_words_json.hpp"

namespace noctune {
namespace {

constexpr int deepest = 16;

struct Scope {
  const MepSpec& spec;
  std::set<std::string> expressions;  // names that expressions may use: sizes, derived counts, defines,
                                      // by-value parameters, loop variables
  std::set<std::string> params;
  std::set<std::string> variables;
  int depth = 0;
};

std::vector<StepSpec> read_steps(StrictReader& reader, const std::string& key, const Scope& scope);

// ---- names

void need_param(StrictReader& reader, const std::string& key, const std::string& name, const Scope& scope) {
  if (scope.params.count(name)) return;
  const std::string near = closest(name, {scope.params.begin(), scope.params.end()});
  reader.complain(key, "there is no parameter \"" + name + "\"",
                  near.empty() ? "known: " + listed(scope.params) : "did you mean \"" + near + "\"?");
}

// Words that arguments may use beside names of the spec.
bool is_cpp_word(const std::string& word) {
  static const std::set<std::string> known = {"sizeof",     "static_cast", "reinterpret_cast",
                                              "const_cast", "const",       "unsigned",
                                              "signed",     "char",        "short",
                                              "int",        "long",        "float",
                                              "double",     "bool",        "true",
                                              "false",      "nullptr",     "std",
                                              "size_t"};
  return known.count(word) > 0;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Identifiers of a C++ expression; numbers with their suffixes are skipped whole.
std::vector<std::string> identifiers_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    while (end < text.size() && (is_word(text[end]) || (number && text[end] == '.'))) ++end;
    const bool member = at > 0 && (text[at - 1] == '.' || text[at - 1] == '>');
    if (!number && !member) out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::string read_argument(StrictReader& reader, const OrderedJson& value, const Scope& scope) {
  if (value.is_number()) return value.dump();
  if (!value.is_string()) reader.complain("args", "expected names, numbers or expressions of them");
  const std::string text = value.get<std::string>();
  if (text.empty() || text.find_first_of(";{}\"'#\\\n=?") != std::string::npos)
    reader.complain("args", "\"" + text + "\" is no argument",
                    "give a parameter, a loop variable or a number");
  for (const std::string& name : identifiers_of(text)) {
    if (scope.params.count(name) || scope.expressions.count(name) || is_cpp_word(name)) continue;
    std::set<std::string> all = scope.params;
    all.insert(scope.expressions.begin(), scope.expressions.end());
    const std::string near = closest(name, {all.begin(), all.end()});
    reader.complain("args", "\"" + name + "\" is neither a parameter nor a loop variable",
                    near.empty() ? "known: " + listed(all) : "did you mean \"" + near + "\"?");
  }
  return text;
}

// A loop variable hides nothing that a step inside might mean.
void need_free_name(StrictReader& reader, const std::string& name, const Scope& scope) {
  need_identifier(reader, "for", name);
  const char* taken = scope.variables.count(name)      ? "a loop variable around it"
                      : scope.params.count(name)       ? "a parameter"
                      : scope.spec.defines.count(name) ? "one of the defines"
                      : scope.expressions.count(name)  ? "a size"
                      : name == scope.spec.entry || name.rfind("noctune_", 0) == 0 ? "taken"
                                                                                   : nullptr;
  if (taken)
    reader.complain("for", "the loop variable \"" + name + "\" would hide a name that is " + taken,
                    "give it another name, also in the steps inside");
}

// ---- steps

std::string step_expression(StrictReader& reader, const std::string& key, const Scope& scope,
                            const std::string& fallback) {
  return optional_expression(reader, key, scope.expressions, fallback);
}

void read_for(StrictReader& reader, StepSpec& step, const Scope& scope) {
  step.name = reader.text("for");
  need_free_name(reader, step.name, scope);
  step.from = read_expression(reader, "from", scope.expressions);
  step.to = read_expression(reader, "to", scope.expressions);
  const OrderedJson* by = present(reader, "step") ? &reader.raw("step") : nullptr;
  const std::string text = by && by->is_string() ? by->get<std::string>() : "";
  if (!text.empty() && (text[0] == '*' || text[0] == '/'))
    step.step = text.substr(0, 1) + checked_expression(reader, "step", text.substr(1), scope.expressions);
  else if (by)
    step.step = checked_expression(reader, "step", *by, scope.expressions);
  if (step.step == "0") reader.complain("step", "must not be 0: the loop would never end");
  Scope inside = scope;
  inside.variables.insert(step.name);
  inside.expressions.insert(step.name);
  step.steps = read_steps(reader, "do", inside);
}

std::vector<std::string> read_shape(StrictReader& reader, const std::string& key, const Scope& scope) {
  std::vector<std::string> out;
  if (!reader.has(key)) {
    reader.texts(key, std::vector<std::string>());
    return out;
  }
  const OrderedJson& value = reader.raw(key);
  if (!value.is_array()) return {checked_expression(reader, key, value, scope.expressions)};
  for (const OrderedJson& one : value) out.push_back(checked_expression(reader, key, one, scope.expressions));
  if (out.empty() || out.size() > 3) reader.complain(key, "expected one to three numbers or expressions");
  return out;
}

void read_launch(StrictReader& reader, StepSpec& step, const Scope& scope) {
  step.name = reader.text("launch");
  need_identifier(reader, "launch", step.name.substr(0, step.name.find('<')));
  if (step.name.find_first_of(";{}()\"'#\\\n=") != std::string::npos)
    reader.complain("launch", "\"" + step.name + "\" is no function",
                    "for example \"f\" or \"f<float, 256>\"");
  step.grid = read_shape(reader, "grid", scope);
  step.block = read_shape(reader, "block", scope);
  step.shared = step_expression(reader, "shared", scope, "0");
  const OrderedJson& args = reader.raw("args");
  if (!args.is_array()) reader.complain("args", "expected a list of parameters and loop variables");
  for (const OrderedJson& arg : args) step.args.push_back(read_argument(reader, arg, scope));
}

void read_two(StrictReader& reader, const std::string& key, StepSpec& step, const Scope& scope) {
  const std::vector<std::string> names = reader.texts(key);
  if (names.size() != 2) reader.complain(key, "expected two parameters");
  for (const std::string& name : names) need_param(reader, key, name, scope);
  if (names[0] == names[1]) reader.complain(key, "\"" + names[0] + "\" stands there twice");
  step.name = names[0];
  step.other = names[1];
}

StepSpec read_step(StrictReader& reader, const Scope& scope) {
  using Kind = StepSpec::Kind;
  static constexpr std::array<const char*, 6> kinds = {"for", "while", "launch", "swap", "copy", "zero"};
  StepSpec step;
  std::string found;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!reader.has(kinds[i])) continue;
    if (!found.empty()) reader.complain(kinds[i], "a step is either " + found + " or " + kinds[i]);
    found = kinds[i];
    step.kind = static_cast<Kind>(i);
  }
  if (found.empty())
    throw UserError({reader.document().name + ":" +
                         std::to_string(reader.document().line_of(reader.where())) +
                         ": a step of the sequence",
                     "it says nothing to do", "known: " + listed(kinds)});
  if (step.kind == Kind::for_loop) read_for(reader, step, scope);
  if (step.kind == Kind::while_flag) {
    step.name = reader.text("while");
    need_param(reader, "while", step.name, scope);
    step.steps = read_steps(reader, "do", scope);
  }
  if (step.kind == Kind::launch) read_launch(reader, step, scope);
  if (step.kind == Kind::swap || step.kind == Kind::copy) read_two(reader, found, step, scope);
  if (step.kind == Kind::zero) {
    step.name = reader.text("zero");
    need_param(reader, "zero", step.name, scope);
  }
  if (step.kind == Kind::copy || step.kind == Kind::zero)
    step.count = step_expression(reader, "count", scope, "");
  reader.finish();
  return step;
}

std::vector<StepSpec> read_steps(StrictReader& reader, const std::string& key, const Scope& scope) {
  std::vector<StepSpec> steps;
  Scope inside = scope;
  if (++inside.depth > deepest) reader.complain(key, "it is nested too deeply");
  for (StrictReader& item : reader.objects(key)) steps.push_back(read_step(item, inside));
  if (steps.empty()) reader.complain(key, reader.has(key) ? "holds no step" : "is missing");
  return steps;
}

// ---- writing

OrderedJson list_json(const std::vector<std::string>& texts) {
  OrderedJson out = OrderedJson::array();
  for (const std::string& text : texts) out.push_back(scalar_json(text));
  return out;
}

void add_launch(const StepSpec& step, OrderedJson& out) {
  out["launch"] = step.name;
  if (!step.grid.empty()) out["grid"] = list_json(step.grid);
  if (!step.block.empty()) out["block"] = list_json(step.block);
  if (step.shared != "0") out["shared"] = scalar_json(step.shared);
  out["args"] = list_json(step.args);
}

OrderedJson step_json(const StepSpec& step) {
  using Kind = StepSpec::Kind;
  OrderedJson out;
  switch (step.kind) {
    case Kind::for_loop:
      out = {{"for", step.name}, {"from", scalar_json(step.from)}, {"to", scalar_json(step.to)}};
      if (step.step != "1") out["step"] = scalar_json(step.step);
      break;
    case Kind::while_flag:
      out["while"] = step.name;
      break;
    case Kind::launch:
      add_launch(step, out);
      break;
    case Kind::swap:
      out["swap"] = {step.name, step.other};
      break;
    case Kind::copy:
      out["copy"] = {step.name, step.other};
      break;
    case Kind::zero:
      out["zero"] = step.name;
      break;
  }
  if (!step.count.empty()) out["count"] = scalar_json(step.count);
  if (!step.steps.empty()) out["do"] = to_json(step.steps);
  return out;
}

}  // namespace

void read_schedule(StrictReader& reader, MepSpec& spec, const std::set<std::string>& names) {
  spec.template_args.clear();
  if (reader.has("template")) {
    const OrderedJson& list = reader.raw("template");
    if (!list.is_array() || list.empty())
      reader.complain("template", "expected a list such as [\"float\", 256]");
    for (const OrderedJson& one : list)
      spec.template_args.push_back(one.is_string() ? one.get<std::string>() : one.dump());
    if (!reader.has("sequence"))
      reader.complain("template", "names the instance that a sequence launches, and there is no sequence",
                      "add \"sequence\": [{\"launch\": \"...\", \"args\": [...]}]");
  } else {
    reader.texts("template", std::vector<std::string>());
  }
  if (!reader.has("sequence")) {
    reader.objects("sequence");
    return;
  }
  Scope scope{spec, names, {}, {}, 0};
  for (const auto& define : spec.defines) scope.expressions.insert(define.first);
  for (const ParamSpec& param : spec.params) {
    scope.params.insert(param.name);
    if (param.value) scope.expressions.insert(param.name);
  }
  spec.sequence = read_steps(reader, "sequence", scope);
}

OrderedJson to_json(const std::vector<StepSpec>& steps) {
  OrderedJson out = OrderedJson::array();
  for (const StepSpec& step : steps) out.push_back(step_json(step));
  return out;
}

}  // namespace noctune
