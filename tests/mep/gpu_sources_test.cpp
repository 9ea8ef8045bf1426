// What differs for sources of a GPU: the stream, the names of files, the compilers' arguments. Text alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mep/driver_sources.hpp"
#include "mep/glue.hpp"
#include "mep/mutants.hpp"
#include "mep/signature.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

MepSpec spec_for(const std::string& backend) {
  MepSpec spec = read_mep_spec(value_or_throw(parse_json(R"({
    "entry": "scale",
    "sizes": {"n": {"default": 100}},
    "params": [
      {"name": "n", "type": "int", "value": "n"},
      {"name": "x", "type": "const float4*", "count": "n", "role": "in"},
      {"name": "y", "type": "float4*", "count": "n", "role": "out"}
    ],
    "scratch": true,
    "cases": [{"name": "all"}]
  })",
                                                         "a spec")));
  spec.backend = backend;
  return spec;
}

MepSpec again(const MepSpec& spec) {
  return read_mep_spec(value_or_throw(parse_json(to_json(spec).dump(), "a spec")));
}

std::string source(const std::string& parameters) {
  return "__global__ void k(int n) {}\nextern \"C\" void scale(" + parameters +
         ") { k<<<1, 1, 0, stream>>>(n); }\n";
}

TEST(GpuSources, TheBackendSurvivesTheTextForm) {
  EXPECT_EQ(again(spec_for("hip")).backend, "hip");
  EXPECT_EQ(again(spec_for("openmp")).backend, "openmp");
  EXPECT_FALSE(to_json(spec_for("openmp")).contains("backend"));
}

TEST(GpuSources, TheContextHasTheStreamAndLeavesVectorTypesToTheToolkit) {
  const std::string cuda = context_header(spec_for("cuda")), hip = context_header(spec_for("hip"));
  EXPECT_THAT(cuda, HasSubstr("#include <cuda_runtime.h>"));
  EXPECT_THAT(cuda, HasSubstr("typedef cudaStream_t mep_stream_t;"));
  EXPECT_THAT(hip, HasSubstr("typedef hipStream_t mep_stream_t;"));
  EXPECT_THAT(cuda, Not(HasSubstr("struct float4")));
  EXPECT_THAT(context_header(spec_for("openmp")), HasSubstr("float4"));
  EXPECT_THAT(cuda,
              HasSubstr("scale(int n, const float4* x, float4* y, void* scratch, mep_stream_t stream)"));
}

TEST(GpuSources, TheGlueHandsOverTheStreamLast) {
  EXPECT_THAT(glue_source(spec_for("cuda")), HasSubstr("static_cast<mep_stream_t>(entry_stream())"));
  EXPECT_THAT(glue_source(spec_for("openmp")), Not(HasSubstr("entry_stream")));
}

TEST(GpuSources, FilesAreNamedAfterTheirCompiler) {
  EXPECT_TRUE(driver_sources(spec_for("cuda")).count("glue.cu"));
  EXPECT_TRUE(driver_sources(spec_for("hip")).count("glue.hip"));
  EXPECT_TRUE(driver_sources(spec_for("openmp")).count("glue.cpp"));
}

TEST(GpuSources, DriversAreCompiledWithoutContraction) {
  const auto cuda = runtime_compile_arguments({"cuda", "sm_90", ""}),
             hip = runtime_compile_arguments({"hip", "gfx906", ""});
  EXPECT_THAT(cuda, Contains("-arch=sm_90"));
  EXPECT_THAT(cuda, Contains("-fmad=false"));
  EXPECT_THAT(hip, Contains("--offload-arch=gfx906"));
  EXPECT_THAT(hip, Contains("-ffp-contract=off"));
  EXPECT_THAT(runtime_compile_arguments({}), Contains("-ffp-contract=off"));
}

TEST(GpuSources, DriversFindTheToolkitsLibrary) {
  const auto with = driver_compile_arguments({"cuda", "sm_90", "/opt/cuda/lib64"}, "driver.o");
  EXPECT_THAT(with, Contains("-rpath,/opt/cuda/lib64"));
  EXPECT_THAT(with, Contains("glue.cu"));
}

TEST(GpuSources, VersionsThatTestTheCheckTakeTheStreamToo) {
  EXPECT_THAT(null_version(spec_for("cuda")), HasSubstr("void*, mep_stream_t) {}"));
  EXPECT_THAT(widened_version(spec_for("cuda"), source("int n, mep_stream_t stream")),
              HasSubstr("mep_stream_t stream"));
}

TEST(GpuSources, SignaturesAreReadWithoutAToolkit) {
  const MepSpec spec = spec_for("cuda");
  const auto good = read_gpu_signature(
      source("int n, const float4* __restrict__ x, float4* y, void* scratch, mep_stream_t stream"), spec);
  ASSERT_TRUE(good) << good.error().text();
  EXPECT_FALSE(signature_difference(*good, spec)) << *signature_difference(*good, spec);
  const auto other = read_gpu_signature(
      source("long n, const float4* x, float4* y, void* scratch, mep_stream_t stream"), spec);
  ASSERT_TRUE(other) << other.error().text();
  EXPECT_TRUE(signature_difference(*other, spec));
}

TEST(GpuSources, AnEntryWithoutStreamIsRefusedWithTheRemedy) {
  const auto bad = read_gpu_signature(source("int n, const float4* x, float4* y"), spec_for("cuda"));
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().text(), HasSubstr("mep_stream_t stream"));
}

TEST(GpuSources, AMissingEntryIsNamed) {
  const auto bad = read_gpu_signature("__global__ void k(int n) {}\n", spec_for("cuda"));
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().text(), HasSubstr("scale"));
  EXPECT_THAT(bad.error().text(), HasSubstr("it defines k"));
}

}  // namespace
}  // namespace noctune
