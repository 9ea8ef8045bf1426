// Element-wise kernels read and write several neighbours at once. Buffers that are not aligned, and the last
// elements, go one by one.
#include <algorithm>

#include "coordinator/rules/gpu/core_loop.hpp"
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

constexpr std::size_t most_arrays = 8;
const char* const lanes_of[] = {"x", "y", "z", "w"};

struct Array {
  std::string name, type, vector;
  bool read = false, written = false;
};

struct Elements {
  std::vector<Array> arrays;
  long long lanes = 0;
};

std::string vector_type(const std::string& type, long long lanes) {
  const std::string base = type == "unsigned int" ? "uint" : type;
  return base + std::to_string(lanes);
}

// Arrays are touched at the index alone, and nothing but assignments, declarations and branches happens.
bool is_element_wise(const Statements& statements, const std::string& index) {
  for (const Statement& statement : statements) {
    if (statement.kind == StatementKind::loop || statement.kind == StatementKind::text) return false;
    // Under a condition an element may keep its value, which a wide store would have to know.
    if (statement.kind == StatementKind::branch) return false;
    for (const ExprPtr& expr : {statement.value, statement.target}) {
      bool fine = true;
      if (!expr) continue;
      visit(expr, [&](const Expr& part) {
        if (part.kind != ExprKind::index) return;
        const bool own = part.args[1]->kind == ExprKind::variable && part.args[1]->text == index;
        fine &= own && part.args[0]->kind == ExprKind::variable;
      });
      if (!fine) return false;
    }
  }
  return true;
}

void note(std::vector<Array>& arrays, const Expr& part, bool read, bool write) {
  const std::string& name = part.args[0]->text;
  auto found = std::find_if(arrays.begin(), arrays.end(), [&](const Array& a) { return a.name == name; });
  if (found == arrays.end())
    found = arrays.insert(arrays.end(), {name, plain_type(part.type), "", false, false});
  // What is read after it was written comes from the register of the same name.
  found->read |= read && !found->written;
  found->written |= write;
}

std::optional<Elements> elements_in(const KernelForm& form) {
  if (form.indices.size() != 1 || !form.on_axis(0) || !form.has_plain_guard() || !form.kernel->distinct)
    return {};
  const std::string& index = form.indices[0].name;
  if (!is_element_wise(form.core, index)) return {};
  Elements result;
  for (const Statement& statement : form.core) {
    if (statement.value)
      visit(statement.value, [&](const Expr& part) {
        if (part.kind == ExprKind::index) note(result.arrays, part, true, false);
      });
    if (statement.target && statement.target->kind == ExprKind::index)
      note(result.arrays, *statement.target, statement.op != "=", true);
  }
  if (result.arrays.empty() || result.arrays.size() > most_arrays) return {};
  long long widest = 0;
  for (const Array& array : result.arrays) {
    const bool known = is_floating(array.type) || array.type == "int" || array.type == "unsigned int";
    if (!known) return {};
    widest = std::max(widest, bytes_of(array.type));
  }
  result.lanes = 16 / widest;
  for (Array& array : result.arrays) array.vector = vector_type(array.type, result.lanes);
  return result;
}

std::string lane_text(const Elements& elements, const KernelForm& form, const Work& work, long long lane,
                      const std::string& first) {
  Statements core = form.core;
  for (const Array& array : elements.arrays) {
    const ExprPtr element = index(variable(array.name, array.type + " *"),
                                  variable(form.indices[0].name, form.indices[0].type), array.type);
    const std::string name = fresh_name(work.program, array.name + "_wide");
    replace(core, element, variable(name + "." + lanes_of[lane], array.type));
  }
  const std::string body = print(core, 2);
  std::string text = "{\n";
  if (contains_word(body + print(form.head, 0), form.indices[0].name))
    text += "  const " + plain_type(form.indices[0].type) + " " + form.indices[0].name + " = " + first +
            (lane > 0 ? " + " + std::to_string(lane) : "") + ";\n";
  return text + print(form.head, 2) + body + "}\n";
}

std::string kernel_text(const Work& work, const KernelForm& form, const Elements& elements) {
  const ThreadIndex& index = form.indices[0];
  const std::string first = fresh_name(work.program, "first"), limit = print(form.bounds[0].limit);
  std::string aligned, loads, stores, lanes;
  for (const Array& array : elements.arrays) {
    const std::string name = fresh_name(work.program, array.name + "_wide"),
                      bytes = std::to_string(elements.lanes * bytes_of(array.type));
    aligned += (aligned.empty() ? "" : " && ") + std::string("reinterpret_cast<unsigned long long>(") +
               array.name + ") % " + bytes + " == 0";
    const std::string place = "(" + array.name + " + " + first + ")";
    loads += array.vector + " " + name +
             (array.read ? " = *reinterpret_cast<const " + array.vector + "*>" + place : "") + ";\n";
    if (array.written) stores += "*reinterpret_cast<" + array.vector + "*>" + place + " = " + name + ";\n";
  }
  for (long long lane = 0; lane < elements.lanes; ++lane)
    lanes += lane_text(elements, form, work, lane, first);
  return fill_template(
      R"(  const $itype $first = (blockIdx.x * blockDim.x + threadIdx.x) * $lanes;
  const bool $aligned_name = $aligned;
  if ($aligned_name && $first + $last < $limit) {
    $loads
    $work
    $stores
  } else {
    for ($itype $index = $first; $index < $first + $lanes && $index < $limit; ++$index) {
      $single
    }
  }
)",
      {{"itype", plain_type(index.type)},
       {"first", first},
       {"lanes", std::to_string(elements.lanes)},
       {"last", std::to_string(elements.lanes - 1)},
       {"aligned_name", fresh_name(work.program, "aligned")},
       {"aligned", aligned},
       {"limit", limit},
       {"loads", loads},
       {"work", lanes},
       {"stores", stores},
       {"index", index.name},
       {"single", print(form.head, 0) + print(form.core, 0)}});
}

}  // namespace

bool vector_loads(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work)) {
    const KernelForm& form = target.form;
    const auto elements = elements_in(form);
    if (!elements || !wants(step, form.kernel->name)) continue;
    edits.push_back(body_edit(*form.kernel, kernel_text(work, form, *elements)));
    for (const Launch* launch : target.launches)
      edits.push_back(launch_edit(
          *launch,
          {blocks_for(launch->extent[0], launch->threads[0] * elements->lanes), number(1), number(1)},
          launch->threads));
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
