#include "evaluator/builder.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "evaluator/gpu/gpu_policy.hpp"
#include "evaluator/policy.hpp"
#include "evaluator/toolchain_folders.hpp"
#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(VersionLine, IsTheFirstLine) {
  EXPECT_EQ(version_line("g++ (Debian 12.2.0-14) 12.2.0\nCopyright (C) 2022\n"),
            "g++ (Debian 12.2.0-14) 12.2.0");
  EXPECT_EQ(version_line(""), "");
}

TEST(VersionLine, OfNvccHasTheRelease) {
  EXPECT_EQ(
      version_line("nvcc: NVIDIA (R) Cuda compiler driver\nCopyright (c) 2005-2025 NVIDIA Corporation\n"
                   "Built on Wed_Aug_20\nCuda compilation tools, release 13.0, V13.0.88\nBuild cuda_13.0\n"),
      "nvcc: NVIDIA (R) Cuda compiler driver, Cuda compilation tools, release 13.0, V13.0.88");
}

TEST(FirstError, IsTheCompilersFirstErrorOrLine) {
  EXPECT_EQ(first_error("a.cpp:1: warning: w\na.cpp:2: error: e\n"), "a.cpp:2: error: e");
  EXPECT_EQ(first_error("killed\nmore\n"), "killed");
}

// A compiler that says how it was called, and fails.
class Told : public testing::Test {
 protected:
  std::string told(const std::string& backend, const std::vector<std::string>& libraries = {}) {
    const fs::path compiler = folder_.path() / "compiler";
    value_or_throw(write_file(compiler, "#!/bin/sh\necho \"arguments: $*.\"\nenv\nexit 1\n"));
    fs::permissions(compiler, fs::perms::owner_all);
    value_or_throw(write_file(folder_.path() / "context.hpp",
                              "// a file that is gone would be no fault of the source\n"));
    const SandboxRules open({false, false, false, false}, compiler.string(), {}, folder_.path());
    Builder builder(real_.helper, compiler.string(),
                    {backend, backend == "cuda" ? "sm_90" : "gfx90a", backend == "cuda" ? "/cuda/lib" : ""},
                    open, libraries);
    const Built built = real_.run(builder.plugin(folder_.path() / "candidate", "int x;\n",
                                                 folder_.path() / "context.hpp", {"-O3"}, BuildLimits{}));
    EXPECT_EQ(built.verdict, Verdict::build_failed);
    return built.diagnostics;
  }

 private:
  RealEvaluator real_;
  const ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

TEST_F(Told, GpuCompilersSeeNoFlagsBehindOurBack) {
  ::setenv("NVCC_APPEND_FLAGS", "-G", 1);
  ::setenv("NVCC_CCBIN", "some-g++", 1);
  ::setenv("HIPCC_COMPILE_FLAGS_APPEND", "-O0", 1);
  ::setenv("HIP_PLATFORM", "nvidia", 1);
  EXPECT_THAT(told("cuda"), AllOf(Not(HasSubstr("NVCC_APPEND_FLAGS")), HasSubstr("NVCC_CCBIN=some-g++\n"),
                                  HasSubstr("HIP_PLATFORM=nvidia\n")));
  EXPECT_THAT(told("hip"), AllOf(Not(HasSubstr("HIPCC_COMPILE_FLAGS_APPEND")),
                                 HasSubstr("HIP_PLATFORM=amd\n"), HasSubstr("LC_ALL=C\n")));
  EXPECT_THAT(told("openmp"), HasSubstr("NVCC_APPEND_FLAGS=-G\n"));
  for (const char* name : {"NVCC_APPEND_FLAGS", "NVCC_CCBIN", "HIPCC_COMPILE_FLAGS_APPEND", "HIP_PLATFORM"})
    ::unsetenv(name);
}

TEST_F(Told, LibrariesAddDefinesAndLinks) {
  EXPECT_THAT(told("cuda"), Not(HasSubstr("-lcublas")));
  EXPECT_THAT(told("cuda", {"cub", "cublas"}),
              AllOf(HasSubstr(" -DCCCL_DISABLE_NVTX -DNVTX_DISABLE -include "),
                    HasSubstr("candidate.cu -Xlinker --as-needed -Xlinker -rpath,/cuda/lib -lcublas "
                              "-lcublasLt.\n")));
  EXPECT_THAT(told("hip", {"rocblas"}), HasSubstr("candidate.hip -Wl,--as-needed -lrocblas.\n"));
}

// The real compiler below the sandbox, and the loader below that of candidates.
class WithCublas : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = cuda_library_folder("nvcc", path_in(compiler_environment()));
    std::error_code ignored;
    if (folder_.empty()) GTEST_SKIP() << "nvcc is not on PATH";
    if (!fs::exists(folder_ + "/libcublas.so", ignored)) GTEST_SKIP() << "cuBLAS is not beside nvcc";
    fs::create_directories(mep_);
    value_or_throw(write_file(context_,
                              "#include <cuda_runtime.h>\ntypedef cudaStream_t mep_stream_t;\n"
                              "extern \"C\" void square(int, const float*, float*, mep_stream_t);\n"));
  }
  Built build(const std::string& name, const std::string& source, std::vector<std::string> libraries) {
    Builder builder(real_.helper, "nvcc", {"cuda", "sm_90", folder_}, rules_, std::move(libraries));
    BuildLimits limits;
    limits.seconds = 200;
    return real_.run(builder.plugin(mep_ / name, source, context_, {"-O2", "-std=c++17"}, limits));
  }
  // What a program says that loads the plugin as the driver does.
  std::string loaded(const fs::path& plugin) {
    value_or_throw(write_file(mep_ / "loads.cpp",
                              "#include <dlfcn.h>\n#include <stdio.h>\nint main(int, char** a) {\n"
                              "  puts(dlopen(a[1], RTLD_NOW | RTLD_LOCAL) ? \"loaded\" : dlerror());\n}\n"));
    Builder builder(real_.helper, "g++", {}, rules_);
    const Built loader =
        real_.run(builder.program(mep_, "loads", {"loads.cpp", "-o", "loads", "-ldl"}, BuildLimits{}));
    EXPECT_EQ(loader.verdict, Verdict::ok) << loader.diagnostics;
    ChildRequest request;
    request.argv = {loader.file.string(), plugin.string()};
    request.working_folder = mep_.string();
    request.environment = candidate_environment();
    request.confinement = rules_.for_candidate(mep_ / "run", {loader.file.string(), plugin.string()});
    return real_.run(real_.helper.run(std::move(request))).output;
  }

  RealEvaluator real_;
  std::string folder_;
  const fs::path mep_ = real_.scratch.path() / "mep", context_ = mep_ / "context.hpp";
  const SandboxRules rules_{real_.host.sandbox().level, "nvcc", {}, real_.scratch.path(), {"/dev/null"}};
  const std::string plain_ =
      "__global__ void two(float* y) { *y = 2; }\nextern \"C\" void square(int, const float*, float* y, "
      "mep_stream_t stream) {\n  two<<<1, 1, 0, stream>>>(y);\n}\n";
  const std::string blas_ =
      "#include <cublas_v2.h>\nstatic cublasHandle_t handle;\n" + plain_.substr(0, plain_.find("extern")) +
      "extern \"C\" void square(int n, const float* x, float* y, mep_stream_t stream) {\n"
      "  const float one = 1, zero = 0;\n  if (!handle) cublasCreate(&handle);\n"
      "  cublasSetStream(handle, stream);\n"
      "  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, n, x, n, &zero, y, n);\n"
      "  two<<<1, 1, 0, stream>>>(y);\n}\n";
};

TEST_F(WithCublas, WhatIsAllowedIsLinkedPassesAndLoads) {
  const Built original = build("original", plain_, {"cublas"}), version = build("version", blas_, {"cublas"});
  ASSERT_EQ(original.verdict, Verdict::ok) << original.message << original.diagnostics;
  ASSERT_EQ(version.verdict, Verdict::ok) << version.message << version.diagnostics;
  EXPECT_THAT(original.binary.undefined, Not(Contains(HasSubstr("cublas"))));
  const AllowedLibraries blas = value_or_throw(allowed_libraries("cuda", {"cublas"}));
  std::vector<std::string> waived = needs_of_libraries(version.binary, blas);
  EXPECT_THAT(waived, Contains(HasSubstr("[library libcublas.so.")));
  waived.insert(waived.end(), original.binary.undefined.begin(), original.binary.undefined.end());
  EXPECT_EQ(binary_objection(version.binary, "square", waived).value_or(""), "");
  EXPECT_EQ(gpu_binary_objection(version.binary, original.binary.undefined, blas).value_or(""), "");
  EXPECT_THAT(binary_objection(version.binary, "square", original.binary.undefined).value_or(""),
              HasSubstr("libcublas"));
  EXPECT_EQ(loaded(version.file), "loaded\n");
}

TEST_F(WithCublas, WhatIsNotAllowedIsNotLinked) {
  const Built built = build("version", blas_, {});
  ASSERT_EQ(built.verdict, Verdict::ok) << built.message;  // its symbols stay open
  EXPECT_THAT(gpu_binary_objection(built.binary, {}, {}).value_or(""), HasSubstr("cublas"));
}

}  // namespace
}  // namespace noctune
