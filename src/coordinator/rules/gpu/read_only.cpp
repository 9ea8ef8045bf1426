// const and __restrict__ on the pointers of kernels, __ldg on reads of what no thread writes.
#include <algorithm>
#include <set>

#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/kernel_form.hpp"

namespace noctune::rules::gpu {
namespace {

// Buffers that the kernel reads itself and nobody writes.
std::set<std::string> only_read(const SourceFunction& facts) {
  std::set<std::string> names;
  for (const SourceParam& param : facts.params)
    if (param.is_pointer() && param.pointers == 1 && param.extents.empty()) names.insert(param.name);
  for (const SourceAccess& access : facts.accesses)
    if (access.kind != SourceAccess::Kind::read || !access.callee.empty() || access.index == "?")
      names.erase(access.array);
  // A copy of the pointer would need const as well.
  for (const SourceLocal& local : facts.locals)
    if (local.type.find('*') != std::string::npos) return {};
  return names;
}

// A declaration elsewhere would no longer be one of this function.
bool is_declared_again(const Work& work, const Function& function) {
  const std::string& text = work.program.source;
  for (std::size_t at = find_word(text, function.name, 0); at != std::string::npos;
       at = find_word(text, function.name, at + 1)) {
    const std::size_t after = text.find_first_not_of(" \n", at + function.name.size());
    const bool own = at > function.begin && at < function.body_begin;
    if (!own && after != std::string::npos && text[after] == '(') return true;
  }
  return false;
}

// Where the pointer's declaration stands in the parameter list: its first word and its name.
struct ParamPlace {
  std::size_t begin = 0, name = 0;
};
std::optional<ParamPlace> place_of(const std::string& text, const Function& function,
                                   const std::string& param) {
  const std::size_t name_at = find_word(text, function.name, function.begin);
  std::size_t at = text.find('(', name_at);
  for (at = find_word(text, param, at); at != std::string::npos && at < function.body_begin;
       at = find_word(text, param, at + 1)) {
    const std::size_t before = text.find_last_not_of(" \n", at - 1);
    const std::size_t start = text.find_last_of("(,", at);
    const bool starred = text.find('*', start) < at;
    const std::size_t after = text.find_first_not_of(" \n", at + param.size());
    if (!starred || (text[after] != ',' && text[after] != ')') || before == std::string::npos) continue;
    return ParamPlace{text.find_first_not_of(" \n\t", start + 1), at};
  }
  return {};
}

void edit_signature(const Work& work, const Function& function, const SourceFunction& facts,
                    std::vector<Edit>& edits) {
  const std::string& text = work.program.source;
  const std::set<std::string> readable = only_read(facts);
  for (const SourceParam& param : facts.params) {
    if (param.pointers != 1 || !param.extents.empty()) continue;
    const auto place = place_of(text, function, param.name);
    if (!place) continue;
    if (readable.count(param.name) && !param.const_base)
      edits.push_back({place->begin, place->begin, "const "});
    if (function.distinct && param.type.find("restrict") == std::string::npos) {
      const bool glued = text[place->name - 1] == '*';
      edits.push_back({place->name, place->name, std::string(glued ? " " : "") + "__restrict__ "});
    }
  }
}

bool has_ldg(const std::string& type) {
  static const std::set<std::string> types = {"float", "double", "int", "unsigned int", "long long"};
  return types.count(type) > 0;
}

// Whole reads become __ldg; stores and addresses stay.
ExprPtr with_ldg(const ExprPtr& expr, const std::set<std::string>& names, bool& changed) {
  if (expr->kind == ExprKind::unary && expr->text == "&") return expr;
  if (expr->kind == ExprKind::call && expr->text == "__ldg") return expr;
  std::vector<ExprPtr> args;
  for (const ExprPtr& arg : expr->args) args.push_back(with_ldg(arg, names, changed));
  const ExprPtr same = node(expr->kind, expr->text, expr->type, args);
  if (expr->kind != ExprKind::index || !names.count(expr->args[0]->text) || !has_ldg(expr->type))
    return expr->kind == ExprKind::variable || expr->kind == ExprKind::number ? expr : same;
  changed = true;
  const ExprPtr address = node(ExprKind::unary, "&", expr->type + " *", {same});
  return node(ExprKind::call, "__ldg", expr->type, {address});
}

void load_read_only(Statements& statements, const std::set<std::string>& names, bool& changed) {
  for (Statement& statement : statements) {
    for (ExprPtr* expr : {&statement.value, &statement.lower, &statement.upper})
      if (*expr && statement.kind != StatementKind::text) *expr = with_ldg(*expr, names, changed);
    load_read_only(statement.body, names, changed);
    load_read_only(statement.otherwise, names, changed);
  }
}

bool ldg(Work& work, const Step& step) {
  bool any = false;
  for (Function& function : work.program.functions) {
    const SourceFunction* facts = work.gpu->function(function.name);
    if (!function.kernel || !function.understood || !function.distinct || !facts) continue;
    bool changed = false;
    if (wants(step, function.name)) load_read_only(function.body, only_read(*facts), changed);
    function.changed |= changed;
    any |= changed;
  }
  return any && settle(work);
}

}  // namespace

bool read_only(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  std::vector<Edit> edits;
  for (const Function& function : work.program.functions) {
    const SourceFunction* facts = work.gpu->function(function.name);
    if (!function.kernel || !facts || !wants(step, function.name) || is_declared_again(work, function))
      continue;
    edit_signature(work, function, *facts, edits);
  }
  const bool signs = !edits.empty() && change(work, std::move(edits));
  return (step.integer("ldg", 0) == 1 && ldg(work, step)) || signs;
}

}  // namespace noctune::rules::gpu
