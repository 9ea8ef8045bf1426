#include "coordinator/rules/rules.hpp"

#include <algorithm>
#include <charconv>

#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/tile_end.hpp"

namespace noctune::rules {

long long Step::integer(const std::string& name, long long fallback) const {
  const auto found = params.find(name);
  if (found == params.end()) return fallback;
  long long value = fallback;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return value;
}

std::string Step::text(const std::string& name, const std::string& fallback) const {
  const auto found = params.find(name);
  return found == params.end() ? fallback : found->second;
}

namespace {

std::vector<Rule> openmp_rules() {
  return {
      {"inline", "inline helpers", "algorithm", "loops of several functions can be treated as one",
       inline_helpers},
      {"localise", "accumulate in registers", "memory access",
       "the running sum no longer goes through memory", localise},
      {"hoist", "hoist invariant loads", "memory access", "values that no iteration changes are read once",
       hoist},
      {"interchange", "loop interchange", "memory access", "the inner loop walks along memory", interchange},
      {"rows", "column walk to row order", "memory access",
       "matrices are read along their rows instead of down "
       "their columns",
       rows},
      {"fuse", "loop fusion", "memory access", "data is read once instead of once per loop", fuse},
      {"jam", "unroll and jam", "tiling", "values in registers serve several rows", jam},
      {"tile", "cache tiling", "tiling", "a tile's data stay in the cache until they are used up", tile},
      {"expand", "array expansion", "algorithm", "a work line per iteration removes a false dependence",
       expand},
      {"peel", "boundary peeling", "arithmetic", "the interior needs no boundary tests", peel},
      {"unroll", "loop unrolling", "arithmetic", "short loops lose their overhead", unroll},
      {"tabulate", "count by value", "algorithm", "costly arithmetic runs once per distinct value", tabulate},
      {"contract", "packed register tiles", "tiling",
       "packed panels and a register tile reuse every loaded value "
       "many times",
       contract},
      {"partials", "partial results per thread", "parallelism", "threads sum into their own copies",
       partials},
      {"team", "one team of threads over all loops", "parallelism", "all cores work and start only once",
       team},
      {"parallel", "parallel loops", "parallelism", "all cores work", parallel},
      {"simd", "vectorised loops", "arithmetic", "vector units work on several elements at once", simd},
      {"restrict", "restrict pointers", "compiler", "the compiler may assume that buffers do not overlap",
       restrict_pointers},
      {"flags", "compiler flags", "compiler", "the compiler may use forms that it avoids by default", flags},
  };
}

}  // namespace

const std::vector<Rule>& catalogue() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> all = openmp_rules();
    for (const Rule& rule : gpu::gpu_rules()) all.push_back(rule);
    return all;
  }();
  return rules;
}

const Rule* find_rule(const std::string& name) {
  for (const Rule& rule : catalogue())
    if (rule.name == name) return &rule;
  return nullptr;
}

bool is_open(const Function& function) {
  return function.understood && function.distinct && !function.removed;
}

std::vector<std::string> loop_ids(const Statements& statements) {
  std::vector<std::string> ids;
  visit(statements, [&](const Statement& statement) {
    if (statement.kind == StatementKind::loop) ids.push_back(statement.id);
  });
  return ids;
}

bool wants(const Step& step, const std::string& id) {
  return step.target.empty() || step.target == id;
}

bool is_signed(const std::string& type) {
  return is_integer(type) && type.find("unsigned") == std::string::npos;
}

std::string new_id(Program& program, const std::string& counter) {
  const int count = ++program.id_uses[counter];
  return count == 1 ? counter : counter + std::to_string(count);
}

void renumber(Program& program, Statements& statements) {
  for (Statement& statement : statements) {
    if (statement.kind == StatementKind::loop) statement.id = new_id(program, statement.name);
    renumber(program, statement.body);
    renumber(program, statement.otherwise);
  }
}

namespace {

double value_of(const Program& program, const ExprPtr& expr, double fallback) {
  if (expr->kind == ExprKind::number) {
    double value = fallback;
    std::from_chars(expr->text.data(), expr->text.data() + expr->text.size(), value);
    return value;
  }
  if (expr->kind == ExprKind::variable) {
    const auto found = program.values.find(expr->text);
    return found == program.values.end() ? fallback : static_cast<double>(found->second);
  }
  if (expr->kind == ExprKind::unary && expr->text == "-") return -value_of(program, expr->args[0], fallback);
  if (expr->kind != ExprKind::binary) return fallback;
  const double left = value_of(program, expr->args[0], fallback),
               right = value_of(program, expr->args[1], fallback);
  if (expr->text == "+") return left + right;
  if (expr->text == "-") return left - right;
  if (expr->text == "*") return left * right;
  if (expr->text == "/" && right != 0) return left / right;
  return fallback;
}

double count_of(const Program& program, const Statements& statements) {
  double total = 0;
  for (const Statement& statement : statements) {
    if (statement.kind == StatementKind::loop)
      total += work_of(program, statement);
    else
      total += 1 + count_of(program, statement.body) + count_of(program, statement.otherwise);
  }
  return total;
}

}  // namespace

double work_of(const Program& program, const Statement& loop) {
  const auto tile = tile_end_of(loop);
  const double low = value_of(program, loop.lower, 0),
               whole = value_of(program, tile ? tile->whole : upper_bound(loop), 100),
               high = tile ? std::min(low + static_cast<double>(tile->size), whole) : whole;
  const double trips = std::max(1.0, (high - low) / static_cast<double>(loop.step));
  return trips * std::max(1.0, count_of(program, loop.body));
}

bool restrict_pointers(Work& work, const Step&) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function) || function.restrict_params) continue;
    for (const Parameter& param : function.params)
      if (!element_of(param.type).empty() && param.type.find("restrict") == std::string::npos)
        function.restrict_params = changed = true;
  }
  return changed;
}

bool flags(Work& work, const Step& step) {
  static const std::map<std::string, std::vector<std::string>> sets = {
      {"math", {"-fno-math-errno", "-fno-trapping-math"}},
      {"unroll", {"-funroll-loops"}},
      {"wide", {"-mprefer-vector-width=512"}},
      {"inline", {"-fno-semantic-interposition", "-fno-plt"}},
      {"prefetch", {"-fprefetch-loop-arrays"}}};
  const auto found = sets.find(step.text("set", "math"));
  if (found == sets.end()) return false;
  if (found->first == "wide" && work.vector_bytes < 64) return false;
  work.extra_flags.insert(work.extra_flags.end(), found->second.begin(), found->second.end());
  return true;
}

}  // namespace noctune::rules
