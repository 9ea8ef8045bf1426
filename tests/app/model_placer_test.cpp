#include "app/model_placer.hpp"

#include <gmock/gmock.h>

namespace noctune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PlaceQuestion question() {
  PlaceQuestion out;
  out.hotspot = "axpy";
  out.refusal = "no rule can place this version: the file has no function axpy";
  out.request.entry = "axpy";
  out.request.original = out.request.winner =
      "extern \"C\" void axpy(int n, double a, const double* x, double* y) {\n"
      "  for (int i = 0; i < n; ++i) y[i] += a * x[i];\n}\n";
  out.request.file = "void step(Grid& g) {\n  for (int i = 0; i < g.n; ++i) g.y[i] += 2 * g.x[i];\n}\n";
  return out;
}

std::string asked(const PlaceQuestion& one) {
  const PromptTemplates templates = value_or_throw(PromptTemplates::load());
  const ChatRequest request = placement_prompt(templates, one);
  EXPECT_EQ(request.messages.size(), 2u);
  EXPECT_THAT(request.messages.front().content, HasSubstr(">>>>>>> REPLACE"));
  EXPECT_EQ(request.prompt_template, one.repair > 0 ? "place_repair/1" : "place/1");
  return request.messages.back().content;
}

TEST(ModelPlacer, AsksWithTheFileTheOriginalAndHowTheWinnerIsCalled) {
  PlaceQuestion one = question();
  const std::string text = asked(one);
  EXPECT_THAT(text, HasSubstr("void axpy_noctune(int n, double a, const double* x, double* y);"));
  EXPECT_THAT(text, HasSubstr("g.y[i] += 2 * g.x[i];"));
  EXPECT_THAT(text, HasSubstr("y[i] += a * x[i];"));
  EXPECT_THAT(text, HasSubstr("has no function axpy"));
  EXPECT_THAT(text, Not(HasSubstr("## Its names")));
  EXPECT_THAT(text, Not(HasSubstr("{{")));
  one.request.symbols = {"update", "update_all"};
  one.request.call_site = "for (int i = 0; i < g.n; ++i)";
  EXPECT_THAT(asked(one), HasSubstr("update, update_all"));
  EXPECT_THAT(asked(one), HasSubstr("## What is to be replaced"));
}

TEST(ModelPlacer, ARepairShowsTheAnswerAndWhatCameOfIt) {
  PlaceQuestion one = question();
  one.repair = 2;
  one.answer = "<<<<<<< SEARCH\n```\nnonsense";
  one.failure = "build_failed: the build exited with code 2";
  one.diagnostics = "/scratch/x/kernels.cpp:3:3: error: 'axpy_noctun' was not declared in this scope\n";
  one.repairs_left = 1;
  const std::string text = asked(one);
  EXPECT_THAT(text, HasSubstr("nonsense"));
  EXPECT_THAT(text, HasSubstr("build_failed: the build exited with code 2"));
  EXPECT_THAT(text, HasSubstr("kernels.cpp:3:3: error: 'axpy_noctun' was not declared"));
  EXPECT_THAT(text, Not(HasSubstr("/scratch")));
  EXPECT_THAT(text, HasSubstr("This is the last repair."));
}

TEST(ModelPlacer, AnAnswerHoldsForTheSameFileVersionAndPlace) {
  const PlaceQuestion one = question();
  EXPECT_EQ(placement_slot(one).purpose, "place");
  EXPECT_EQ(slot_text(placement_slot(one)), slot_text(placement_slot(question())));
  PlaceQuestion other = question();
  other.repair = 1;
  EXPECT_NE(slot_text(placement_slot(one)), slot_text(placement_slot(other)));
  for (std::string PlaceRequest::*part :
       {&PlaceRequest::file, &PlaceRequest::winner, &PlaceRequest::original, &PlaceRequest::call_site}) {
    PlaceQuestion changed = question();
    changed.request.*part += "// changed\n";
    EXPECT_NE(slot_text(placement_slot(one)), slot_text(placement_slot(changed)));
  }
}

}  // namespace
}  // namespace noctune
