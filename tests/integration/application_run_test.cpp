// Tiny applications that are shell scripts: every way in which a command can go wrong, and the whole flow.
#include "integration/application_run.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/run_to_end.hpp"
#include "integration/placement_flow.hpp"
#include "integration/rule_placer.hpp"
#include "sandbox/sandbox_fixture.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class ApplicationRunTest : public SandboxTest {
 protected:
  ApplicationRunTest() {
    config_.name = "app";
    config_.build = "true";
    config_.run = "echo merit: 4";
    config_.build_s = config_.run_s = 20;
    config_.runs = 3;
    config_.metric = {"output", "merit: ([0-9.]+)", "", "", "", true, "Gflop/s"};
  }
  StepOutcome one_run() {
    ApplicationRun application(helper_, config_, folder_.path());
    io_.restart();
    return run_to_end(io_, application.run());
  }
  StepOutcome one_build() {
    ApplicationRun application(helper_, config_, folder_.path());
    io_.restart();
    return run_to_end(io_, application.build());
  }
  void put(const std::string& name, const std::string& text) {
    value_or_throw(write_file(folder_.path() / name, text));
  }

  ApplicationConfig config_;
};

TEST_F(ApplicationRunTest, ReadsTheFigureOfMerit) {
  EXPECT_EQ(one_run().metric, 4);
  config_.launch = "env X=7";
  config_.run = "sh -c 'echo merit: 1; echo merit: $X'";
  EXPECT_EQ(one_run().metric, 7);
  config_.metric = {};
  const StepOutcome timed = one_run();
  EXPECT_EQ(timed.metric, timed.seconds) << "wall time";
}

TEST_F(ApplicationRunTest, ReadsATable) {
  put("t.csv", "step, rate\n1, 2.5\n2, 3.5\n\n");
  config_.metric = {"csv", "", "t.csv", "rate", "", true, ""};
  EXPECT_EQ(one_run().metric, 3.5);
  config_.metric.column = "tea";
  EXPECT_EQ(one_run().verdict, StepVerdict::no_metric);
  EXPECT_THAT(one_run().reason, HasSubstr("no column \"tea\""));
  config_.metric.file = "absent.csv";
  EXPECT_EQ(one_run().verdict, StepVerdict::no_metric);
}

TEST_F(ApplicationRunTest, SaysWhatWentWrong) {
  config_.build = "echo no such header; exit 3";
  EXPECT_EQ(one_build().verdict, StepVerdict::build_failed);
  EXPECT_THAT(one_build().reason, HasSubstr("no such header"));
  config_.run = "echo tea";
  EXPECT_EQ(one_run().verdict, StepVerdict::no_metric);
  EXPECT_THAT(one_run().reason, HasSubstr("no line of the output matches"));
  config_.run = "echo merit: 0";
  EXPECT_EQ(one_run().verdict, StepVerdict::no_metric);
  config_.run = "echo merit: 4; exit 1";
  EXPECT_EQ(one_run().verdict, StepVerdict::run_failed);
  config_.run = "kill -SEGV $$";
  EXPECT_EQ(one_run().verdict, StepVerdict::run_failed);
  config_.run = "echo merit: 4";
  config_.verify = "./absent-check";
  EXPECT_EQ(one_run().verdict, StepVerdict::not_verified);
  EXPECT_THAT(one_run().reason, HasSubstr("command not found"));
}

TEST_F(ApplicationRunTest, EndsWhatHangsWithItsWholeTree) {
  config_.run = "sleep 1000 & echo $! > pid; wait";
  config_.run_s = 0.3;
  EXPECT_EQ(one_run().verdict, StepVerdict::run_timeout);
  EXPECT_FALSE(alive(pid_in(scratch("pid"))));
}

// Stands before the system's own, if there is one.
class ProfilerTest : public ApplicationRunTest {
 protected:
  ProfilerTest() : path_(std::getenv("PATH")) { fs::create_directories(folder_.path() / "bin"); }
  ~ProfilerTest() override { ::setenv("PATH", path_.c_str(), 1); }
  FunctionProfile profile_with(const std::string& perf) {
    put("bin/perf", "#!/bin/sh\n" + perf);
    fs::permissions(folder_.path() / "bin/perf", fs::perms::owner_all);
    ::setenv("PATH", ((folder_.path() / "bin").string() + ":" + path_).c_str(), 1);
    ApplicationRun application(helper_, config_, folder_.path());
    io_.restart();
    return run_to_end(io_, application.profile("openmp"));
  }
  std::string path_;
};

TEST_F(ProfilerTest, TellsWhatFunctionsTakeOfARun) {
  const FunctionProfile told = profile_with(
      "case $1 in\n"
      "record) shift; while [ \"$1\" != -- ]; do shift; done; shift; \"$@\" > ran ;;\n"
      "report) echo '  1500000000  [.] spmv' ;;\n"
      "esac\n");
  EXPECT_EQ(told.profiler, "perf");
  EXPECT_EQ(told.reason, "");
  EXPECT_EQ(told.seconds.at("spmv"), 1.5);
  EXPECT_EQ(value_or_throw(read_file(folder_.path() / "ran")), "merit: 4\n");
}

TEST_F(ProfilerTest, WhyItTellsNothingIsSaid) {
  const FunctionProfile refused =
      profile_with("echo 'No permission to enable cpu-clock event' >&2; exit 255\n");
  EXPECT_EQ(refused.profiler, "perf");
  EXPECT_THAT(refused.reason, HasSubstr("No permission"));
  EXPECT_TRUE(refused.seconds.empty());
  ApplicationRun application(helper_, config_, folder_.path());
  io_.restart();
  const FunctionProfile none = run_to_end(io_, application.profile("hip"));
  if (none.profiler.empty()) {  // else this machine has one
    EXPECT_THAT(none.reason, HasSubstr("no profiler"));
  }
}

// An "application" whose build copies its kernel and whose run looks at the copy.
class PlacementFlowTest : public ApplicationRunTest {
 protected:
  PlacementFlowTest() {
    plan_.profile = false;
    fs::create_directories(folder_.path() / "app");
    fs::create_directories(folder_.path() / "copies");
    put("app/kernel.cpp", original);
    put("app/unused.cpp", original);
    put("app/run.sh",
        "grep -q SLEEP built && sleep 100\n"
        "grep -q WORK built || exit 1\n"
        "grep -q FAST built && echo merit: 8.0$(date +%N) || echo merit: 4.0$(date +%N)\n");
    plan_.application = config_;
    plan_.application.directory = (folder_.path() / "app").string();
    plan_.application.build =
        "! grep BROKEN kernel.cpp && grep -E 'WORK|FAST|SLEEP' kernel.cpp > built || "
        "{ grep -q BROKEN kernel.cpp && exit 1; true > built; }";
    plan_.application.run = "sh run.sh";
    plan_.application.run_s = 5;
    plan_.copies = folder_.path() / "copies";
    HotspotPlan hotspot;
    hotspot.config.name = hotspot.tuned.name = "scale";
    hotspot.config.integrate = IntegrateConfig{"app", "kernel.cpp", "", {}, 0};
    hotspot.tuned.id = 1;
    hotspot.tuned.entry = "scale";
    hotspot.tuned.original = original;
    plan_.hotspots = {hotspot};
  }

  void version(const std::string& word, double standalone) {
    plan_.hotspots[0].tuned.versions.push_back(
        {static_cast<long long>(plan_.hotspots[0].tuned.versions.size() + 10),
         "extern \"C\" void scale(int n, double* y) {\n  y[n] = \"" + word + "\"[0];\n}\n", "", standalone});
  }

  PlacementOutcome place() {
    PlacementServices services;
    services.helper = &helper_;
    services.placer = &placer_;
    if (!adviser_.answers.empty()) services.adviser = &adviser_;
    services.step = [](const std::string&) {};
    services.placed = [this](const Placement& one) { placements_.push_back(one); };
    services.warned = [this](const std::string& text) { warnings_ += text; };
    io_.restart();
    return run_to_end(io_, place_winners(plan_, std::move(services)));
  }

  static constexpr const char* original =
      "extern \"C\" void scale(int n, double* y) {\n  y[n] = \"WORK\"[0];\n}\n";
  struct FakeAdviser final : PlaceAdviser {
    std::vector<std::string> answers, readings;
    std::vector<PlaceQuestion> asked;

    Task<Result<std::string>> advise(PlaceQuestion question) override {
      asked.push_back(question);
      if (asked.size() > answers.size()) co_return Result<std::string>(fail("no answer"));
      co_return answers[asked.size() - 1];
    }
    void heard(const PlaceQuestion&, const std::string& reading) override { readings.push_back(reading); }
  };
  static std::string edit(const std::string& line) {
    return "<<<<<<< SEARCH\n  v[n] = \"WORK\"[0];\n=======\n" + line + "\n>>>>>>> REPLACE\n";
  }
  // The hotspot stands there as nobody can recognise it.
  void in_a_file_that_no_rule_knows() {
    put("app/inline.cpp", "void step(int n, double* v) {\n  v[n] = \"WORK\"[0];\n}\n");
    plan_.hotspots[0].config.integrate->file = "inline.cpp";
    std::string& build = plan_.application.build;
    for (std::size_t at; (at = build.find("kernel.cpp")) != std::string::npos;)
      build.replace(at, 10, "inline.cpp");
  }

  PlacementPlan plan_;
  RulePlacer placer_;
  FakeAdviser adviser_;
  std::vector<Placement> placements_;
  std::string warnings_;
};

TEST_F(PlacementFlowTest, AWinnerIsMeasuredAndItsPatchSaysHow) {
  version("WORK FAST", 3);
  plan_.hotspots[0].config.integrate->share = 0.9;
  const PlacementOutcome outcome = place();
  EXPECT_TRUE(outcome.all_measured);
  EXPECT_TRUE(outcome.untouched);
  ASSERT_EQ(placements_.size(), 1u);
  const Placement& one = placements_[0];
  EXPECT_EQ(one.verdict, PlacementVerdict::faster) << one.reason;
  EXPECT_NEAR(one.gain.speedup, 2, 0.2);
  EXPECT_EQ(one.use.used, Used::yes) << one.use.reason;
  EXPECT_EQ(one.runs.size(), 6u);
  EXPECT_THAT(one.patch, HasSubstr("--- a/kernel.cpp\n+++ b/kernel.cpp\n"));
  EXPECT_THAT(one.patch, ContainsRegex("# in the application: (1.9|2.0)"));
  EXPECT_EQ(value_or_throw(read_file(folder_.path() / "app/kernel.cpp")), original);
}

TEST_F(PlacementFlowTest, TheBuildFindsTheWinnersFlags) {
  version("WORK FAST", 3);
  plan_.hotspots[0].tuned.versions[0].flags = "-ffast";
  plan_.application.build += "; echo \"[$NOCTUNE_FLAGS]\" >> flags";
  place();
  EXPECT_EQ(value_or_throw(read_file(folder_.path() / "copies/original/flags")), "[]\n");
  EXPECT_EQ(value_or_throw(read_file(folder_.path() / "copies/modified/flags")),
            "[]\n[-ffast]\n[-ffast]\n[-ffast]\n");
  EXPECT_THAT(placements_.at(0).patch, HasSubstr("# needs the compiler flags -ffast, with which"));
}

TEST_F(PlacementFlowTest, WhatFailsIsRolledBackToTheNextBest) {
  version("BROKEN", 9);
  version("", 8);  // does no work: the self-check fails
  version("WORK SLEEP", 7);
  version("WORK FAST", 2);
  plan_.application.run_s = 0.5;
  const PlacementOutcome outcome = place();
  EXPECT_TRUE(outcome.all_measured);
  ASSERT_EQ(placements_.size(), 4u);
  EXPECT_EQ(placements_[0].verdict, PlacementVerdict::build_failed);
  EXPECT_EQ(placements_[1].verdict, PlacementVerdict::run_failed);
  EXPECT_EQ(placements_[2].verdict, PlacementVerdict::run_timeout);
  EXPECT_EQ(placements_[3].verdict, PlacementVerdict::faster) << placements_[3].reason;
}

TEST_F(PlacementFlowTest, WhereNoRulePlacesAnAdviserIsAskedAndToldWhatCameOfIt) {
  in_a_file_that_no_rule_knows();
  version("WORK FAST", 3);
  adviser_.answers = {"It is clear.", edit("  BROKEN, scale_noctune(n, v);"), edit("  scale_noctune(n, v);")};
  EXPECT_TRUE(place().all_measured);
  ASSERT_EQ(placements_.size(), 3u);
  EXPECT_EQ(placements_[0].verdict, PlacementVerdict::not_placed);
  EXPECT_EQ(placements_[1].verdict, PlacementVerdict::build_failed);
  EXPECT_EQ(placements_[2].verdict, PlacementVerdict::faster) << placements_[2].reason;
  EXPECT_THAT(placements_[2].patch, HasSubstr("-  v[n] = \"WORK\"[0];\n+  scale_noctune(n, v);\n"));
  ASSERT_EQ(adviser_.asked.size(), 3u);
  EXPECT_THAT(adviser_.asked[0].refusal, HasSubstr("neither a function scale"));
  EXPECT_EQ(adviser_.asked[0].repair, 0);
  EXPECT_EQ(adviser_.asked[1].answer, "It is clear.");
  EXPECT_THAT(adviser_.asked[1].failure, HasSubstr("there are none"));
  EXPECT_EQ(adviser_.asked[2].repair, 2);
  EXPECT_EQ(adviser_.asked[2].repairs_left, 1);
  EXPECT_THAT(adviser_.asked[2].failure, HasSubstr("build_failed"));
  EXPECT_THAT(adviser_.asked[2].diagnostics, HasSubstr("BROKEN"));
  ASSERT_EQ(adviser_.readings.size(), 3u);
  EXPECT_EQ(adviser_.readings[2], "as asked");
}

TEST_F(PlacementFlowTest, AnAdviserIsAskedSoOftenAndNoMore) {
  in_a_file_that_no_rule_knows();
  version("WORK FAST", 3);
  plan_.repairs = 1;
  adviser_.answers = {"no", "no", edit("  scale_noctune(n, v);")};
  EXPECT_FALSE(place().all_measured);
  EXPECT_EQ(adviser_.asked.size(), 2u);
  version("WORK FAST", 2);  // the next version is another question
  placements_.clear();
  adviser_ = {};
  adviser_.answers = {"no", "no", edit("  scale_noctune(n, v);")};
  plan_.copies = folder_.path() / "copies2";
  fs::create_directories(plan_.copies);
  EXPECT_TRUE(place().all_measured);
  EXPECT_EQ(placements_.size(), 3u);
}

TEST_F(PlacementFlowTest, AFileOutsideTheBuildIsNotUsed) {
  version("WORK FAST", 3);
  version("WORK FAST ", 2);
  plan_.hotspots[0].config.integrate->file = "unused.cpp";
  EXPECT_FALSE(place().all_measured);
  ASSERT_EQ(placements_.size(), 1u);
  EXPECT_EQ(placements_[0].verdict, PlacementVerdict::not_used);
  EXPECT_EQ(placements_[0].use.used, Used::no);
}

TEST_F(PlacementFlowTest, AGainBeyondTheCeilingIsNotBelieved) {
  version("WORK FAST", 3);
  plan_.hotspots[0].config.integrate->share = 0.1;
  EXPECT_FALSE(place().all_measured);
  EXPECT_EQ(placements_.at(0).verdict, PlacementVerdict::disbelieved);
  EXPECT_THAT(placements_.at(0).reason, HasSubstr("allows 1.07x at most"));
}

TEST_F(PlacementFlowTest, AnApplicationThatFailsByItselfIsSaidSo) {
  version("WORK FAST", 3);
  plan_.application.verify = "exit 4";
  EXPECT_FALSE(place().all_measured);
  EXPECT_EQ(placements_.at(0).verdict, PlacementVerdict::original_failed);
  EXPECT_THAT(placements_.at(0).reason, HasSubstr("the application as it is: the verify command"));
}

TEST_F(PlacementFlowTest, AFileThatIsNotThereOrLeadsAwayIsNotTouched) {
  version("WORK FAST", 3);
  put("outside.cpp", original);
  fs::create_symlink(folder_.path() / "outside.cpp", folder_.path() / "app/link.cpp");
  for (const char* file : {"absent.cpp", "link.cpp"}) {
    plan_.hotspots[0].config.integrate->file = file;
    plan_.copies = folder_.path() / (std::string("copies-") + file);
    fs::create_directories(plan_.copies);
    EXPECT_FALSE(place().all_measured);
    EXPECT_EQ(placements_.back().verdict, PlacementVerdict::not_placed) << file;
  }
  EXPECT_THAT(placements_.back().reason, HasSubstr("leads out of"));
  EXPECT_EQ(value_or_throw(read_file(folder_.path() / "outside.cpp")), original);
}

TEST_F(PlacementFlowTest, SeveralAreTriedAloneAndTogether) {
  version("WORK FAST", 3);
  put("app/other.cpp", "extern \"C\" void grow(int n, double* y) {\n  y[n] = 1;\n}\n");
  HotspotPlan other = plan_.hotspots[0];
  other.config.name = other.tuned.name = "grow";
  other.config.integrate->file = "other.cpp";
  other.tuned.entry = "grow";
  other.tuned.original = value_or_throw(read_file(folder_.path() / "app/other.cpp"));
  other.tuned.versions = {{20, "extern \"C\" void grow(int n, double* y) {\n  y[n] = 1 + 0;\n}\n", "", 2}};
  plan_.hotspots.push_back(other);
  plan_.application.build += "; cp other.cpp built2";
  EXPECT_TRUE(place().all_measured);
  ASSERT_EQ(placements_.size(), 3u);
  EXPECT_EQ(placements_[1].use.used, Used::cannot_tell) << placements_[1].use.reason;
  EXPECT_EQ(placements_[2].hotspots.size(), 2u);
  EXPECT_EQ(placements_[2].hotspot, -1);
  EXPECT_EQ(placements_[2].verdict, PlacementVerdict::faster);
  EXPECT_THAT(placements_[2].patch, HasSubstr("+++ b/kernel.cpp"));
  EXPECT_THAT(placements_[2].patch, HasSubstr("+++ b/other.cpp"));
}

TEST_F(PlacementFlowTest, ACommandThatReachesTheOriginalIsReported) {
  version("WORK FAST", 3);
  plan_.application.build += "; touch " + plan_.application.directory + "/trace";
  EXPECT_FALSE(place().untouched);
  EXPECT_THAT(warnings_, HasSubstr("has changed meanwhile, trace"));
}

}  // namespace
}  // namespace noctune
