// The shipped hotspots: their prompts render, and their own sources, little changed, are read without a mend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.hpp"
#include "base/json.hpp"
#include "coordinator/prompts/prompts.hpp"
#include "coordinator/prompts/version.hpp"
#include "model/mep_spec_json.hpp"
#include "places.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;

std::vector<MepSource> hotspots() {
  std::vector<MepSource> out;
  for (const fs::directory_entry& file : fs::directory_iterator(NOCTUNE_SOURCE_DIR "/hotspots")) {
    if (file.path().extension() != ".cpp") continue;
    fs::path spec = file.path();
    spec.replace_extension(".mep.json");
    MepSource mep;
    mep.hotspot = file.path().stem().string();
    mep.original = value_or_throw(read_file(file.path()));
    mep.spec = read_mep_spec(value_or_throw(read_json(spec.string())));
    mep.flags = {"-O3", "-fopenmp"};
    out.push_back(std::move(mep));
  }
  return out;
}

TEST(Hotspots, OwnSourcesAreReadAsTheyAre) {
  const std::vector<MepSource> all = hotspots();
  EXPECT_GE(all.size(), 10u);
  for (const MepSource& mep : all) {
    SCOPED_TRACE(mep.hotspot);
    const std::string code = mep.original + "static int another = 0;\n";
    const auto version = read_version("```cpp\n// noctune: " + mep.spec.entry + "\n" + code + "```\n", mep);
    ASSERT_TRUE(version) << version.error().text();
    EXPECT_EQ(version->source, code);
    EXPECT_TRUE(version->mended.empty());
    EXPECT_FALSE(read_version("```cpp\n" + mep.original + "```\n", mep));
  }
}

TEST(Hotspots, PromptsShowTheOriginalAndTheEntry) {
  const PromptTemplates templates = value_or_throw(PromptTemplates::load());
  for (const MepSource& mep : hotspots()) {
    PromptInput input;
    input.task.mep = mep;
    const ChatRequest request = direct_prompt(templates, input);
    const std::string& text = request.messages.at(1).content;
    EXPECT_THAT(text, testing::HasSubstr(mep.original));
    EXPECT_THAT(text, testing::HasSubstr("extern \"C\" void " + mep.spec.entry + "("));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("{{")));
    EXPECT_LT(text.size(), 20000u);
  }
}

}  // namespace
}  // namespace noctune
