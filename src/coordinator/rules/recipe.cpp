#include "coordinator/rules/recipe.hpp"

#include <algorithm>
#include <sstream>

namespace noctune::rules {
namespace {

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
}

// Names of several loops are joined by '+'.
bool is_value(std::string text) {
  std::replace(text.begin(), text.end(), '+', '_');
  return is_name(text);
}

Result<Step> parse_step(const std::string& text) {
  const auto bad = [&](const std::string& reason) {
    return fail("the recipe step '" + text + "' is malformed", reason, "write rule@loop(key=value,...)");
  };
  Step step;
  const std::size_t open = text.find('(');
  std::string head = text.substr(0, open);
  if (const std::size_t at = head.find('@'); at != std::string::npos) {
    step.target = head.substr(at + 1);
    head.resize(at);
    if (!is_name(step.target)) return bad("the loop's name is missing");
  }
  step.rule = head;
  if (!find_rule(head)) return bad("there is no rule '" + head + "'");
  if (open == std::string::npos) return step;
  if (text.back() != ')') return bad("the closing parenthesis is missing");
  std::istringstream list(text.substr(open + 1, text.size() - open - 2));
  for (std::string item; std::getline(list, item, ',');) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || !is_name(item.substr(0, equals)) || !is_value(item.substr(equals + 1)))
      return bad("'" + item + "' is not key=value");
    step.params[item.substr(0, equals)] = item.substr(equals + 1);
  }
  return step;
}

}  // namespace

Result<std::vector<Step>> parse_recipe(const std::string& recipe) {
  std::vector<Step> steps;
  std::istringstream list(recipe);
  for (std::string item; std::getline(list, item, ';');) {
    auto step = parse_step(item);
    if (!step) return Failure(step.error());
    steps.push_back(*step);
  }
  return steps;
}

std::string to_text(const Step& step) {
  std::string text = step.rule + (step.target.empty() ? "" : "@" + step.target);
  std::string list;
  for (const auto& [key, value] : step.params) list += (list.empty() ? "" : ",") + key + "=" + value;
  return list.empty() ? text : text + "(" + list + ")";
}

std::string to_text(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : steps) text += (text.empty() ? "" : ";") + to_text(step);
  return text;
}

}  // namespace noctune::rules
