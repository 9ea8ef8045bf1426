#include "coordinator/rules/gpu/kernel_form.hpp"

#include <algorithm>
#include <set>

#include "coordinator/rules/polynomial.hpp"

namespace noctune::rules::gpu {
namespace {

const char* const axis_names[] = {".x", ".y", ".z"};

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

}  // namespace

bool names_threads(const std::string& text) {
  for (const char* word :
       {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "hipThreadIdx_x", "hipBlockIdx_x",
        "__shared__", "__syncthreads", "__syncwarp", "cooperative_groups"})
    if (contains_word(text, word)) return true;
  return text.find("__shfl") != std::string::npos || text.find("__ballot") != std::string::npos ||
         text.find("__any") != std::string::npos || text.find("__all") != std::string::npos ||
         text.find("asm") != std::string::npos;
}

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

std::optional<KernelForm> form_of(const Function& kernel, const Substitution& dimensions) {
  auto form = FormReader(kernel, dimensions).read();
  const bool placed = form && (!form->indices.empty() || !dimensions.empty());
  return placed ? form : std::nullopt;
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
