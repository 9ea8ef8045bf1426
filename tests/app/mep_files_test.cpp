#include "app/mep_files.hpp"

#include <gmock/gmock.h>

#include "base/files.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CompletedMep completed() {
  CompletedMep out;
  out.by = "rules";
  out.understood = {"it scales\nthings"};
  out.assumed = {"n is large"};
  out.baselined.report.usable = true;
  MepSource& mep = out.task.mep;
  mep.hotspot = "scale";
  mep.original = "void scale();\n";
  mep.context = "typedef double real;\n";
  mep.spec = read_mep_spec(value_or_throw(parse_json(
      R"({"entry": "scale", "sizes": {"n": 9}, "params": [{"name": "x", "type": "double*", "count": "n", "role": "out"}]})",
      "spec")));
  return out;
}

class MepFilesTest : public ::testing::Test {
 protected:
  std::string text(const std::string& name) { return value_or_throw(read_file(folder_.path() / "m" / name)); }
  MepFiles write(const CompletedMep& mep, bool force = false) {
    return value_or_throw(write_mep(mep, folder_.path() / "m", force));
  }
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

TEST_F(MepFilesTest, WritesWhatACampaignCanName) {
  const MepFiles files = write(completed());
  EXPECT_THAT(files.written, ElementsAre("context.hpp", "mep.json", "original.cpp"));
  EXPECT_THAT(text("mep.json"), HasSubstr("// understood: it scales things\n// assumed: n is large\n{"));
  EXPECT_EQ(read_mep_spec(value_or_throw(read_json((folder_.path() / "m/mep.json").string()))).entry,
            "scale");
  EXPECT_EQ(text("original.cpp"), "void scale();\n");
  EXPECT_THAT(hotspot_entry(completed(), files), HasSubstr("/m/context.hpp\""));
}

TEST_F(MepFilesTest, KeepsWhatWasCorrectedByHand) {
  write(completed());
  value_or_throw(write_file(folder_.path() / "m/mep.json", "mine"));
  EXPECT_THAT(write(completed()).kept, ElementsAre("mep.json"));
  EXPECT_EQ(text("mep.json"), "mine");
  EXPECT_TRUE(write(completed(), true).kept.empty());
  EXPECT_THAT(text("mep.json"), HasSubstr("\"entry\""));
}

TEST_F(MepFilesTest, ARefusedOneSaysWhy) {
  CompletedMep refused = completed();
  refused.baselined.report.usable = false;
  refused.reason = "it crashes";
  EXPECT_THAT(mep_texts(refused)["mep.json"], HasSubstr("REFUSED, see below.\n// refused: it crashes"));
}

}  // namespace
}  // namespace noctune
