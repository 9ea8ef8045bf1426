// Small sources and specs for the tests of the rules.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "coordinator/rules/rule_book.hpp"

namespace noctune::rules_test {

inline ParamSpec value_param(const std::string& name, const std::string& type = "int") {
  ParamSpec param;
  param.name = name;
  param.type = type;
  param.value = name;
  return param;
}

inline ParamSpec buffer(const std::string& name, const std::string& type, const std::string& count,
                        Role role) {
  ParamSpec param;
  param.name = name;
  param.type = type;
  param.count = count;
  param.role = role;
  return param;
}

// void f(int n, const double* A, const double* x, double* y), A is n x n, with the given body.
inline RuleContext square(const std::string& body, const std::string& above = "") {
  RuleContext context;
  context.source =
      above + "extern \"C\" void f(int n, const double* A, const double* x, double* y) {\n" + body + "}\n";
  context.entry = "f";
  context.flags = {"-O3", "-march=native", "-fopenmp"};
  context.spec.entry = "f";
  context.spec.params = {value_param("n"), buffer("A", "const double*", "n*n", Role::in),
                         buffer("x", "const double*", "n", Role::in),
                         buffer("y", "double*", "n*n", Role::inout)};
  context.sizes = {{"n", 2000}};
  context.threads = 2;
  return context;
}

inline RuleBook read(const RuleContext& context) {
  auto book = RuleBook::read(context);
  if (!book) throw std::runtime_error(book.error().text());
  return std::move(*book);
}

inline bool applies(const RuleContext& context, const std::string& recipe) {
  return static_cast<bool>(read(context).apply(recipe));
}

// The source that the recipe makes; a failure of the test where it does not apply.
inline std::string made(const RuleContext& context, const std::string& recipe) {
  const auto proposal = read(context).apply(recipe);
  EXPECT_TRUE(proposal) << (proposal ? "" : proposal.error().text());
  return proposal ? proposal->source : std::string();
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace noctune::rules_test
