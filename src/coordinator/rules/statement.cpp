#include "coordinator/rules/statement.hpp"

#include <sstream>

#include "coordinator/rules/polynomial.hpp"

namespace noctune::rules {
namespace {

std::string pad(int indent) {
  return std::string(static_cast<std::size_t>(indent), ' ');
}

void print_text(const std::string& text, int indent, std::string& out) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    out += line.empty() ? "\n" : (line[0] == '#' ? line : pad(indent) + line) + "\n";
}

// "int i = 0, *p" never arises: one declaration declares one name.
std::string declaration_of(const Statement& statement) {
  const bool pointer = !statement.type.empty() && statement.type.back() == '*';
  std::string text = statement.type + (pointer ? " " : " ") + statement.name;
  if (pointer)
    text = statement.type.substr(0, statement.type.find_last_not_of(" *") + 1) + "* " + statement.name;
  const std::size_t bracket = statement.type.find('[');
  if (bracket != std::string::npos) {
    std::string element = statement.type.substr(0, bracket);
    while (!element.empty() && element.back() == ' ') element.pop_back();
    text = element + " " + statement.name + statement.type.substr(bracket);
  }
  return text + (statement.value ? " = " + print(statement.value) : "") + ";";
}

std::string header_of(const Statement& loop) {
  const std::string step = loop.step == 1 ? "++" + loop.name : loop.name + " += " + std::to_string(loop.step);
  const bool lower_than = loop.upper->kind == ExprKind::select;
  const std::string upper = lower_than ? "(" + print(loop.upper) + ")" : print(loop.upper);
  return "for (" + loop.type + " " + loop.name + " = " + print(loop.lower) + "; " + loop.name +
         (loop.inclusive ? " <= " : " < ") + upper + "; " + step + ")";
}

void print_one(const Statement& statement, int indent, std::string& out) {
  for (const std::string& line : statement.comments) out += pad(indent) + line + "\n";
  for (const std::string& pragma : statement.pragmas) out += "#pragma " + pragma + "\n";
  switch (statement.kind) {
    case StatementKind::declare:
      out += pad(indent) + declaration_of(statement) + "\n";
      break;
    case StatementKind::assign:
      out +=
          pad(indent) + print(statement.target) + " " + statement.op + " " + print(statement.value) + ";\n";
      break;
    case StatementKind::loop:
      out += pad(indent) + header_of(statement) + " {\n" + print(statement.body, indent + 2) + pad(indent) +
             "}\n";
      break;
    case StatementKind::branch:
      out += pad(indent) + "if (" + print(statement.value) + ") {\n" + print(statement.body, indent + 2) +
             pad(indent) + "}";
      if (!statement.otherwise.empty())
        out += " else {\n" + print(statement.otherwise, indent + 2) + pad(indent) + "}";
      out += "\n";
      break;
    case StatementKind::block:
      out += pad(indent) + "{\n" + print(statement.body, indent + 2) + pad(indent) + "}\n";
      break;
    case StatementKind::text:
      print_text(statement.text, indent, out);
      break;
  }
}

}  // namespace

Statement declare(const std::string& type, const std::string& name, ExprPtr value) {
  Statement statement;
  statement.kind = StatementKind::declare;
  statement.type = type;
  statement.name = name;
  statement.value = std::move(value);
  return statement;
}

Statement assign(ExprPtr target, const std::string& op, ExprPtr value) {
  Statement statement;
  statement.kind = StatementKind::assign;
  statement.target = std::move(target);
  statement.op = op;
  statement.value = std::move(value);
  return statement;
}

Statement make_loop(const std::string& type, const std::string& name, ExprPtr lower, ExprPtr upper,
                    Statements body) {
  Statement statement;
  statement.kind = StatementKind::loop;
  statement.type = type;
  statement.name = name;
  statement.lower = std::move(lower);
  statement.upper = std::move(upper);
  statement.body = std::move(body);
  return statement;
}

Statement text_lines(const std::string& text) {
  Statement statement;
  statement.text = text;
  return statement;
}

ExprPtr upper_bound(const Statement& loop) {
  return loop.inclusive ? plus(loop.upper, 1) : loop.upper;
}

std::string print(const Statements& statements, int indent) {
  std::string out;
  for (const Statement& statement : statements) print_one(statement, indent, out);
  return out;
}

void visit(const Statements& statements, const std::function<void(const Statement&)>& action) {
  for (const Statement& statement : statements) {
    action(statement);
    visit(statement.body, action);
    visit(statement.otherwise, action);
  }
}

void visit_expressions(const Statements& statements, const std::function<void(const ExprPtr&)>& action) {
  visit(statements, [&](const Statement& statement) {
    for (const ExprPtr& expr : {statement.value, statement.target, statement.lower, statement.upper})
      if (expr) action(expr);
  });
}

Statements substitute(const Statements& statements, const Substitution& replacements) {
  Statements result = statements;
  for (Statement& statement : result) {
    for (ExprPtr* expr : {&statement.value, &statement.target, &statement.lower, &statement.upper})
      if (*expr) *expr = substitute(*expr, replacements);
    const auto renamed = replacements.find(statement.name);
    const bool names = statement.kind == StatementKind::declare || statement.kind == StatementKind::loop;
    if (names && renamed != replacements.end() && renamed->second->kind == ExprKind::variable)
      statement.name = renamed->second->text;
    statement.body = substitute(statement.body, replacements);
    statement.otherwise = substitute(statement.otherwise, replacements);
  }
  return result;
}

void fold_constants(Statements& statements) {
  for (Statement& statement : statements) {
    for (ExprPtr* expr : {&statement.value, &statement.target, &statement.lower, &statement.upper})
      if (*expr) *expr = folded(*expr);
    fold_constants(statement.body);
    fold_constants(statement.otherwise);
  }
}

std::set<std::string> declared_names(const Statements& statements) {
  std::set<std::string> names;
  visit(statements, [&](const Statement& statement) {
    if (statement.kind == StatementKind::declare || statement.kind == StatementKind::loop)
      names.insert(statement.name);
  });
  return names;
}

std::set<std::string> assigned_names(const Statements& statements) {
  std::set<std::string> names;
  visit(statements, [&](const Statement& statement) {
    if (statement.kind == StatementKind::assign && statement.target->kind == ExprKind::variable)
      names.insert(statement.target->text);
  });
  return names;
}

bool has_opaque(const Statements& statements) {
  bool found = false;
  visit(statements, [&](const Statement& statement) { found |= statement.kind == StatementKind::text; });
  return found;
}

bool mentions(const Statements& statements, const std::string& name) {
  bool found = false;
  visit_expressions(statements, [&](const ExprPtr& expr) { found |= mentions(expr, name); });
  return found;
}

Place find_place(Statements& statements, const std::string& id) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (statements[i].kind == StatementKind::loop && statements[i].id == id) return {&statements, i};
    for (Statements* inner : {&statements[i].body, &statements[i].otherwise})
      if (const Place place = find_place(*inner, id); place.list) return place;
  }
  return {};
}

Statement* find_loop(Statements& statements, const std::string& id) {
  const Place place = find_place(statements, id);
  return place.list ? &(*place.list)[place.at] : nullptr;
}

std::vector<const Statement*> enclosing_loops(const Statements& statements, const std::string& id) {
  for (const Statement& statement : statements) {
    if (statement.kind == StatementKind::loop && statement.id == id) return {};
    for (const Statements* inner : {&statement.body, &statement.otherwise}) {
      Statements& list = const_cast<Statements&>(*inner);
      if (!find_place(list, id).list) continue;
      std::vector<const Statement*> loops = enclosing_loops(*inner, id);
      if (statement.kind == StatementKind::loop) loops.insert(loops.begin(), &statement);
      return loops;
    }
  }
  return {};
}

bool is_innermost(const Statement& loop) {
  bool inner = true;
  visit(loop.body, [&](const Statement& statement) { inner &= statement.kind != StatementKind::loop; });
  return inner;
}

}  // namespace noctune::rules
