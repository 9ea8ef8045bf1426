#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <optional>

#include "base/process.hpp"

namespace noctune {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

using Settings = std::map<std::string, std::string>;

// Sets variables for one test.
class Variables {
 public:
  explicit Variables(const Settings& values) {
    for (const auto& [name, value] : values) {
      const char* old = ::getenv(name.c_str());
      before_[name] = old ? std::optional<std::string>(old) : std::nullopt;
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  ~Variables() {
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

const Settings job{{"PATH", "/opt/tools/bin:/usr/bin"},
                   {"OMP_PROC_BIND", "close"},
                   {"CUDA_HOME", "/opt/cuda"},
                   {"OPENAI_API_KEY", "planted"},
                   {"HF_TOKEN", "planted"},
                   {"db_password", "planted"},
                   {"https_proxy", "http://u:p@h"},
                   {"SOMETHING", "sk-planted"},
                   {"OMPI_COMM_WORLD_RANK", "3"},
                   {"PMIX_RANK", "3"},
                   {"PMI_FD", "7"},
                   {"SLURM_JOB_ID", "12"},
                   {"OMPI_CXX", "g++-12"},
                   {"CPATH", "/opt/x/include"},
                   {"MODULEPATH", "/opt/modules"},
                   {"NOCTUNE_SANDBOX", "/x"},
                   {"SSH_AUTH_SOCK", "/tmp/a"},
                   {"HOME", "/home/someone"},
                   {"MONKEYS", "kept"},
                   {"HYDRA_PROXY_ID", "1"}};

TEST(CandidateEnvironment, HoldsOnlyWhatIsListed) {
  const Variables variables(job);
  const auto seen = candidate_environment();
  for (const char* entry :
       {"PATH=/opt/tools/bin:/usr/bin", "OMP_PROC_BIND=close", "CUDA_HOME=/opt/cuda", "LC_ALL=C"})
    EXPECT_THAT(seen, Contains(entry));
  for (const char* name : {"OPENAI", "HF_", "db_", "https", "SOMETHING", "OMPI", "PMI", "SLURM", "CPATH",
                           "MODULE", "NOCTUNE", "SSH", "HOME", "MONKEYS", "HYDRA"})
    EXPECT_THAT(seen, Not(Contains(StartsWith(name)))) << name;
}

TEST(CompilerEnvironment, HoldsAllButSecretsAndLaunchers) {
  const Variables variables(job);
  const auto seen = compiler_environment();
  for (const char* entry : {"PATH=/opt/tools/bin:/usr/bin", "CPATH=/opt/x/include", "MODULEPATH=/opt/modules",
                            "OMPI_CXX=g++-12", "MONKEYS=kept", "HOME=/home/someone", "LC_ALL=C"})
    EXPECT_THAT(seen, Contains(entry));
  for (const char* name : {"OPENAI", "HF_", "db_", "https", "SOMETHING", "OMPI_COMM", "PMIX", "PMI_", "SLURM",
                           "NOCTUNE", "SSH", "HYDRA"})
    EXPECT_THAT(seen, Not(Contains(StartsWith(name)))) << name;
}

TEST(CandidateEnvironment, ExtraEntriesAddAndReplace) {
  const Variables variables(Settings{{"OMP_NUM_THREADS", "64"}});
  const auto seen = candidate_environment({"OMP_NUM_THREADS=2", "TMPDIR=/scratch", "LC_ALL=de_DE"});
  EXPECT_THAT(seen, Contains("OMP_NUM_THREADS=2"));
  EXPECT_THAT(seen, Not(Contains("OMP_NUM_THREADS=64")));
  EXPECT_THAT(seen, Contains("TMPDIR=/scratch"));
  EXPECT_THAT(seen, Contains("LC_ALL=de_DE"));
  EXPECT_THAT(seen, Not(Contains("LC_ALL=C")));
}

TEST(CandidateEnvironment, AlwaysHasAPath) {
  const Variables variables(Settings{{"PATH", ""}});
  ::unsetenv("PATH");
  EXPECT_THAT(candidate_environment(), Contains("PATH=/usr/local/bin:/usr/bin:/bin"));
}

TEST(SandboxHelperPath, TheVariableComesFirstThenTheExecutablesFolder) {
  {
    const Variables variables(Settings{{"NOCTUNE_SANDBOX", "/opt/x/noctune-sandbox"}});
    EXPECT_EQ(sandbox_helper_path(), "/opt/x/noctune-sandbox");
  }
  const Variables variables(Settings{{"NOCTUNE_SANDBOX", ""}});
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  EXPECT_EQ(sandbox_helper_path(), (folder / "noctune-sandbox").string());
}

}  // namespace
}  // namespace noctune
