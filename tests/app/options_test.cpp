#include "app/options.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

Options parse(std::vector<std::string> words) {
  words.insert(words.begin(), "noctune");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const Options options = parse_options(static_cast<int>(argv.size()), argv.data());
  testing::internal::GetCapturedStdout();
  testing::internal::GetCapturedStderr();
  return options;
}

TEST(Options, TuneWithOverridesAndLimits) {
  const Options options = parse({"tune", "c.json", "--set", "search.rounds=3", "--set", "mep.t_min_ms=2",
                                 "-o", "x.h5", "--time-limit", "1:00:05"});
  EXPECT_FALSE(options.exit_code);
  EXPECT_EQ(options.verb, Verb::tune);
  EXPECT_EQ(options.config, "c.json");
  EXPECT_EQ(options.overrides, (std::vector<std::string>{"search.rounds=3", "mep.t_min_ms=2"}));
  EXPECT_EQ(options.output, "x.h5");
  EXPECT_EQ(options.time_limit_s, 3605);
}

TEST(Options, AMisspeltCommandIsNamed) {
  std::vector<std::string> words = {"noctune", "tunes"};
  std::vector<char*> argv = {words[0].data(), words[1].data()};
  testing::internal::CaptureStderr();
  const Options options = parse_options(2, argv.data());
  EXPECT_NE(testing::internal::GetCapturedStderr().find("did you mean \"tune\"?"), std::string::npos);
  EXPECT_EQ(options.exit_code, 2);
}

TEST(Options, ReportTakesOneFileInSeveralFormsOrTwoToCompare) {
  const Options options = parse({"report", "a.h5", "--html", "a.html", "--csv", "tables", "--t4", "a.json"});
  EXPECT_FALSE(options.exit_code);
  EXPECT_EQ(options.verb, Verb::report);
  EXPECT_EQ(options.results, "a.h5");
  EXPECT_EQ(options.html, "a.html");
  EXPECT_EQ(options.csv, "tables");
  EXPECT_EQ(options.t4, "a.json");
  EXPECT_EQ(parse({"report", "a.h5", "b.h5"}).later_results, "b.h5");
  EXPECT_TRUE(parse({"report", "a.h5", "--follow"}).follow);
  EXPECT_EQ(parse({"report", "a.h5", "b.h5", "--follow"}).exit_code, 2);
  EXPECT_EQ(parse({"report", "a.h5", "--follow", "--html", "a.html"}).exit_code, 2);
}

TEST(Options, ExportTakesAFileAndAHotspot) {
  const Options options = parse({"export", "a.h5", "gemm", "-o", "out", "--force"});
  EXPECT_FALSE(options.exit_code);
  EXPECT_EQ(options.verb, Verb::export_hotspot);
  EXPECT_EQ(options.hotspot, "gemm");
  EXPECT_EQ(options.output, "out");
  EXPECT_TRUE(options.force);
  EXPECT_EQ(parse({"export", "a.h5"}).exit_code, 2);
}

TEST(Options, PatternsOfAFileOrAFolder) {
  const Options options = parse({"patterns", "library", "--hotspot", "gemm", "--json"});
  EXPECT_FALSE(options.exit_code);
  EXPECT_EQ(options.verb, Verb::patterns);
  EXPECT_EQ(options.results, "library");
  EXPECT_EQ(options.hotspot, "gemm");
  EXPECT_TRUE(options.json);
  EXPECT_EQ(parse({"patterns"}).exit_code, 2);
  EXPECT_EQ(parse({"patterns", "--help"}).exit_code, 0);
}

TEST(Options, AnOverrideDoesNotSwallowTheConfig) {
  const Options options = parse({"tune", "--set", "search.rounds=3", "c.json"});
  EXPECT_EQ(options.config, "c.json");
}

TEST(Options, TryTakesAConfigAHotspotAndAFile) {
  const Options options = parse({"try", "c.json", "gemm", "mine.cpp", "--set", "search.repeats=9"});
  EXPECT_FALSE(options.exit_code);
  EXPECT_EQ(options.verb, Verb::try_version);
  EXPECT_EQ(options.config, "c.json");
  EXPECT_EQ(options.hotspot, "gemm");
  EXPECT_EQ(options.file, "mine.cpp");
  EXPECT_EQ(options.overrides, (std::vector<std::string>{"search.repeats=9"}));
}

TEST(Options, IntegrateTakesResultsAndHotspots) {
  const Options options = parse({"integrate", "r.h5", "gemm", "spmv", "--config", "c.json", "--keep",
                                 "copies", "-o", "patches", "--set", "search.min_gain=0.02"});
  EXPECT_FALSE(options.exit_code);
  EXPECT_EQ(options.verb, Verb::integrate);
  EXPECT_EQ(options.results, "r.h5");
  EXPECT_EQ(options.hotspots, (std::vector<std::string>{"gemm", "spmv"}));
  EXPECT_EQ(options.config, "c.json");
  EXPECT_EQ(options.keep, "copies");
  EXPECT_EQ(options.output, "patches");
  EXPECT_EQ(options.overrides, (std::vector<std::string>{"search.min_gain=0.02"}));
  EXPECT_EQ(parse({"integrate"}).exit_code, 2);
  EXPECT_EQ(parse({"integrate", "--help"}).exit_code, 0);
}

TEST(Options, MepTakesACampaignAndAFolder) {
  const Options options =
      parse({"mep", "c.json", "--hotspot", "gemm", "-o", "out", "--force", "--set", "mep.t_min_ms=5"});
  EXPECT_FALSE(options.exit_code);
  EXPECT_EQ(options.verb, Verb::mep);
  EXPECT_EQ(options.config, "c.json");
  EXPECT_EQ(options.hotspot, "gemm");
  EXPECT_EQ(options.output, "out");
  EXPECT_TRUE(options.force);
  EXPECT_EQ(options.overrides, (std::vector<std::string>{"mep.t_min_ms=5"}));
  EXPECT_EQ(parse({"mep"}).exit_code, 2);
  EXPECT_EQ(parse({"mep", "--help"}).exit_code, 0);
}

TEST(Options, InitTakesFiles) {
  const Options options = parse({"init", "a.cpp", "b.cu", "--output", "mine.json"});
  EXPECT_FALSE(options.exit_code);
  EXPECT_EQ(options.verb, Verb::init);
  EXPECT_EQ(options.sources, (std::vector<std::string>{"a.cpp", "b.cu"}));
  EXPECT_EQ(options.output, "mine.json");
  EXPECT_FALSE(options.force);
  EXPECT_EQ(parse({"init"}).exit_code, 2);
  EXPECT_EQ(parse({"init", "--help"}).exit_code, 0);
}

TEST(Options, RelayTakesASpoolAndAnEndpoint) {
  const Options options =
      parse({"relay", "--spool", "s", "--config", "c.json", "--set", "model.provider=openai", "--once"});
  EXPECT_FALSE(options.exit_code);
  EXPECT_EQ(options.verb, Verb::relay);
  EXPECT_EQ(options.spool, "s");
  EXPECT_EQ(options.config, "c.json");
  EXPECT_EQ(options.overrides, (std::vector<std::string>{"model.provider=openai"}));
  EXPECT_TRUE(options.once);
  EXPECT_EQ(parse({"relay", "--spool", "s", "--replay", "answers"}).replay, "answers");
  EXPECT_EQ(parse({"relay"}).exit_code, 2);
  EXPECT_EQ(parse({"relay", "--spool", "s", "--set", "model.provider=openai"}).exit_code, 2);
}

TEST(Options, HelpAndVersionEndWell) {
  for (const char* word : {"--help", "--version"}) EXPECT_EQ(parse({word}).exit_code, 0) << word;
  for (const char* verb : {"tune", "try", "report", "rebuild", "doctor", "relay"})
    EXPECT_EQ(parse({verb, "--help"}).exit_code, 0) << verb;
}

TEST(Options, MisuseEndsWithTwo) {
  EXPECT_EQ(parse({}).exit_code, 2);
  EXPECT_EQ(parse({"dance"}).exit_code, 2);
  EXPECT_EQ(parse({"tune"}).exit_code, 2);
  EXPECT_EQ(parse({"try", "c.json", "gemm"}).exit_code, 2);
  EXPECT_EQ(parse({"tune", "c.json", "--unknown"}).exit_code, 2);
  EXPECT_EQ(parse({"tune", "c.json", "--time-limit", "0"}).exit_code, 2);
  EXPECT_EQ(parse({"tune", "c.json", "--time-limit", "an hour"}).exit_code, 2);
}

}  // namespace
}  // namespace noctune
