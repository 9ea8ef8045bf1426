// What the contract tells a model must be what the spec's reader knows.
#include <gmock/gmock.h>

#include "coordinator/prompts/template_set.hpp"
#include "model/mep_spec_json.hpp"
#if __has_include("model/data_generators.hpp")
#include "model/data_generators.hpp"
#endif

namespace noctune {
namespace {

using ::testing::HasSubstr;

std::string contract() {
  return value_or_throw(PromptTemplates::load()).at("complete_system").render({{"backend", "openmp"}});
}

// The text of the fenced block of JSON.
std::string example() {
  const std::string text = contract();
  const auto begin = text.rfind("```json\n") + 8;
  return text.substr(begin, text.find("\n```", begin) - begin);
}

TEST(Contract, ItsExampleIsASpec) {
  const MepSpec spec = read_mep_spec(value_or_throw(parse_json(example(), "example")));
  EXPECT_EQ(spec.entry, "update_entry");
  EXPECT_EQ(spec.sequence.size(), 1U);
}

TEST(Contract, NamesRolesAndKindsOfContents) {
  const std::string text = contract();
  for (const Role role : {Role::in, Role::out, Role::inout, Role::scratch})
    EXPECT_THAT(text, HasSubstr("`" + std::string(to_text(role)) + "`"));
  for (int kind = 0; kind < static_cast<int>(InitSpec::Kind::joint); ++kind)
    EXPECT_THAT(text, HasSubstr("`" + std::string(to_text(static_cast<InitSpec::Kind>(kind))) + "`"));
}

#if __has_include("model/data_generators.hpp")
std::string row_of(const std::string& text, const std::string& generator) {
  const auto begin = text.find("\n| `" + generator + "`");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin + 1) - begin);
}

TEST(Contract, NamesEveryGeneratorWithItsFieldsAndParts) {
  const std::string text = contract();
  for (const DataGenerator& one : data_generators()) {
    const std::string row = row_of(text, one.name);
    ASSERT_FALSE(row.empty()) << one.name;
    for (const DataField& field : one.fields) {
      EXPECT_THAT(row, HasSubstr("`" + field.name + "`")) << one.name;
      for (const std::string& word : field.words) EXPECT_THAT(row, HasSubstr(word)) << one.name;
    }
    for (const std::string& part : one.parts) EXPECT_THAT(row, HasSubstr("`" + part + "`")) << one.name;
    for (const std::string& count : one.derived) EXPECT_THAT(row, HasSubstr("`" + count + "`")) << one.name;
  }
}
#endif

}  // namespace
}  // namespace noctune
