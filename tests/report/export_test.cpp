#include "report/export.hpp"

#include "base/json.hpp"
#include "report/recorded_campaign.hpp"

namespace noctune {
namespace {

class ExportTest : public RecordedCampaign {
 protected:
  std::vector<ExportedFile> gemm() const { return value_or_throw(export_hotspot(results(), data(), "gemm")); }
  static std::string text_of(const std::vector<ExportedFile>& files, const std::string& name) {
    for (const ExportedFile& file : files)
      if (file.name == name) return file.text;
    return "no file " + name;
  }
};

TEST_F(ExportTest, TheWinnerItsPatchAndItsProgram) {
  const auto files = gemm();
  EXPECT_EQ(text_of(files, "winner.cpp"), "void gemm() { /* interchanged, tiled */ }");
  EXPECT_EQ(
      text_of(files, "winner.patch"),
      "--- a/original.cpp\n+++ b/original.cpp\n@@ -1,1 +1,1 @@\n-void gemm() {}\n\\ No newline at end of "
      "file\n+void gemm() { /* interchanged, tiled */ }\n\\ No newline at end of file\n");
  EXPECT_EQ(text_of(files, "mep/original.cpp"), "void gemm() {}");
  EXPECT_EQ(text_of(files, "mep/context.hpp"), "// context\n");
  EXPECT_EQ(text_of(files, "mep/check.cpp"), "// check\n");
  EXPECT_EQ(Json::parse(text_of(files, "mep/mep.json"))["check"]["invariants"], "check.cpp");
}

TEST_F(ExportTest, TheCampaignNamesThisHotspotAlone) {
  const Json campaign = Json::parse(text_of(gemm(), "campaign.json"));
  EXPECT_EQ(campaign["search"]["rounds"], 2);
  ASSERT_EQ(campaign["hotspots"].size(), 1U);
  EXPECT_EQ(campaign["hotspots"][0]["source"], "mep/original.cpp");
  EXPECT_EQ(campaign["hotspots"][0]["context"], "mep/context.hpp");
  EXPECT_FALSE(campaign.contains("model"));
}

TEST_F(ExportTest, TheReadmeSaysHowToMeasureAgainAndWhatIsMissing) {
  const std::string readme = text_of(gemm(), "README.md");
  EXPECT_TRUE(has(readme, "**3.98x** (95 % interval 3.90 to 4.06)"));
  EXPECT_TRUE(has(readme, "noctune try campaign.json gemm winner.cpp"));
  EXPECT_TRUE(has(readme, "captured/a.bin"));
}

TEST_F(ExportTest, TheReadmeMeasuresAgainWithTheWinnersOwnFlags) {
  ReportData flagged = data();
  for (auto& [id, candidate] : flagged.candidates) candidate.flags = "-funroll-loops -fno-plt";
  const std::string readme = text_of(value_or_throw(export_hotspot(results(), flagged, "gemm")), "README.md");
  EXPECT_TRUE(has(readme, "It was built with further flags: `-funroll-loops -fno-plt`."));
  EXPECT_TRUE(has(readme, "winner.cpp --flags='-funroll-loops -fno-plt'\n"));
}

TEST_F(ExportTest, WhatCannotBeExportedSaysWhy) {
  const auto unknown = export_hotspot(results(), data(), "gem");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().hint, "did you mean \"gemm\"?");
  const auto absent = export_hotspot(results(), data(), "stencil");
  ASSERT_FALSE(absent);
  EXPECT_TRUE(has(absent.error().reason, "is not in"));
  const auto refused = export_hotspot(results(), data(), "broken");
  ASSERT_FALSE(refused);
  EXPECT_TRUE(has(refused.error().reason, "it does not build"));
}

TEST_F(ExportTest, OtherFilesAreKeptUnlessForced) {
  const auto files = gemm();
  const auto folder = scratch_.path() / "out";
  value_or_throw(write_export(files, folder, false));
  value_or_throw(write_export(files, folder, false));  // the same again is no conflict
  value_or_throw(write_file(folder / "winner.cpp", "mine"));
  EXPECT_FALSE(write_export(files, folder, false));
  EXPECT_EQ(value_or_throw(read_file(folder / "winner.cpp")), "mine");
  value_or_throw(write_export(files, folder, true));
  EXPECT_NE(value_or_throw(read_file(folder / "winner.cpp")), "mine");
}

}  // namespace
}  // namespace noctune
