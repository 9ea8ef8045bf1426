#include "coordinator/rules/gpu/source.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "coordinator/rules/gpu/statement_reader.hpp"
#include "coordinator/rules/gpu/steady_names.hpp"
#include "coordinator/rules/gpu/unused_shapes.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "mep/reading/prepare.hpp"
#include "mep/reading/read_source.hpp"
#include "mep/reading/words.hpp"

namespace noctune::rules::gpu {
namespace {

using reading::Span;
using reading::Tokens;

std::optional<long long> number_in(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == '(' || c == ')'; }),
             text.end());
  long long value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return {};
  return value;
}

void read_constants(Source& out, const SourceFacts& facts) {
  for (const SourceMacro& macro : facts.macros)
    if (const auto value = macro.function_like ? std::nullopt : number_in(macro.value))
      out.constants[macro.name] = *value;
  for (const SourceSymbol& symbol : facts.symbols)
    if (const auto value = symbol.is_const ? number_in(symbol.initial) : std::nullopt) {
      out.constants[symbol.name] = *value;
      out.types.names[symbol.name] = "int";
    }
}

const std::set<std::string>& pure_functions() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all = {"rsqrt", "fma",  "min",  "max",  "abs",  "__ldg", "hypot",
                                 "atan2", "erf",  "tan",  "sqrt", "exp",  "log",   "fabs",
                                 "fmax",  "fmin", "sin",  "cos",  "pow",  "cbrt",  "tanh",
                                 "floor", "ceil", "exp2", "log2", "atan", "asin",  "acos"};
    for (const std::string& name : std::set<std::string>(all)) {
      all.insert(name + "f");
      all.insert("std::" + name);
    }
    return all;
  }();
  return names;
}

// Bodies with directives other than pragmas stay as they are.
bool has_directive(const std::string& text) {
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    const std::size_t word = text.find_first_not_of(" \t", at + 1);
    if (word != std::string::npos && text.compare(word, 6, "pragma") != 0) return true;
  }
  return false;
}

Span span_of(const Tokens& tokens, const TextRange& range) {
  Span span = {0, 0};
  while (span.begin < tokens.size() && tokens[span.begin].begin <= range.begin) ++span.begin;
  span.end = span.begin;
  while (span.end < tokens.size() && tokens[span.end].end < range.end) ++span.end;
  return span;
}

class WorkReader {
 public:
  explicit WorkReader(const RuleContext& context) : context_(context) {}

  Result<Work> read() {
    const reading::Prepared prepared = reading::prepare(context_.source, context_.spec.defines, false);
    const Tokens tokens(reading::lex(prepared.text));
    const SourceFacts facts = read_source(context_.source, context_.spec.defines),
                      above = read_source(context_.context, context_.spec.defines);
    source_.context = context_;
    source_.types = type_names(above, facts);
    source_.functions = facts.functions;
    source_.macros = facts.macros;
    source_.macros.insert(source_.macros.end(), above.macros.begin(), above.macros.end());
    for (const SourceFacts* one : {&above, &facts}) read_constants(source_, *one);
    program_.source = context_.source;
    program_.entry = context_.entry;
    program_.pure_calls = pure_functions();
    for (const SourceFunction& function : facts.functions) read_function(tokens, function);
    if (!program_.find(context_.entry)) return fail("the source defines no function " + context_.entry);
    if (source_.launches.empty()) return fail("the source launches no kernel with <<<...>>>");
    mark_distinct();
    Work work;
    work.gpu = std::make_shared<const Source>(std::move(source_));
    work.program = std::move(program_);
    return work;
  }

 private:
  void read_function(const Tokens& tokens, const SourceFunction& facts) {
    Function function;
    function.name = facts.name;
    function.kernel = facts.kind == SourceFunction::Kind::kernel;
    function.begin = facts.declaration.begin;
    function.end = facts.body.end;
    function.body_begin = facts.body.begin + 1;
    function.body_end = facts.body.end - 1;
    if (facts.body.end <= facts.body.begin + 1 || facts.body.end > context_.source.size()) return;
    TypeNames types = source_.types;
    for (const SourceParam& param : facts.params) {
      types.names[param.name] = types.canonical(param.type);
      function.params.push_back({param.name, types.names[param.name]});
    }
    for (const TemplateParam& param : facts.templates)
      if (param.kind == "typename" || param.kind == "class") types.others.insert(param.name);
    const std::string text =
        context_.source.substr(function.body_begin, function.body_end - function.body_begin);
    const Span span = span_of(tokens, facts.body);
    function.understood = !has_directive(text);
    if (function.understood)
      function.body = steady(read_statements({context_.source, tokens}, span, types, program_.id_uses));
    if (!function.kernel) {
      const HostBody host = {function.name, span, fixed_integers(function.body, source_.constants)};
      for (Launch& launch : read_launches(tokens, host, types)) source_.launches.push_back(std::move(launch));
      function.understood = false;  // hosts are changed through their launches alone
    }
    program_.functions.push_back(std::move(function));
  }

  // Every launch passes distinct buffers of the entry.
  void mark_distinct() {
    const Function* entry = program_.find(context_.entry);
    std::set<std::string> buffers;
    for (const Parameter& param : entry->params)
      if (param.type.find('*') != std::string::npos) buffers.insert(param.name);
    for (Function& kernel : program_.functions) {
      if (!kernel.kernel || context_.spec.params.empty()) continue;
      const auto launches = source_.launches_of(kernel.name);
      kernel.distinct =
          !launches.empty() && std::all_of(launches.begin(), launches.end(), [&](const Launch* l) {
            return l->host == context_.entry && passes_distinct(*l, kernel, buffers);
          });
    }
  }

  static bool passes_distinct(const Launch& launch, const Function& kernel,
                              const std::set<std::string>& buffers) {
    std::set<std::string> seen;
    if (launch.args.size() != kernel.params.size()) return false;
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
      if (kernel.params[i].type.find('*') == std::string::npos) continue;
      const std::string& arg = launch.arg_texts[i];
      if (!buffers.count(arg) || !seen.insert(arg).second) return false;
    }
    return true;
  }

  const RuleContext& context_;
  Source source_;
  Program program_;
};

}  // namespace

const SourceFunction* Source::function(const std::string& name) const {
  for (const SourceFunction& one : functions)
    if (one.name == name) return &one;
  return nullptr;
}

std::vector<const Launch*> Source::launches_of(const std::string& kernel) const {
  std::vector<const Launch*> list;
  for (const Launch& launch : launches)
    if (launch.kernel == kernel) list.push_back(&launch);
  return list;
}

const ParamSpec* Source::spec_of(const std::string& kernel, const std::string& param) const {
  const SourceFunction *callee = function(kernel), *entry = function(context.entry);
  const auto list = launches_of(kernel);
  if (!callee || !entry || list.size() != 1 || list[0]->host != context.entry) return nullptr;
  for (std::size_t i = 0; i < callee->params.size() && i < list[0]->arg_texts.size(); ++i) {
    if (callee->params[i].name != param) continue;
    for (std::size_t p = 0; p < entry->params.size() && p < context.spec.params.size(); ++p)
      if (entry->params[p].name == list[0]->arg_texts[i]) return &context.spec.params[p];
  }
  return nullptr;
}

ExprPtr Source::on_host(const Launch& launch, const ExprPtr& expr) const {
  const SourceFunction* callee = function(launch.kernel);
  if (!callee || callee->params.size() != launch.args.size()) return {};
  Substitution values;
  for (const auto& [name, value] : constants) values[name] = number(value);
  for (std::size_t i = 0; i < launch.args.size(); ++i) {
    if (!launch.args[i] && mentions(expr, callee->params[i].name)) return {};
    if (launch.args[i]) values[callee->params[i].name] = launch.args[i];
  }
  return substitute(expr, values);
}

Result<Work> read_work(const RuleContext& context) {
  return WorkReader(context).read();
}

namespace {

// Locals of hosts that the edits left without a use.
std::string tidied(const Work& work) {
  std::string text = work.program.source;
  std::vector<const Function*> hosts;
  for (const Function& function : work.program.functions)
    if (!function.kernel && text.find("<<<", function.body_begin) < function.body_end)
      hosts.push_back(&function);
  std::sort(hosts.begin(), hosts.end(),
            [](const Function* a, const Function* b) { return a->begin > b->begin; });
  for (const Function* host : hosts) {
    const std::size_t size = host->body_end - host->body_begin;
    text.replace(host->body_begin, size, without_unused_shapes(text.substr(host->body_begin, size)));
  }
  return text;
}

Result<Work> reread(const Work& work, const std::string& text) {
  RuleContext context = work.gpu->context;
  context.source = text;
  return read_work(context);
}

}  // namespace

bool change(Work& work, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  const std::string& old = work.program.source;
  std::string text;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    if (edit.begin < at || edit.end < edit.begin || edit.end > old.size()) return false;
    text += old.substr(at, edit.begin - at) + edit.text;
    at = edit.end;
  }
  auto next = reread(work, text + old.substr(at));
  if (!next) return false;
  if (const std::string tidy = tidied(*next); tidy != next->program.source) {
    next = reread(work, tidy);
    if (!next) return false;
  }
  next->extra_flags = work.extra_flags;
  work = std::move(*next);
  return true;
}

bool settle(Work& work) {
  const bool changed = std::any_of(work.program.functions.begin(), work.program.functions.end(),
                                   [](const Function& f) { return f.changed || f.restrict_params; });
  if (!changed) return true;
  return change(work, {{0, work.program.source.size(), print_program(work.program)}});
}

Edit body_edit(const Function& function, const Statements& body) {
  return body_edit(function, print(body, 2));
}

Edit body_edit(const Function& function, const std::string& text) {
  return {function.body_begin, function.body_end, "\n" + text};
}

Edit helper_edit(const Work& work, const std::string& text) {
  std::size_t first = work.program.source.size();
  for (const Function& function : work.program.functions)
    if (function.kernel) first = std::min(first, function.begin);
  // Above the comment that belongs to the kernel.
  const std::string& source = work.program.source;
  std::size_t start = first == 0 ? 0 : source.rfind('\n', first - 1);
  start = start == std::string::npos ? 0 : (first == 0 ? 0 : start + 1);
  while (start > 1) {
    const std::size_t before = source.rfind('\n', start - 2);
    const std::size_t line = before == std::string::npos ? 0 : before + 1;
    if (source.compare(line, 2, "//") != 0) break;
    start = line;
  }
  return {start, start, text + "\n"};
}

Edit launch_edit(const Launch& launch, const Shape& grid, const Threads& threads) {
  return {launch.begin, launch.end, launch_text(launch, grid, threads)};
}

long long bytes_of(const std::string& type) {
  if (!is_floating(type) && !is_integer(type)) return 0;
  return reading::size_of_type(plain_type(type));
}

}  // namespace noctune::rules::gpu
