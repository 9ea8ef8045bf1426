#include "app/starter_campaign.hpp"

#include <gmock/gmock.h>

#include "base/files.hpp"
#include "model/campaign_json.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

Result<MepDraft> complete(const CompletionInput& input) {
  if (input.kernels.front() == "hard")
    return fail(input.file + ": no count for x", "nobody says it", "say it");
  MepDraft out;
  out.spec.entry = input.kernels.front();
  out.understood = {"it works on\nn elements"};
  out.assumed = {"n is 1000"};
  return out;
}

const char* const source =
    "extern \"C\" void easy(int n, double* x) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n"
    "extern \"C\" void hard(double* x) { x[0] = 1; }\n";

TEST(StarterCampaign, SaysWhatItUnderstoodAndAssumed) {
  const StarterCampaign made = value_or_throw(starter_campaign("mine", {{"k.cpp", source}}, complete));
  EXPECT_THAT(made.text, HasSubstr("// understood: it works on n elements"));
  EXPECT_THAT(made.text, HasSubstr("// assumed: n is 1000"));
  EXPECT_THAT(made.text, HasSubstr("// not completed by rules: k.cpp: no count for x"));
  EXPECT_EQ(made.hotspots.size(), 2U);
}

TEST(StarterCampaign, IsACampaign) {
  ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-test"));
  value_or_throw(write_file(folder.path() / "k.cpp", source));
  const StarterCampaign made =
      value_or_throw(starter_campaign("mine", {{"k.cpp", source}, {"k.cpp", source}}, complete));
  value_or_throw(write_file(folder.path() / "mine.json", made.text));
  const Campaign campaign = read_campaign((folder.path() / "mine.json").string(), {});
  EXPECT_EQ(campaign.name, "mine");
  ASSERT_EQ(campaign.hotspots.size(), 4U);
  EXPECT_EQ(campaign.hotspots[0].kernels, (std::vector<std::string>{"easy"}));
  EXPECT_EQ(campaign.hotspots[2].name, "easy-2");
}

TEST(StarterCampaign, WithoutAKernelItSaysWhatItFound) {
  const auto made =
      starter_campaign("mine", {{"k.cpp", "int main() { return 0; }\n"}, {"e.txt", "words\n"}}, complete);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text(), HasSubstr("no kernel was found"));
  EXPECT_THAT(made.error().text(), HasSubstr("k.cpp"));
  EXPECT_THAT(made.error().text(), HasSubstr("e.txt"));
}

}  // namespace
}  // namespace noctune
