#include "model/application_json.hpp"

#include <gmock/gmock.h>

#include "base/files.hpp"
#include "model/campaign_json.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

class ApplicationTest : public ::testing::Test {
 protected:
  ApplicationTest() {
    value_or_throw(write_file(folder_.path() / "k.cpp", "extern \"C\" void k() {}"));
    value_or_throw(write_file(folder_.path() / "k.mep.json", "{}"));
    std::filesystem::create_directory(folder_.path() / "app");
  }
  Campaign read(const std::string& application, const std::string& integrate) {
    const std::string text =
        "{\"applications\": [{" + application +
        "}],\n\"hotspots\": [{\"source\": \"k.cpp\", \"mep\": \"k.mep.json\", \"share\": "
        "0.5,\n\"integrate\": {" +
        integrate + "}}]}";
    value_or_throw(write_file(folder_.path() / "c.json", text));
    return read_campaign((folder_.path() / "c.json").string(), {});
  }
  std::string complaint(const std::string& application, const std::string& integrate = place) {
    try {
      read(application, integrate);
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), Exit::usage);
      return error.what();
    }
    return "accepted";
  }
  static constexpr const char* least = R"("name": "md", "directory": "app", "build": "make", "run": "./md")";
  static constexpr const char* place = R"("application": "md", "file": "src/k.cpp")";
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

TEST_F(ApplicationTest, DefaultsAreTheDocumentedOnes) {
  const Campaign c = read(least, place);
  ASSERT_EQ(c.applications.size(), 1u);
  const ApplicationConfig& a = c.applications[0];
  EXPECT_EQ(a.directory, (folder_.path() / "app").string());
  EXPECT_EQ(a.metric.from, "wall");
  EXPECT_FALSE(a.metric.higher_is_better);
  EXPECT_EQ(a.metric.unit, "s");
  EXPECT_EQ(a.runs, 5);
  EXPECT_EQ(a.build_s, 1800);
  EXPECT_EQ(a.run_s, 3600);
  ASSERT_TRUE(c.hotspots[0].integrate);
  EXPECT_EQ(c.hotspots[0].integrate->file, "src/k.cpp");
  EXPECT_EQ(c.hotspots[0].integrate->share, 0);
}

TEST_F(ApplicationTest, TheResolvedConfigReadsAsItself) {
  const std::string more =
      R"x(, "verify": "./check", "launch": "srun -n 4", "runs": 3, "metric": {"from": "output", "better":
         "higher", "pattern": "merit: ([0-9.]+)", "unit": "Gflop/s"})x";
  const Campaign first = read(least + more, std::string(place) + R"(, "symbols": ["kk"], "share": 0.25)");
  value_or_throw(write_file(folder_.path() / "again.json", first.resolved_json));
  const Campaign second = read_campaign((folder_.path() / "again.json").string(), {"name=c"});
  EXPECT_EQ(first.resolved_json, second.resolved_json);
  EXPECT_TRUE(second.applications[0].metric.higher_is_better);
  EXPECT_EQ(second.hotspots[0].integrate->symbols, std::vector<std::string>{"kk"});
}

TEST_F(ApplicationTest, MistakesAreNamedWithTheirPlace) {
  const std::string all = least;
  EXPECT_THAT(complaint(R"("name": "md", "directory": "app", "run": "./md")"), HasSubstr("build"));
  EXPECT_THAT(complaint(R"("name": "md", "directory": "nowhere", "build": "make", "run": "./md")"),
              HasSubstr("is no folder"));
  EXPECT_THAT(complaint(all + R"(, "metric": {"from": "output", "better": "higher"})"), HasSubstr("pattern"));
  EXPECT_THAT(complaint(all + R"(, "metric": {"from": "output", "pattern": "a [", "better": "lower"})"),
              HasSubstr("no regular expression"));
  EXPECT_THAT(complaint(all + R"(, "metric": {"from": "output", "pattern": "a", "better": "lower"})"),
              HasSubstr("no group"));
  EXPECT_THAT(complaint(all + R"(, "metric": {"from": "tea"})"), HasSubstr("known: wall, output"));
  EXPECT_THAT(complaint(all + R"(, "metric": {"better": "higher"})"), HasSubstr("longer wall time"));
  EXPECT_THAT(complaint(all + R"(, "runs": 1)"), HasSubstr("outside 2 to 1000"));
  EXPECT_THAT(complaint(all + R"(, "veryfy": "x")"), HasSubstr("did you mean \"verify\""));
  EXPECT_THAT(complaint(least, R"("application": "mdd", "file": "k.cpp")"), HasSubstr("did you mean \"md\""));
  EXPECT_THAT(complaint(least, R"("application": "md", "file": "../k.cpp")"),
              HasSubstr("inside the application's directory"));
  EXPECT_THAT(complaint(least, R"("application": "md", "file": "k.cpp", "share": 2)"), HasSubstr("fraction"));
}

}  // namespace
}  // namespace noctune
