#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "coordinator/prompts/prompt_template.hpp"
#include "coordinator/prompts/template_set.hpp"
#include "places.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;

PromptTemplate parsed(const std::string& text) {
  return value_or_throw(PromptTemplate::parse("template: t/1\n" + text, "t.md", "t", {"a", "b", "c"}));
}

TEST(PromptTemplate, PutsValuesInOnce) {
  const PromptTemplate text = parsed("{{a}} and {{b}}, {{a}}\n");
  EXPECT_EQ(text.id(), "t/1");
  EXPECT_EQ(text.render({{"a", "{{b}}"}, {"b", "2"}}), "{{b}} and 2, {{b}}\n");
}

TEST(PromptTemplate, DropsSectionsWhosePlaceholdersAreAllEmpty) {
  const PromptTemplate text =
      parsed("top\n\n## One\nintro\n{{a}}\n\n## Two\n{{b}}\n{{c}}\n\n## Three\nplain\n");
  EXPECT_EQ(text.render({{"c", "see"}}), "top\n\n## Two\nsee\n\n## Three\nplain\n");
  EXPECT_EQ(text.render({{"a", "x\n"}}), "top\n\n## One\nintro\nx\n\n## Three\nplain\n");
}

TEST(PromptTemplate, LeavesBracesOfCodeAlone) {
  EXPECT_EQ(parsed("int x[2][1] = {{1}, {2}}; f({{}}); {{ a }}\n").render({}),
            "int x[2][1] = {{1}, {2}}; f({{}}); {{ a }}\n");
}

TEST(PromptTemplate, NamesFileAndLineOfUnknownPlaceholders) {
  const auto bad = PromptTemplate::parse("template: t/1\n\nx {{wrong}}\n", "t.md", "t", {"a"});
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().problem, HasSubstr("t.md:3"));
  EXPECT_THAT(bad.error().problem, HasSubstr("{{wrong}}"));
}

TEST(PromptTemplate, WantsAHeadLineWithNameAndVersion) {
  for (const char* head : {"", "hello", "template: u/1", "template: t", "template: t/"}) {
    const auto bad = PromptTemplate::parse(std::string(head) + "\ntext\n", "t.md", "t", {});
    ASSERT_FALSE(bad) << head;
    EXPECT_THAT(bad.error().text(), HasSubstr("t.md:1"));
  }
}

TEST(PromptTemplates, BuiltInOnesAreWholeAndEqualTheFiles) {
  const auto built_in = PromptTemplates::load();
  ASSERT_TRUE(built_in) << built_in.error().text();
  const auto files = PromptTemplates::load(NOCTUNE_SOURCE_DIR "/share/prompts");
  ASSERT_TRUE(files) << files.error().text();
  for (const char* name : {"system",
                           "allows_cpu",
                           "allows_gpu",
                           "example_cpu",
                           "example_gpu",
                           "hotspot",
                           "plan",
                           "write",
                           "direct",
                           "repair_build",
                           "repair_run",
                           "repair_result",
                           "format",
                           "summarise",
                           "backend_openmp",
                           "complete_system",
                           "complete_hotspot",
                           "complete",
                           "complete_repair",
                           "complete_format",
                           "place_system",
                           "place",
                           "place_repair"}) {
    ASSERT_TRUE(built_in->has(name));
    EXPECT_EQ(built_in->at(name).render({}), files->at(name).render({}));
    EXPECT_EQ(built_in->at(name).id().rfind(std::string(name) + "/", 0), 0u);
  }
}

TEST(PromptTemplates, AFolderReplacesSingleFiles) {
  const auto folder = ScratchFolder::make("prompts");
  ASSERT_TRUE(folder);
  ASSERT_TRUE(write_file(folder->path() / "direct.md", "template: direct/mine\nGo, {{entry}}!\n"));
  const auto set = PromptTemplates::load(folder->path());
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_EQ(set->at("direct").id(), "direct/mine");
  EXPECT_EQ(set->at("direct").render({{"entry", "gemm"}}), "Go, gemm!\n");
  EXPECT_TRUE(set->has("plan"));
}

TEST(PromptTemplates, VolatileValuesMayNotEnterTheStablePart) {
  const auto folder = ScratchFolder::make("prompts");
  ASSERT_TRUE(folder);
  ASSERT_TRUE(write_file(folder->path() / "hotspot.md", "template: hotspot/2\n\n{{ledger}}\n"));
  const auto set = PromptTemplates::load(folder->path());
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().text(), HasSubstr("hotspot.md:3"));
  EXPECT_FALSE(PromptTemplates::load(folder->path() / "missing"));
}

}  // namespace
}  // namespace noctune
