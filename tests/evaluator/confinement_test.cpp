// Real compilers and a real driver under the sandbox: what a candidate's source and code cannot reach, and
// how the level is lowered where a tool cannot live with it.
#include "evaluator/confinement.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "evaluator/sandbox_probe.hpp"
#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::string secret_text = "\"open-sesame\"";

class ConfinedBuild : public testing::Test {
 protected:
  void SetUp() override {
    if (!real_.host.sandbox().level.files) GTEST_SKIP() << "no Landlock here";
    ASSERT_TRUE(write_file(context_, "#pragma once\n"));
    ASSERT_TRUE(write_file(secret_, "const char* secret = " + secret_text + ";\n"));
  }
  Built build(const std::string& source,
              std::vector<std::string> flags = {"-O2", "-march=native", "-fopenmp"}) {
    Builder builder(real_.helper, "g++", {}, SandboxRules({}, "g++", {}, real_.scratch.path()));
    BuildLimits limits;
    limits.seconds = 30;
    return real_.run(builder.plugin(mep_ / "candidate", source, context_, std::move(flags), limits));
  }
  void expect_hidden(const std::string& path) {
    for (const std::string& source :
         {"#include \"" + path + "\"\n", "asm(\".incbin \\\"" + path + "\\\"\");\n",
          "asm(\".include \\\"" + path + "\\\"\");\n"}) {
      const Built built = build(source);
      EXPECT_EQ(built.verdict, Verdict::build_failed) << source;
      EXPECT_THAT(built.diagnostics, Not(HasSubstr("sesame"))) << source;
      EXPECT_THAT(built.diagnostics, Not(HasSubstr("root:"))) << source;
    }
  }
  fs::path make_folder(const char* name) {
    fs::create_directories(real_.scratch.path() / "mep" / name);
    return real_.scratch.path() / "mep" / name;
  }

  RealEvaluator real_;
  const fs::path mep_ = real_.scratch.path() / "mep";
  const fs::path secret_ = make_folder("other") / "candidate.cpp", context_ = make_folder("") / "context.hpp";
};

TEST_F(ConfinedBuild, HonestSourcesCompile) {
  const Built built = build(
      "#include <cmath>\n#include <vector>\n#include <omp.h>\n"
      "extern \"C\" double f() { return omp_get_max_threads() + std::sqrt(2.0); }\n");
  EXPECT_EQ(built.verdict, Verdict::ok) << built.message << built.diagnostics;
}

TEST_F(ConfinedBuild, FilesElsewhereStaySecret) {
  expect_hidden("/etc/passwd");
  expect_hidden("/proc/self/environ");
  expect_hidden("/proc/1/environ");
}

TEST_F(ConfinedBuild, OtherCandidatesStaySecret) {
  expect_hidden(secret_);
  expect_hidden("../other/candidate.cpp");
}

TEST_F(ConfinedBuild, OutputsStayInTheOwnFolder) {
  const fs::path elsewhere = mep_ / "other" / "dump";
  EXPECT_EQ(build("int x;\n", {"-Wl,-Map=" + elsewhere.string()}).verdict, Verdict::build_failed);
  EXPECT_FALSE(fs::exists(elsewhere));
  EXPECT_EQ(build("int x;\n", {"-Wl,-Map=here"}).verdict, Verdict::ok);
}

TEST_F(ConfinedBuild, AFolderThatTheUserNamesIsReadable) {
  const ScratchFolder headers = value_or_throw(ScratchFolder::make("noctune-test"));
  ASSERT_TRUE(write_file(headers.path() / "own.hpp", "constexpr int own = 1;\n"));
  const std::vector<std::string> flags{"-I" + headers.path().string()};
  const std::string source = "#include \"own.hpp\"\nint x = own;\n";
  EXPECT_EQ(build(source, flags).verdict, Verdict::build_failed);  // a candidate's own flag
  Builder builder(real_.helper, "g++", {}, SandboxRules({}, "g++", flags, real_.scratch.path()));
  BuildLimits limits;
  const Built built = real_.run(builder.plugin(mep_ / "candidate", source, context_, flags, limits));
  EXPECT_EQ(built.verdict, Verdict::ok) << built.diagnostics;
}

// A compiler that is a script in a folder of its own, with whatever `does` before it starts g++.
class Wrapper {
 public:
  explicit Wrapper(const std::string& does) {
    const fs::path file = path();
    fs::create_directories(file.parent_path());
    EXPECT_TRUE(write_file(file, "#!/bin/sh\n" + does + " || exit 1\nexec g++ \"$@\"\n"));
    fs::permissions(file, fs::perms::owner_all);
  }
  std::string path() const { return folder_.path() / "bin" / "wrapped-g++"; }
  std::string folder() const { return path().substr(0, path().rfind('/')); }

 private:
  const ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

class Probe : public testing::Test {
 protected:
  SandboxState settle(RealEvaluator& real, const std::string& compiler) {
    PlatformSettings platform;
    platform.compiler = compiler;
    platform.flags = {"-O1"};
    const auto probe = [&]() -> Task<int> {
      co_await real.host.probe(platform);
      co_return 0;
    };
    real.run(probe());
    return real.host.sandbox();
  }
};

TEST_F(Probe, KeepsEverythingWhereEverythingWorks) {
  RealEvaluator real;
  const SandboxLevel before = real.host.sandbox().level;
  EXPECT_EQ(settle(real, "g++").level, before);
  EXPECT_EQ(real.host.sandbox().trouble, "");
  EXPECT_THAT(real.host.facts().sandbox_level, HasSubstr("limits"));
}

TEST_F(Probe, LowersTheFilesAloneForACompilerThatReadsElsewhere) {
  RealEvaluator real;
  if (!real.host.sandbox().level.files) GTEST_SKIP() << "no Landlock here";
  const Wrapper compiler("cat /etc/passwd > /dev/null");
  const SandboxState state = settle(real, compiler.path());
  SandboxLevel expected = full_sandbox(real.helper.support()).level;
  expected.files = expected.shm = false;
  EXPECT_EQ(state.level, expected);
  EXPECT_EQ(real.bench->sandbox, expected);
  EXPECT_THAT(real.host.facts().sandbox_missing, HasSubstr("files (switched off: "));
  EXPECT_THAT(real.host.facts().sandbox_missing, HasSubstr("/etc/passwd: Permission denied"));
}

// LLVM's OpenMP runtime wants to write to /dev/shm; without OpenMP nothing does.
TEST_F(Probe, OpensSharedMemoryAloneForLlvm) {
  RealEvaluator real;
  if (!real.host.sandbox().level.files) GTEST_SKIP() << "no Landlock here";
  if (std::system("echo 'int main() {}' | clang++ -fopenmp -x c++ -o /dev/null - 2> /dev/null") != 0)
    GTEST_SKIP() << "no clang++ with OpenMP here";
  SandboxLevel expected = real.host.sandbox().level;
  expected.shm = false;
  EXPECT_EQ(settle(real, "clang++").level, expected);
}

TEST_F(Probe, LowersTheCallsAloneForACompilerThatNeedsASession) {
  RealEvaluator real;
  if (!real.host.sandbox().level.calls) GTEST_SKIP() << "no seccomp here";
  const Wrapper compiler("setsid --wait true");
  SandboxLevel expected = real.host.sandbox().level;
  expected.calls = false;
  EXPECT_EQ(settle(real, compiler.path()).level, expected);
}

TEST_F(Probe, ACompilerThatNeverWorksLowersNothing) {
  RealEvaluator real;
  const SandboxLevel before = real.host.sandbox().level;
  const Wrapper compiler("case \"$*\" in *--version*) true;; *) false;; esac");
  EXPECT_EQ(settle(real, compiler.path()).level, before);
  EXPECT_EQ(real.bench->sandbox, before);
}

TEST_F(Probe, WorksOnKernelsThatLackSomething) {
  RealEvaluator old(true, "/tests/bin/noctune-without-newer-calls");
  EXPECT_EQ(settle(old, "g++").level, (SandboxLevel{false, false, false, true}));
  EXPECT_EQ(old.host.facts().sandbox_level, "seccomp + limits");
  EXPECT_THAT(old.host.facts().sandbox_missing, HasSubstr("no Landlock"));
  RealEvaluator bare(true, "/tests/bin/noctune-without-seccomp");
  EXPECT_FALSE(settle(bare, "g++").level.calls);
  EXPECT_THAT(bare.host.facts().sandbox_missing, HasSubstr("no seccomp filter"));
}

}  // namespace
}  // namespace noctune
