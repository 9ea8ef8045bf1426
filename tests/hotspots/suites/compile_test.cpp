// Every GPU source of the suites is compiled by each compiler that is there, behind the prototype that its
// spec means. A suite is one translation unit, each source in a namespace of its own: GPU compilers take
// seconds to begin. (The OpenMP sources are part of the tests beside this one.)
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "hotspots/suites/suite_files.hpp"
#include "mep/driver_fixture.hpp"
#include "mep/glue.hpp"

namespace noctune::testing {
namespace {

struct Compiler {
  std::string name, command, head;
};

const Compiler nvcc{"nvcc", "nvcc -std=c++17 -O1 -arch=sm_90 -x cu -Xcompiler -fPIC",
                    "typedef cudaStream_t mep_stream_t;\n"};
const Compiler hipcc{"hipcc", "hipcc -std=c++17 -O1 -x hip --offload-arch=gfx906 -fPIC",
                     "#include <hip/hip_runtime.h>\ntypedef hipStream_t mep_stream_t;\n"};

// The command with the path of the first of its programs that exists, or nothing.
std::string runnable(const std::string& command) {
  const std::string program = command.substr(0, command.find(' '));
  for (const char* folder : {"", "/usr/local/cuda/bin/", "/opt/rocm/bin/"}) {
    std::string output;
    if (shell("command -v " + (folder + program), output) == 0) return folder + command;
  }
  return {};
}

std::string unit_of(const std::string& suite, const Compiler& compiler) {
  std::string prototypes = "#include <cstddef>\n#include <cstdint>\n#include <cmath>\n" + compiler.head,
              sources;
  int number = 0;
  for (const auto& path : suite_specs(suite)) {
    const MepSpec spec = suite_spec(path);
    prototypes +=
        "extern \"C\" void " + spec.entry + "(" + parameter_list(spec, true) + ", mep_stream_t stream);\n";
    sources += "namespace source" + std::to_string(++number) + " {\n#include \"" +
               source_of(path, ".cu").string() + "\"\n}\n";
  }
  return prototypes + sources;
}

class SuiteSource : public ::testing::TestWithParam<std::string> {
 protected:
  void expect_compiles(const Compiler& compiler) {
    const std::string command = runnable(compiler.command);
    if (command.empty()) GTEST_SKIP() << "there is no " << compiler.name;
    ASSERT_FALSE(suite_specs(GetParam()).empty());
    const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-suite"));
    const auto unit = folder.path() / "unit.cu";
    value_or_throw(write_file(unit, unit_of(GetParam(), compiler)));
    std::string output;
    EXPECT_EQ(shell(command + " -c " + unit.string() + " -o " + (folder.path() / "unit.o").string(), output),
              0)
        << output;
    EXPECT_EQ(output.find("warning"), std::string::npos) << output;
  }
};

TEST_P(SuiteSource, compiles_with_nvcc_for_hopper) {
  expect_compiles(nvcc);
}
TEST_P(SuiteSource, compiles_with_hipcc_for_gfx906) {
  expect_compiles(hipcc);
}

INSTANTIATE_TEST_SUITE_P(Suites, SuiteSource, ::testing::ValuesIn(suite_names()),
                         [](const auto& suite) { return suite.param; });

}  // namespace
}  // namespace noctune::testing
