// Answers of a real model (tests/data/model-answers) are read as they were when their campaigns ran.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.hpp"
#include "base/json.hpp"
#include "coordinator/patterns/summary_answer.hpp"
#include "coordinator/prompts/plan_reply.hpp"
#include "coordinator/prompts/version.hpp"
#include "model/mep_spec_json.hpp"
#include "places.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;

MepSource mep_of(const std::string& hotspot) {
  MepSource mep;
  const std::string stem = std::string(NOCTUNE_SOURCE_DIR "/hotspots/") + hotspot;
  mep.hotspot = hotspot;
  mep.original = value_or_throw(read_file(stem + ".cpp"));
  mep.spec = read_mep_spec(value_or_throw(read_json(stem + ".mep.json")));
  return mep;
}

TEST(RealAnswers, AreAllReadWithoutAMend) {
  int plans = 0, versions = 0, summaries = 0;
  for (const auto& file : fs::recursive_directory_iterator(NOCTUNE_SOURCE_DIR "/tests/data/model-answers")) {
    if (file.path().extension() != ".md" || file.path().stem() == "README") continue;
    SCOPED_TRACE(file.path().filename().string());
    const std::string name = file.path().stem().string();
    const std::string hotspot = name.substr(0, name.find('.')), purpose = name.substr(name.rfind('.') + 1);
    const std::string text = value_or_throw(read_file(file.path()));
    if (purpose == "plan") {
      const auto plan = read_plan(text);
      ASSERT_TRUE(plan) << plan.error().text();
      EXPECT_GE(plan->size(), 2U);
      ++plans;
    } else if (purpose == "summarise") {
      EXPECT_TRUE(read_patterns(text));
      ++summaries;
    } else {
      const auto version = read_version(text, mep_of(hotspot));
      ASSERT_TRUE(version) << version.error().text();
      EXPECT_FALSE(version->summary.empty());
      EXPECT_TRUE(version->mended.empty());
      ++versions;
    }
  }
  EXPECT_GE(plans, 10);
  EXPECT_GE(versions, 20);
  EXPECT_GE(summaries, 4);
}

}  // namespace
}  // namespace noctune
