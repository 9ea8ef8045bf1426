// Rules that mark loops for threads and vector units.
#include <algorithm>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"
#include "coordinator/rules/template_text.hpp"
#include "coordinator/rules/tile_end.hpp"

namespace noctune::rules {
namespace {

// Below this many innermost statements, starting a team costs more than it gains.
constexpr double smallest_team_work = 20000;

std::string clauses_of(const Carried& carried) {
  std::string text;
  for (const std::string& name : carried.privates) text += (text.empty() ? " private(" : ", ") + name;
  if (!text.empty()) text += ")";
  std::map<std::string, std::string> lists;
  for (const auto& [name, op] : carried.reductions) lists[op] += (lists[op].empty() ? "" : ", ") + name;
  for (const auto& [op, names] : lists) text += " reduction(" + op + ": " + names + ")";
  return text;
}

std::string schedule_of(const Step& step) {
  const std::string kind = step.text("schedule", "");
  if (kind.empty()) return {};
  const std::string chunk = step.text("chunk", "");
  return " schedule(" + kind + (chunk.empty() ? "" : ", " + chunk) + ")";
}

// Triangles and rows of unequal length are handed out in pieces.
std::string default_schedule(const Statement& loop) {
  bool triangle = false, irregular = false;
  visit(loop.body, [&](const Statement& statement) {
    if (statement.kind != StatementKind::loop || tile_end_of(statement)) return;
    for (const ExprPtr& bound : {statement.lower, statement.upper}) {
      triangle |= mentions(bound, loop.name);
      irregular |= reads_memory(bound);
    }
  });
  if (irregular) return " schedule(dynamic, 256)";
  return triangle ? " schedule(dynamic, 8)" : "";
}

bool can_collapse(const Work& work, const Function& function, const Statement& loop, const LoopPath& outer) {
  if (loop.body.size() != 1 || loop.body[0].kind != StatementKind::loop) return false;
  const Statement& inner = loop.body[0];
  if (mentions(inner.lower, loop.name) || mentions(inner.upper, loop.name)) return false;
  LoopPath path = outer;
  path.push_back(&loop);
  return !is_innermost(inner) && carried_by(work.program, function, inner, path).independent();
}

bool already_marked(const Statement& statement) {
  return std::any_of(statement.pragmas.begin(), statement.pragmas.end(),
                     [](const std::string& pragma) { return pragma.rfind("omp", 0) == 0; });
}

class Paralleliser {
 public:
  Paralleliser(Work& work, Function& function, const Step& step)
      : work_(work), function_(function), step_(step) {}

  bool list(Statements& statements, const LoopPath& outer) {
    bool changed = false;
    for (Statement& statement : statements) changed |= one(statement, outer);
    return changed;
  }

  // Marks a loop for a team that exists already ("omp for") or starts one.
  bool mark(Statement& loop, const LoopPath& outer, const std::string& construct) const {
    const Carried carried = carried_by(work_.program, function_, loop, outer);
    if (!carried.reducible()) return false;
    std::string pragma = construct;
    if (step_.integer("collapse", 1) == 2 && can_collapse(work_, function_, loop, outer))
      pragma += " collapse(2)";
    std::string schedule = schedule_of(step_);
    if (schedule.empty()) schedule = default_schedule(loop);
    loop.pragmas.insert(loop.pragmas.begin(), pragma + schedule + clauses_of(carried));
    return true;
  }

 private:
  bool one(Statement& statement, const LoopPath& outer) {
    if (already_marked(statement)) return false;
    if (statement.kind != StatementKind::loop) {
      const bool body = list(statement.body, outer);
      return list(statement.otherwise, outer) || body;
    }
    if (work_of(work_.program, statement) < smallest_team_work) return false;
    if (wants(step_, statement.id) && mark(statement, outer, "omp parallel for")) return true;
    LoopPath inner = outer;
    inner.push_back(&statement);
    return list(statement.body, inner);
  }

  Work& work_;
  Function& function_;
  const Step& step_;
};

bool has_team(const Statement& statement) {
  return std::any_of(statement.pragmas.begin(), statement.pragmas.end(), [](const std::string& pragma) {
    return pragma.rfind("omp parallel", 0) == 0 || pragma.rfind("omp for", 0) == 0;
  });
}

bool have_team(const Statements& statements) {
  bool found = false;
  visit(statements, [&](const Statement& statement) {
    found |= has_team(statement) || statement.text.find("#pragma omp") != std::string::npos;
  });
  return found;
}

bool share_loop(const Paralleliser& paralleliser, Statement& loop, const LoopPath& outer) {
  Statement trial = loop;
  const bool vectors =
      std::erase_if(trial.pragmas, [](const std::string& p) { return p.rfind("omp simd", 0) == 0; }) > 0;
  if (!paralleliser.mark(trial, outer, vectors ? "omp parallel for simd" : "omp parallel for")) return false;
  loop = std::move(trial);
  return true;
}

// Loops within a team, or around one, are left alone.
void share_again(const Paralleliser& paralleliser, Statements& statements, const LoopPath& outer) {
  for (Statement& statement : statements) {
    if (has_team(statement)) continue;
    if (statement.threaded && !have_team(statement.body) && share_loop(paralleliser, statement, outer))
      continue;
    LoopPath inner = outer;
    if (statement.kind == StatementKind::loop) inner.push_back(&statement);
    share_again(paralleliser, statement.body, inner);
    share_again(paralleliser, statement.otherwise, outer);
  }
}

// A loop over time, say, whose body is nothing but loops that a team can share.
bool make_team(Work& work, Function& function, const Step& step, Statement& loop, const LoopPath& outer) {
  if (already_marked(loop) || loop.body.empty() || work_of(work.program, loop) < smallest_team_work)
    return false;
  Statement trial = loop;
  LoopPath path = outer;
  path.push_back(&trial);
  const Paralleliser paralleliser(work, function, step);
  for (Statement& inner : trial.body) {
    if (inner.kind != StatementKind::loop || already_marked(inner)) return false;
    const Carried carried = carried_by(work.program, function, inner, path);
    if (!carried.independent() || !paralleliser.mark(inner, path, "omp for")) return false;
  }
  if (reads_memory(loop.lower) || reads_memory(loop.upper)) return false;
  trial.pragmas.insert(trial.pragmas.begin(), "omp parallel");
  loop = trial;
  return true;
}

bool team_list(Work& work, Function& function, const Step& step, Statements& statements,
               const LoopPath& outer) {
  bool changed = false;
  for (Statement& statement : statements) {
    if (statement.kind != StatementKind::loop || !wants(step, statement.id)) continue;
    const Carried carried = carried_by(work.program, function, statement, outer);
    if (!carried.reducible()) changed |= make_team(work, function, step, statement, outer);
  }
  return changed;
}

// --- partials ---

struct Partial {
  std::string array, type, parts, own, stride;
  ExprPtr extent;
};

std::string type_of_array(const Statements& statements, const std::string& array) {
  std::string type;
  visit_expressions(statements, [&](const ExprPtr& expr) {
    visit(expr, [&](const Expr& part) {
      if (part.kind == ExprKind::index && part.args[0]->text == array) type = part.type;
    });
  });
  return type;
}

std::vector<Partial> partials_of(Work& work, const Statement& loop, const Carried& carried) {
  std::vector<Partial> result;
  for (const std::string& array : carried.accumulated) {
    const auto extent = work.program.extents.find(array);
    if (extent == work.program.extents.end()) return {};
    const std::string type = type_of_array({loop}, array);
    if (!is_floating(type) && !is_integer(type)) return {};
    result.push_back({array, type, fresh_name(work.program, array + "_parts"),
                      fresh_name(work.program, array + "_own"), fresh_name(work.program, array + "_stride"),
                      extent->second});
  }
  return result;
}

const char* before_template =
    R"(// Every thread adds into its own copy of $array; the copies are summed at the end.
const long $stride = (static_cast<long>($extent) + 31) / 16 * 16;  // no two copies share a cache line
$type* $parts = nullptr;
)";

const char* own_template = R"(#pragma omp single
$parts = new $type[$threads * $stride];
$type* $own = $parts + omp_get_thread_num() * $stride;
std::fill($own, $own + $stride, $type());
)";

const char* sum_template = R"(#pragma omp for schedule(static)
for (long $element = 0; $element < $extent; ++$element) {
  for (int $part = 0; $part < $threads; ++$part) $array[$element] += $parts[$part * $stride + $element];
}
)";

Statements partial_region(Work& work, const Statement& loop, const std::vector<Partial>& partials,
                          const Step& step) {
  const std::string threads = fresh_name(work.program, "threads");
  Statement region, marked = loop;
  Statements result, sums, after;
  region.kind = StatementKind::block;
  region.pragmas = {"omp parallel"};
  region.body.push_back(text_lines("const int " + threads + " = omp_get_num_threads();"));
  const std::string schedule = schedule_of(step);
  marked.pragmas.insert(marked.pragmas.begin(),
                        "omp for" + (schedule.empty() ? " schedule(static)" : schedule));
  marked.comments.clear();
  for (const Partial& partial : partials) {
    const TemplateValues values = {{"array", partial.array},
                                   {"type", partial.type},
                                   {"parts", partial.parts},
                                   {"own", partial.own},
                                   {"stride", partial.stride},
                                   {"threads", threads},
                                   {"extent", print(partial.extent)},
                                   {"part", fresh_name(work.program, "part")},
                                   {"element", fresh_name(work.program, "element")}};
    result.push_back(text_lines(fill_template(before_template, values)));
    region.body.push_back(text_lines(fill_template(own_template, values)));
    sums.push_back(text_lines(fill_template(sum_template, values)));
    after.push_back(text_lines("delete[] " + partial.parts + ";"));
    marked.body = substitute(marked.body, {{partial.array, variable(partial.own, partial.type + " *")}});
    work.program.temporaries.insert(partial.own);
    work.program.extents[partial.own] = partial.extent;
  }
  region.body.push_back(marked);
  region.body.insert(region.body.end(), sums.begin(), sums.end());
  result.push_back(region);
  result.insert(result.end(), after.begin(), after.end());
  result.front().comments = loop.comments;
  work.program.headers.insert({"omp.h", "algorithm"});
  return result;
}

bool partials_list(Work& work, Function& function, const Step& step, Statements& statements, LoopPath outer) {
  bool changed = false;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    Statement& statement = statements[i];
    if (already_marked(statement)) continue;
    if (statement.kind != StatementKind::loop) {
      changed |= partials_list(work, function, step, statement.body, outer);
      changed |= partials_list(work, function, step, statement.otherwise, outer);
      continue;
    }
    if (!wants(step, statement.id) || work_of(work.program, statement) < smallest_team_work) continue;
    const Carried carried = carried_by(work.program, function, statement, outer);
    const bool fits = carried.understood && carried.conflicts.empty() && carried.reductions.empty() &&
                      carried.privates.empty() && !carried.accumulated.empty();
    const std::vector<Partial> partials =
        fits ? partials_of(work, statement, carried) : std::vector<Partial>{};
    if (partials.empty()) continue;
    const Statements region = partial_region(work, statement, partials, step);
    statements.erase(statements.begin() + static_cast<long>(i));
    statements.insert(statements.begin() + static_cast<long>(i), region.begin(), region.end());
    i += region.size() - 1;
    changed = true;
  }
  return changed;
}

// --- simd ---

bool gathers(const Statement& loop) {
  bool found = false;
  for (const Access& access : accesses_of(loop.body, {})) found |= reads_memory(access.subscript);
  return found;
}

// Gathers in loops of unknown, mostly short length cost more than they save; "gather=1" tries all the same.
bool worth_vectors(const Work& work, const Statement& loop, const Step& step) {
  const bool unknown_length = reads_memory(loop.lower) || reads_memory(loop.upper);
  if (unknown_length && gathers(loop) && step.integer("gather", 0) == 0) return false;
  return loop.step == 1 && work_of(work.program, loop) >= 8;
}

bool simd_list(Work& work, Function& function, const Step& step, Statements& statements, LoopPath outer) {
  bool changed = false;
  for (Statement& statement : statements) {
    LoopPath inner = outer;
    if (statement.kind == StatementKind::loop) inner.push_back(&statement);
    const bool candidate = statement.kind == StatementKind::loop && is_innermost(statement) &&
                           wants(step, statement.id) && worth_vectors(work, statement, step);
    if (!candidate) {
      changed |= simd_list(work, function, step, statement.body, inner);
      changed |= simd_list(work, function, step, statement.otherwise, inner);
      continue;
    }
    const Carried carried = carried_by(work.program, function, statement, outer);
    if (!carried.reducible()) continue;
    std::string* shared = nullptr;
    for (std::string& pragma : statement.pragmas) {
      if (pragma.find("simd") != std::string::npos) return changed;
      const std::size_t at = pragma.find("for");
      if (pragma.rfind("omp", 0) == 0 && at != std::string::npos) {
        pragma.insert(at + 3, " simd");
        shared = &pragma;
      }
    }
    if (!shared) statement.pragmas.push_back("omp simd" + clauses_of(carried));
    changed = true;
  }
  return changed;
}

}  // namespace

void keep_threads(Work& work) {
  const Step plain{"parallel", "", {}};
  for (Function& function : work.program.functions)
    if (function.changed) share_again(Paralleliser(work, function, plain), function.body, {});
}

bool parallel(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    Function copy = function;
    Paralleliser paralleliser(work, copy, step);
    if (!paralleliser.list(function.body, {})) continue;
    function.changed = changed = true;
  }
  return changed;
}

bool team(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    Function copy = function;
    if (team_list(work, copy, step, function.body, {})) function.changed = changed = true;
  }
  return changed;
}

bool partials(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    Function copy = function;
    if (partials_list(work, copy, step, function.body, {})) function.changed = changed = true;
  }
  return changed;
}

bool simd(Work& work, const Step& step) {
  bool changed = false;
  for (Function& function : work.program.functions) {
    if (!is_open(function)) continue;
    Function copy = function;
    if (simd_list(work, copy, step, function.body, {})) function.changed = changed = true;
  }
  return changed;
}

}  // namespace noctune::rules
