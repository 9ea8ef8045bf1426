#include "evaluator/checking.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace noctune {
namespace {

std::vector<WorkCase> cases() {
  std::vector<WorkCase> out;
  for (const CaseUse use : {CaseUse::time, CaseUse::check, CaseUse::report}) {
    WorkCase one;
    one.sized.use = use;
    one.by_seed.resize(3);
    for (std::size_t i = 0; i < one.by_seed.size(); ++i) one.by_seed[i].seed = 10 + i;
    out.push_back(one);
  }
  return out;
}

bool varies_threads(const CheckItem& item) {
  return item.run.threads > 0;
}

TEST(CheckPlan, OnTheHostThreadsVary) {
  const std::vector<CheckItem> plan = check_plan(cases());
  EXPECT_EQ(std::count_if(plan.begin(), plan.end(), varies_threads), 5);
}

TEST(CheckPlan, OnAGpuCallsAreRepeatedInstead) {
  const std::vector<CheckItem> plan = check_plan(cases(), true);
  EXPECT_EQ(std::count_if(plan.begin(), plan.end(), varies_threads), 0);
  const auto same = [&](const CheckItem& item) { return item.run.seed == 12; };
  EXPECT_EQ(std::count_if(plan.begin(), plan.end(), same), 2);
}

TEST(CheckPlan, EveryVariantIsThereOnBoth) {
  for (const bool gpu : {false, true})
    for (const InputVariant variant :
         {InputVariant::normal, InputVariant::sign_mixed, InputVariant::small_integers}) {
      const std::vector<CheckItem> plan = check_plan(cases(), gpu);
      EXPECT_TRUE(std::any_of(plan.begin(), plan.end(),
                              [&](const CheckItem& item) { return item.run.variant == variant; }));
    }
}

}  // namespace
}  // namespace noctune
