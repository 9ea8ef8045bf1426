#include "coordinator/rules/gpu/kernel_form.hpp"

#include <algorithm>
#include <set>

#include "coordinator/rules/polynomial.hpp"

namespace noctune::rules::gpu {
namespace {

const char* const axis_names[] = {".x", ".y", ".z"};

bool names_threads(const std::string& text) {
  for (const char* word :
       {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "hipThreadIdx_x", "hipBlockIdx_x",
        "__shared__", "__syncthreads", "__syncwarp", "cooperative_groups"})
    if (contains_word(text, word)) return true;
  return text.find("__shfl") != std::string::npos || text.find("__ballot") != std::string::npos ||
         text.find("__any") != std::string::npos || text.find("__all") != std::string::npos ||
         text.find("asm") != std::string::npos;
}

// blockIdx * width + threadIdx
std::optional<ThreadIndex> thread_index(const Statement& statement) {
  if (statement.kind != StatementKind::declare || !statement.value) return {};
  const auto value = polynomial_of(statement.value);
  if (!value || value->terms().size() != 2) return {};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string thread = std::string("threadIdx") + axis_names[axis],
                      block = std::string("blockIdx") + axis_names[axis],
                      size = std::string("blockDim") + axis_names[axis];
    if (!value->terms().count({thread}) || value->terms().at({thread}) != 1) continue;
    const Polynomial rest = *value - Polynomial::symbol(thread);
    const auto& [factors, coefficient] = *rest.terms().begin();
    ThreadIndex result = {statement.name, statement.type, axis, number(coefficient)};
    if (factors == Monomial{block}) return result;
    if (coefficient != 1 || factors.size() != 2) return {};
    const std::string& other = factors[0] == block ? factors[1] : factors[0];
    if (std::find(factors.begin(), factors.end(), block) == factors.end()) return {};
    const bool foreign = other.find('.') != std::string::npos && other != size;
    if (foreign) return {};
    result.width = variable(other, other == size ? "unsigned int" : "int");
    return result;
  }
  return {};
}

bool is_return(const Statements& body) {
  return body.size() == 1 && body[0].kind == StatementKind::text && body[0].text == "return;";
}

class FormReader {
 public:
  FormReader(const Function& kernel, const Substitution& dimensions) : dimensions_(dimensions) {
    form_.kernel = &kernel;
  }

  std::optional<KernelForm> read() {
    if (!form_.kernel->understood || !read_list(form_.kernel->body)) return {};
    move_working_values();
    std::sort(form_.indices.begin(), form_.indices.end(),
              [](const ThreadIndex& a, const ThreadIndex& b) { return a.axis < b.axis; });
    for (std::size_t i = 1; i < form_.indices.size(); ++i)
      if (form_.indices[i].axis == form_.indices[i - 1].axis) return {};
    if (names_threads(print(form_.core, 0) + print(form_.head, 0) + guard_text(form_))) return {};
    return form_;
  }

 private:
  // Declarations and guards from the top; the rest is the core.
  bool read_list(const Statements& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      Statement statement = substitute(Statements{list[i]}, aliases_)[0];
      if (statement.kind == StatementKind::declare && statement.value && take_declaration(statement))
        continue;
      if (statement.kind == StatementKind::branch && statement.otherwise.empty()) {
        if (is_return(statement.body)) {
          if (!take_guard(statement.value, true)) return false;
          continue;
        }
        const bool last = i + 1 == list.size();
        if (last && guards_an_index(statement.value)) {
          if (!take_guard(statement.value, false)) return false;
          const Statements inner = statement.body;
          return read_list(inner);
        }
      }
      form_.core = substitute(Statements(list.begin() + static_cast<long>(i), list.end()), aliases_);
      return true;
    }
    return false;  // nothing is done
  }

  bool take_declaration(Statement& statement) {
    name_thread_count(statement);
    if (statement.value->kind == ExprKind::variable &&
        statement.value->text.find("Idx.") != std::string::npos && is_integer(statement.type)) {
      aliases_[statement.name] = statement.value;
      return true;
    }
    if (auto found = thread_index(statement)) {
      form_.indices.push_back(*found);
      return true;
    }
    // Once guards were read, what follows belongs to the core.
    if (reads_memory(statement.value) || !form_.bounds.empty() || !form_.conditions.empty()) return false;
    form_.head.push_back(statement);
    return true;
  }

  // threads = gridDim.x * blockDim.x is a number where every launch has the same one.
  void name_thread_count(Statement& statement) const {
    const auto value = constant_of(substitute(statement.value, dimensions_));
    if (value && *value > 0 && is_integer(plain_type(statement.type)) &&
        names_threads(print(statement.value)))
      statement.value = number(*value);
  }

  // A sum declared above the guard belongs to the work below it.
  void move_working_values() {
    const std::set<std::string> assigned = assigned_names(form_.core);
    Statements steady, working;
    for (const Statement& statement : form_.head)
      (assigned.count(statement.name) ? working : steady).push_back(statement);
    for (const Statement& statement : working)
      if (mentions(steady, statement.name) || contains_word(guard_text(form_), statement.name)) return;
    working.insert(working.end(), form_.core.begin(), form_.core.end());
    form_.head = steady;
    form_.core = working;
  }

  bool is_index(const std::string& name) const {
    return std::any_of(form_.indices.begin(), form_.indices.end(),
                       [&](const ThreadIndex& index) { return index.name == name; });
  }

  bool guards_an_index(const ExprPtr& condition) const {
    bool found = false;
    visit(condition,
          [&](const Expr& part) { found |= part.kind == ExprKind::variable && is_index(part.text); });
    return found && !reads_memory(condition);
  }

  // `leaves`: the condition is that of leaving.
  bool take_guard(const ExprPtr& condition, bool leaves) {
    if (reads_memory(condition)) return false;
    const char* joint = leaves ? "||" : "&&";
    if (condition->kind == ExprKind::binary && condition->text == joint)
      return take_guard(condition->args[0], leaves) && take_guard(condition->args[1], leaves);
    if (const auto bound = bound_in(condition, leaves))
      form_.bounds.push_back(*bound);
    else
      form_.conditions.push_back(leaves ? node(ExprKind::unary, "!", "bool", {condition}) : condition);
    return true;
  }

  std::optional<Bound> bound_in(const ExprPtr& condition, bool leaves) const {
    if (condition->kind != ExprKind::binary) return {};
    ExprPtr left = condition->args[0], right = condition->args[1];
    std::string op = condition->text;
    if (left->kind != ExprKind::variable || !is_index(left->text)) {
      static const std::map<std::string, std::string> turned = {
          {"<", ">"}, {">", "<"}, {"<=", ">="}, {">=", "<="}};
      if (!turned.count(op)) return {};
      std::swap(left, right);
      op = turned.at(op);
    }
    if (left->kind != ExprKind::variable || !is_index(left->text)) return {};
    if (op == (leaves ? ">=" : "<")) return Bound{left->text, right};
    if (op == (leaves ? ">" : "<=")) return Bound{left->text, plus(right, 1)};
    return {};
  }

  KernelForm form_;
  const Substitution& dimensions_;
  Substitution aliases_;
};

bool never_below(const ExprPtr& larger, const ExprPtr& smaller) {
  const auto a = polynomial_of(larger), b = polynomial_of(smaller);
  return a && b && never_negative(*a - *b);
}

}  // namespace

const ThreadIndex* KernelForm::on_axis(std::size_t axis) const {
  for (const ThreadIndex& index : indices)
    if (index.axis == axis) return &index;
  return nullptr;
}

const Bound* KernelForm::bound_of(const std::string& index) const {
  for (const Bound& bound : bounds)
    if (bound.index == index) return &bound;
  return nullptr;
}

bool KernelForm::has_plain_guard() const {
  return conditions.empty() && bounds.size() == indices.size() &&
         std::all_of(indices.begin(), indices.end(),
                     [&](const ThreadIndex& index) { return bound_of(index.name) != nullptr; });
}

bool KernelForm::has_barriers_or_text() const {
  return has_opaque(core);
}

std::optional<KernelForm> form_of(const Function& kernel) {
  auto form = FormReader(kernel, {}).read();
  return form && !form->indices.empty() ? form : std::nullopt;
}

std::string guard_text(const KernelForm& form) {
  std::string text;
  const auto add = [&](const ExprPtr& part) {
    const bool wrapped = part->kind == ExprKind::binary && part->text == "||";
    text += (text.empty() ? "" : " && ") + (wrapped ? "(" + print(part) + ")" : print(part));
  };
  for (const Bound& bound : form.bounds) add(binary("<", variable(bound.index, "int"), bound.limit, "bool"));
  for (const ExprPtr& condition : form.conditions) add(condition);
  return text;
}

bool covers(const Source& source, const KernelForm& form, const Launch& launch) {
  if (launch.block_size() < 1 || launch.block_size() > 1024) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const ThreadIndex* index = form.on_axis(axis);
    if (!index) {
      const bool single =
          launch.threads[axis] == 1 && launch.grid[axis] && constant_of(launch.grid[axis]) == 1;
      if (!single) return false;
      continue;
    }
    const Bound* bound = form.bound_of(index->name);
    const ExprPtr limit = bound ? source.on_host(launch, bound->limit) : nullptr;
    if (!limit || !launch.extent[axis] || !never_below(launch.extent[axis], limit)) return false;
    const ExprPtr width = source.on_host(launch, index->width);
    const bool by_dim = index->width->text.rfind("blockDim", 0) == 0;
    if (!by_dim && (!width || constant_of(width) != launch.threads[axis])) return false;
  }
  return true;
}

bool calls_for_its_place(const Source& source, const Function& kernel) {
  const std::string& text = source.context.source;
  const std::string body = text.substr(kernel.body_begin, kernel.body_end - kernel.body_begin);
  for (const SourceFunction& helper : source.functions) {
    if (helper.kind != SourceFunction::Kind::device || !contains_word(body, helper.name)) continue;
    if (names_threads(text.substr(helper.body.begin, helper.body.end - helper.body.begin))) return true;
  }
  return std::any_of(source.macros.begin(), source.macros.end(), [&](const SourceMacro& macro) {
    return names_threads(macro.value) && contains_word(body, macro.name);
  });
}

namespace {

bool all_cover(const Work& work, const Target& target) {
  return !target.launches.empty() &&
         std::all_of(target.launches.begin(), target.launches.end(), [&](const Launch* launch) {
           return !launch->has_dynamic_memory() && covers(*work.gpu, target.form, *launch);
         });
}

// gridDim and blockDim as numbers; nothing where launches differ or depend on sizes.
Substitution dimensions_of(const std::vector<const Launch*>& launches) {
  Substitution values;
  for (const Launch* launch : launches)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto blocks = launch->grid[axis] ? constant_of(launch->grid[axis]) : std::nullopt;
      if (!blocks || *blocks < 1 || launch->threads != launches[0]->threads) return {};
      const std::string grid = std::string("gridDim") + axis_names[axis],
                        block = std::string("blockDim") + axis_names[axis];
      if (values.count(grid) && constant_of(values.at(grid)) != blocks) return {};
      values[grid] = number(*blocks);
      values[block] = number(launch->threads[axis]);
    }
  return values;
}

std::optional<Target> fixed_target(const Work& work, const Function& kernel) {
  Target target = {{}, work.gpu->launches_of(kernel.name)};
  const Substitution dimensions = dimensions_of(target.launches);
  if (dimensions.empty()) return {};
  auto form = FormReader(kernel, dimensions).read();
  if (!form) return {};
  for (const ThreadIndex& index : form->indices)
    if (!form->bound_of(index.name))
      form->bounds.push_back({index.name, target.launches[0]->extent[index.axis]});
  target.form = std::move(*form);
  return all_cover(work, target) ? std::optional(std::move(target)) : std::nullopt;
}

}  // namespace

std::vector<Target> targets(const Work& work, Grids grids) {
  std::vector<Target> list;
  for (const Function& function : work.program.functions) {
    if (!function.kernel || calls_for_its_place(*work.gpu, function)) continue;
    auto form = form_of(function);
    Target usual = {form ? std::move(*form) : KernelForm(), work.gpu->launches_of(function.name)};
    if (usual.form.kernel && all_cover(work, usual))
      list.push_back(std::move(usual));
    else if (auto fixed = grids == Grids::fixed_too ? fixed_target(work, function) : std::nullopt)
      list.push_back(std::move(*fixed));
  }
  return list;
}

std::set<std::string> written_arrays(const Statements& statements) {
  std::set<std::string> names;
  visit(statements, [&](const Statement& statement) {
    if (statement.kind == StatementKind::assign && statement.target->kind != ExprKind::variable)
      visit(statement.target, [&](const Expr& part) {
        if (part.kind == ExprKind::index) names.insert(part.args[0]->text);
      });
    if (!statement.value) return;
    visit(statement.value, [&](const Expr& part) {
      if (part.kind == ExprKind::unary && part.text == "&" && part.args[0]->kind == ExprKind::index)
        names.insert(part.args[0]->args[0]->text);
    });
  });
  return names;
}

}  // namespace noctune::rules::gpu
