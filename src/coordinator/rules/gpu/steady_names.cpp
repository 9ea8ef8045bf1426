#include "coordinator/rules/gpu/steady_names.hpp"

#include <set>

namespace noctune::rules::gpu {
namespace {

void declared_in_loops(const Statements& statements, bool inside, std::set<std::string>& names) {
  for (const Statement& statement : statements) {
    if (inside && statement.kind == StatementKind::declare) names.insert(statement.name);
    declared_in_loops(statement.body, inside || statement.kind == StatementKind::loop, names);
    declared_in_loops(statement.otherwise, inside, names);
  }
}

std::set<std::string> unsteady_names(const Statements& statements) {
  std::set<std::string> names = assigned_names(statements);
  declared_in_loops(statements, false, names);
  std::map<std::string, int> count;
  visit(statements, [&](const Statement& statement) {
    if (statement.kind == StatementKind::declare || statement.kind == StatementKind::loop)
      count[statement.name] += statement.kind == StatementKind::declare ? 1 : 0;
    // Text that is not understood may assign what it names.
    if (statement.opaque && statement.text.find('=') != std::string::npos) names.insert(statement.text);
  });
  for (const auto& [name, times] : count)
    if (times > 1) names.insert(name);
  return names;
}

}  // namespace

Statements steady(const Statements& statements) {
  const std::set<std::string> names = unsteady_names(statements);
  std::vector<std::string> texts;
  visit(statements, [&](const Statement& statement) {
    if (statement.opaque) texts.push_back(statement.text);
  });
  // Whether opaque text assigns the name or hands out its address.
  const auto touched = [&](const std::string& name) {
    for (const std::string& text : texts)
      for (std::size_t at = find_word(text, name, 0); at != std::string::npos;
           at = find_word(text, name, at + 1)) {
        const std::size_t after = text.find_first_not_of(' ', at + name.size());
        const bool assigned = after != std::string::npos &&
                              std::string("=+-*/%&|^<>").find(text[after]) != std::string::npos &&
                              text.find('=', after) <= after + 2 && text.compare(after, 2, "==") != 0;
        const bool stepped = text.compare(std::min(after, text.size()), 2, "++") == 0 ||
                             (at >= 2 && text.compare(at - 2, 2, "++") == 0);
        const bool address = at > 0 && text[at - 1] == '&' && (at < 2 || text[at - 2] != '&');
        if (assigned || stepped || address) return true;
      }
    return false;
  };
  Substitution marks;
  visit_expressions(statements, [&](const ExprPtr& expr) {
    visit(expr, [&](const Expr& part) {
      if (part.kind == ExprKind::variable && is_integer(part.type) && !marks.count(part.text) &&
          (names.count(part.text) || touched(part.text)))
        marks[part.text] = unsteady_variable(part.text, part.type);
    });
  });
  return substitute(statements, marks);
}

Substitution fixed_integers(const Statements& statements, const std::map<std::string, long long>& constants) {
  Substitution values;
  for (const auto& [name, value] : constants) values[name] = number(value);
  const std::set<std::string> unsteady = unsteady_names(statements);
  visit(statements, [&](const Statement& statement) {
    if (statement.kind == StatementKind::declare && statement.value && !unsteady.count(statement.name))
      values[statement.name] = statement.value;
  });
  return values;
}

}  // namespace noctune::rules::gpu
