#include "coordinator/rules/gpu/accumulator.hpp"

#include <algorithm>

namespace noctune::rules::gpu {
namespace {

const std::set<std::string>& extremes() {
  static const std::set<std::string> names = {"fmaxf",     "fminf",     "fmax",       "fmin",
                                              "max",       "min",       "std::max",   "std::min",
                                              "std::fmax", "std::fmin", "std::fmaxf", "std::fminf"};
  return names;
}

bool is_number(const std::string& type) {
  return is_floating(type) || plain_type(type) == "int" || plain_type(type) == "unsigned int";
}

class AccumulatorReader {
 public:
  AccumulatorReader(const Statements& body, const std::set<std::string>& pure_calls)
      : inside_(declared_names(body)), pure_calls_(pure_calls) {}

  bool read(const Statements& body) {
    return std::all_of(body.begin(), body.end(), [&](const Statement& one) { return read(one); });
  }

  const std::vector<Accumulator>& found() const { return found_; }

  // No expression but the accumulating ones reads an accumulator.
  bool stands_alone() const {
    return std::all_of(found_.begin(), found_.end(), [&](const Accumulator& one) {
      return std::none_of(values_.begin(), values_.end(),
                          [&](const ExprPtr& value) { return mentions(value, one.name); });
    });
  }

 private:
  bool read(const Statement& statement) {
    if (statement.kind == StatementKind::declare) return !statement.value || takes(statement.value);
    if (statement.kind == StatementKind::block) return read(statement.body);
    if (statement.kind == StatementKind::assign) return read_assignment(statement);
    if (statement.kind != StatementKind::branch) return false;
    if (read_replacement(statement)) return true;
    return takes(statement.value) && read(statement.body) && read(statement.otherwise);
  }

  // sum += value, sum -= value, largest = fmaxf(largest, value), largest = value > largest ? value : largest
  bool read_assignment(const Statement& statement) {
    if (statement.target->kind != ExprKind::variable) return false;
    const ExprPtr& value = statement.value;
    if (statement.op == "+=" || statement.op == "-=") return takes(value) && add(statement.target, "+");
    if (statement.op != "=") return false;
    if (value->kind == ExprKind::select && same(value->args[2], statement.target))
      return replaces(value->args[0], statement.target, value->args[1]);
    if (value->kind != ExprKind::call || value->args.size() != 2 || !extremes().count(value->text))
      return false;
    const bool first = same(value->args[0], statement.target);
    if (!first && !same(value->args[1], statement.target)) return false;
    return takes(value->args[first ? 1 : 0]) && add(statement.target, value->text);
  }

  // if (value > largest) largest = value;
  bool read_replacement(const Statement& branch) {
    if (!branch.otherwise.empty() || branch.body.size() != 1) return false;
    const Statement& inner = branch.body[0];
    const bool plain =
        inner.kind == StatementKind::assign && inner.op == "=" && inner.target->kind == ExprKind::variable;
    return plain && replaces(branch.value, inner.target, inner.value);
  }

  bool replaces(const ExprPtr& condition, const ExprPtr& target, const ExprPtr& value) {
    if (condition->kind != ExprKind::binary || mentions(value, target->text)) return false;
    const bool turned = same(condition->args[0], target) && same(condition->args[1], value);
    if (!turned && !(same(condition->args[0], value) && same(condition->args[1], target))) return false;
    const std::string& op = condition->text;
    if (op != ">" && op != "<") return false;
    return takes(value) && add(target, turned == (op == "<") ? ">" : "<");
  }

  bool takes(const ExprPtr& value) {
    bool known = true;
    visit(value, [&](const Expr& part) {
      if (part.kind == ExprKind::call) known &= pure_calls_.count(part.text) > 0;
    });
    values_.push_back(value);
    return known;
  }

  bool add(const ExprPtr& target, const std::string& by) {
    if (inside_.count(target->text) || !is_number(target->type)) return false;
    for (const Accumulator& one : found_)
      if (one.name == target->text) return one.by == by;
    found_.push_back({target->text, plain_type(target->type), by});
    return true;
  }

  std::set<std::string> inside_;
  const std::set<std::string>& pure_calls_;
  std::vector<Accumulator> found_;
  std::vector<ExprPtr> values_;
};

}  // namespace

std::optional<std::vector<Accumulator>> accumulators_of(const Statements& body,
                                                        const std::set<std::string>& pure_calls) {
  AccumulatorReader reader(body, pure_calls);
  if (!reader.read(body) || reader.found().empty() || !reader.stands_alone()) return {};
  std::vector<Accumulator> list = reader.found();
  std::sort(list.begin(), list.end(),
            [](const Accumulator& a, const Accumulator& b) { return a.name < b.name; });
  return list;
}

std::string combine(const Accumulator& accumulator, const std::string& other) {
  const auto& [name, type, by] = accumulator;
  if (by == "+") return name + " += " + other + ";\n";
  if (by != ">" && by != "<") return name + " = " + by + "(" + name + ", " + other + ");\n";
  const std::string value = name + "_other";
  return "const " + type + " " + value + " = " + other + ";\nif (" + value + " " + by + " " + name + ") " +
         name + " = " + value + ";\n";
}

}  // namespace noctune::rules::gpu
