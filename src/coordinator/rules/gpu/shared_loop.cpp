#include "coordinator/rules/gpu/shared_loop.hpp"

#include <algorithm>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/gpu/core_loop.hpp"
#include "coordinator/rules/gpu/loop_guard.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

constexpr std::size_t most_loads = 4;
const char* const lanes_of[] = {"x", "y", "z", "w"};

struct Load {
  ExprPtr element;    // as it stands in the loop
  ExprPtr subscript;  // over names from outside the loop and the counter
  std::string name, vector;
};

// Parts that are evaluated in every iteration.
void visit_certain(const ExprPtr& expr, const std::function<void(const ExprPtr&)>& action) {
  action(expr);
  const bool lazy = expr->kind == ExprKind::select || expr->text == "&&" || expr->text == "||";
  for (std::size_t i = 0; i < (lazy ? 1 : expr->args.size()); ++i) visit_certain(expr->args[i], action);
}

std::vector<ExprPtr> certain_loads(const Statements& body) {
  std::vector<ExprPtr> loads;
  for (const Statement& statement : body)
    if (statement.value)
      visit_certain(statement.value, [&](const ExprPtr& part) {
        if (part->kind == ExprKind::index) loads.push_back(part);
      });
  return loads;
}

// The load as a wide one; nothing where its place does not move along with the counter.
std::optional<Load> wide_load(const Work& work, const SharedLoop& shared, const ExprPtr& element,
                              std::size_t number) {
  const std::string array = element->args[0]->text, type = plain_type(element->type);
  const bool known = type == "float" || type == "double" || type == "int" || type == "unsigned int";
  const ExprPtr subscript = substitute(element->args[1], places_in(shared.loop.body));
  const auto stride = stride_in(subscript, shared.loop.name);
  if (!known || shared.written.count(array) || !stride || stride->as_constant() != 1) return {};
  for (const std::string& name : declared_names(shared.loop.body))
    if (mentions(subscript, name)) return {};
  const std::string base = type == "unsigned int" ? "uint" : type;
  return Load{element, subscript,
              fresh_name(work.program, array + "_wide" + (number > 0 ? std::to_string(number) : "")),
              base + std::to_string(16 / bytes_of(type))};
}

std::optional<std::vector<Load>> wide_loads(const Work& work, const SharedLoop& shared) {
  const std::vector<ExprPtr> certain = certain_loads(shared.loop.body);
  std::vector<Load> list;
  for (const ExprPtr& element : loads_of(shared.loop.body, {})) {
    const ExprPtr subscript = substitute(element->args[1], places_in(shared.loop.body));
    if (!mentions(subscript, shared.loop.name)) continue;
    auto load = wide_load(work, shared, element, list.size());
    const bool always =
        std::any_of(certain.begin(), certain.end(), [&](const ExprPtr& one) { return same(one, element); });
    if (!load || !always || list.size() == most_loads) return {};
    list.push_back(*load);
  }
  if (list.empty()) return {};
  for (const Load& load : list)
    if (bytes_of(plain_type(load.element->type)) != bytes_of(plain_type(list[0].element->type))) return {};
  return list;
}

// Declarations that nothing below them mentions.
void drop_unused(Statements& body) {
  for (std::size_t i = body.size(); i-- > 0;) {
    const Statements below(body.begin() + static_cast<long>(i) + 1, body.end());
    if (body[i].kind == StatementKind::declare && !mentions(below, body[i].name))
      body.erase(body.begin() + static_cast<long>(i));
  }
}

std::string lane_text(const SharedLoop& shared, const std::vector<Load>& loads, const std::string& first,
                      long long lane) {
  Statements body = shared.loop.body;
  for (const Load& load : loads)
    replace(body, load.element, variable(load.name + "." + lanes_of[lane], load.element->type));
  drop_unused(body);
  const std::string& counter = shared.loop.name;
  if (!mentions(body, counter) && declared_names(body).empty()) return print(body, 0);
  std::string text = "{\n";
  if (mentions(body, counter))
    text += "  const " + plain_type(shared.loop.type) + " " + counter + " = " + first +
            (lane > 0 ? " + " + std::to_string(lane) : "") + ";\n";
  return text + print(body, 2) + "}\n";
}

std::string at(const Load& load, const std::string& counter, const ExprPtr& value) {
  const ExprPtr place = folded(substitute(load.subscript, {{counter, value}}));
  const std::string& array = load.element->args[0]->text;
  return constant_of(place) == 0 ? array : print(binary("+", load.element->args[0], place));
}

// How the loop ends: its bound has a name where it is no simple value.
struct Ending {
  std::string declaration;
  ExprPtr bound;
};
Ending ending_of(const Work& work, const Statement& loop) {
  const ExprPtr upper = upper_bound(loop);
  if (upper->kind != ExprKind::select) return {"", upper};
  const std::string name = fresh_name(work.program, "end");
  return {"const " + plain_type(loop.type) + " " + name + " = " + print(upper) + ";\n",
          variable(name, upper->type)};
}

std::string plus_text(const ExprPtr& lower, const std::string& more) {
  return constant_of(lower) == 0 ? more : print(binary("+", lower, variable(more, "int")));
}

}  // namespace

std::string single_loop_text(const Work& work, const SharedLoop& shared) {
  const Ending ending = ending_of(work, shared.loop);
  return fill_template(R"($declare
for ($type $counter = $from; $counter < $end; $counter += $threads) {
  $body
}
)",
                       {{"declare", ending.declaration},
                        {"type", plain_type(shared.loop.type)},
                        {"counter", shared.loop.name},
                        {"from", plus_text(shared.loop.lower, shared.thread)},
                        {"end", print(ending.bound)},
                        {"threads", shared.threads},
                        {"body", print(shared.loop.body, 0)}});
}

std::string vector_loop_text(const Work& work, const SharedLoop& shared) {
  const auto loads = wide_loads(work, shared);
  if (!loads) return {};
  const std::string& counter = shared.loop.name;
  const ExprPtr& lower = shared.loop.lower;
  const long long lanes = 16 / bytes_of(plain_type(loads->front().element->type));
  const std::string first = fresh_name(work.program, "first"), vector = fresh_name(work.program, "vector"),
                    done = fresh_name(work.program, "done");
  std::string aligned, reads, body;
  for (const Load& load : *loads) {
    aligned += (aligned.empty() ? "" : " && ") + std::string("reinterpret_cast<unsigned long long>(") +
               at(load, counter, lower) + ") % 16 == 0";
    reads += "const " + load.vector + " " + load.name + " = *reinterpret_cast<const " + load.vector + "*>(" +
             at(load, counter, variable(first, shared.loop.type)) + ");\n";
  }
  for (long long lane = 0; lane < lanes; ++lane) body += lane_text(shared, *loads, first, lane);
  const Ending ending = ending_of(work, shared.loop);
  const std::string type = plain_type(shared.loop.type);
  const ExprPtr length = constant_of(lower) == 0 ? ending.bound : binary("-", ending.bound, lower);
  return fill_template(R"($declare
$type $done = 0;
if ($aligned) {
  if ($end > $lower) $done = $wholes;
  for ($type $vector = $thread; $vector < $done; $vector += $threads) {
    const $type $first = $start;
    $reads
    $body
  }
  $done *= $lanes;
}
for ($type $counter = $from; $counter < $end; $counter += $threads) {
  $single
}
)",
                       {{"declare", ending.declaration},
                        {"type", type},
                        {"done", done},
                        {"aligned", aligned},
                        {"end", print(ending.bound)},
                        {"lower", print(lower)},
                        {"wholes", print(binary("/", length, number(lanes)))},
                        {"lanes", std::to_string(lanes)},
                        {"vector", vector},
                        {"thread", shared.thread},
                        {"threads", shared.threads},
                        {"first", first},
                        {"start", plus_text(lower, std::to_string(lanes) + " * " + vector)},
                        {"reads", reads},
                        {"body", body},
                        {"counter", counter},
                        {"from", plus_text(lower, done + " + " + shared.thread)},
                        {"single", print(shared.loop.body, 0)}});
}

}  // namespace noctune::rules::gpu
