#include "coordinator/patterns/features.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.hpp"
#include "coordinator/patterns/feature_words.hpp"
#include "coordinator/patterns/kernel_shape.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

PrepareTask hotspot(const std::string& name) {
  PrepareTask task;
  task.mep.hotspot = name;
  task.mep.original = value_or_throw(read_file("hotspots/" + name + ".cpp"));
  task.mep.spec = read_mep_spec(value_or_throw(read_json("hotspots/" + name + ".mep.json")));
  return task;
}

// void f(int n, const double* A, const double* x, double* y)
PrepareTask square(const std::string& body) {
  PrepareTask task;
  task.mep.spec = read_mep_spec(value_or_throw(parse_json(R"({
    "entry": "f", "sizes": {"n": {"default": 100}},
    "params": [{"name": "n", "type": "int", "value": "n"},
               {"name": "A", "type": "const double*", "count": "n*n", "role": "in"},
               {"name": "x", "type": "const double*", "count": "n", "role": "in"},
               {"name": "y", "type": "double*", "count": "n*n", "role": "inout"}],
    "cases": [{"name": "all"}]})",
                                                          "test")));
  task.mep.original =
      "extern \"C\" void f(int n, const double* A, const double* x, double* y) {\n" + body + "}\n";
  return task;
}

KernelFeatures features(const PrepareTask& task) {
  return features_of(task, MepReport{}, DeviceFacts{}, task.mep.original);
}

// The features that the source and the spec decide, in one line.
std::string shape(const PrepareTask& task) {
  KernelFeatures all = features(task);
  std::string out = all["dtype"] + ", " + all["arrays"] + " arrays, depth " + all["loop_depth"];
  for (const char* name :
       {"parallel", "reduction", "stencil", "indirect", "branches", "calls_math", "transposed"})
    out += all[name] == "yes"  ? std::string(", ") + name
           : all[name] == "no" ? ""
                               : ", " + std::string(name) + "?";
  return out;
}

TEST(Features, QuickstartKernels) {
  EXPECT_EQ(shape(hotspot("gemm")), "f64, 3 arrays, depth 3, reduction, transposed");
  EXPECT_EQ(shape(hotspot("2mm")), "f64, 5 arrays, depth 3, reduction, transposed");
  EXPECT_EQ(shape(hotspot("atax")), "f64, 4 arrays, depth 2, reduction");
  EXPECT_EQ(shape(hotspot("bicg")), "f64, 5 arrays, depth 2, reduction");
  EXPECT_EQ(shape(hotspot("conv2d")), "f32, 3 arrays, depth 4, reduction, stencil, branches");
  EXPECT_EQ(shape(hotspot("jacobi-2d")), "f64, 2 arrays, depth 3, stencil");
}

TEST(Features, TheOtherKernels) {
  EXPECT_EQ(shape(hotspot("doitgen")), "f64, 3 arrays, depth 4, reduction, transposed");
  EXPECT_EQ(shape(hotspot("fdtd-2d")), "f64, 4 arrays, depth 3, stencil");
  EXPECT_EQ(shape(hotspot("gesummv")), "f64, 4 arrays, depth 2, reduction");
  EXPECT_EQ(shape(hotspot("histogram")), "i32, 2 arrays, depth 1, reduction, indirect, branches");
  EXPECT_EQ(shape(hotspot("mvt")), "f64, 5 arrays, depth 2, reduction, transposed");
  EXPECT_EQ(shape(hotspot("nbody")), "f32, 3 arrays, depth 2, reduction, calls_math");
  EXPECT_EQ(shape(hotspot("spmv-csr")), "f64, 5 arrays, depth 2, reduction, indirect");
  EXPECT_EQ(shape(hotspot("syrk")), "f64, 2 arrays, depth 3, reduction");
}

TEST(Features, EveryFeatureHasAValueOfTheVocabulary) {
  const KernelFeatures all = features(hotspot("gemm"));
  EXPECT_EQ(all.size(), feature_words().size());
  for (const auto& [name, value] : all) {
    const FeatureWord* word = find_feature(name);
    ASSERT_NE(word, nullptr) << name;
    const bool known = std::find(word->values.begin(), word->values.end(), value) != word->values.end();
    EXPECT_TRUE(word->is_number() || known || value == unknown_feature) << name << ": " << value;
  }
}

TEST(Features, DirectivesDoNotHideTheLoops) {
  PrepareTask task = square(
      "#pragma omp parallel for \\\n    schedule(static)\n  for (int i = 0; i < n; ++i) {\n"
      "    double sum = 0;\n#pragma omp simd reduction(+ : sum)\n"
      "    for (int j = 0; j < n; ++j) sum += A[i * n + j] * x[j];\n    y[i] = sum;\n  }\n");
  EXPECT_EQ(shape(task), "f64, 3 arrays, depth 2, parallel, reduction");
  EXPECT_EQ(without_pragmas("a\n#pragma omp x \\\n  y\nb\n"), "a\n" + std::string(15, ' ') + "\n   \nb\n");
  EXPECT_FALSE(starts_threads("#pragma omp simd\n"));
}

TEST(Features, WhatCannotBeReadIsUnknown) {
  const std::string unknown =
      "f64, 3 arrays, depth unknown, reduction?, stencil?, indirect?, branches?, calls_math?, transposed?";
  EXPECT_EQ(shape(square("  this does not compile\n")), unknown);
  EXPECT_EQ(shape(square("  int i = 0;\n  while (i < n) { y[i] = x[i]; ++i; }\n")), unknown);
}

TEST(Features, WhatIsFoundBesideOpaqueStatementsCounts) {
  EXPECT_EQ(shape(square("  static double total[4];\n  total[0] = 0;\n"
                         "  for (int i = 0; i < n; ++i) if (x[i] > 0) y[i] = x[i];\n")),
            "f64, 3 arrays, depth 1, reduction?, stencil?, indirect?, branches, calls_math?, transposed?");
}

TEST(Features, TimeStepsAreNoReductionAndRecordsAreNoStencil) {
  EXPECT_EQ(
      shape(square("  for (int t = 0; t < 9; ++t)\n    for (int i = 0; i < n; ++i) y[i] -= 0.5 * x[i];\n")),
      "f64, 3 arrays, depth 2");
  EXPECT_EQ(shape(square("  for (int i = 0; i < n; ++i) y[i] = A[3 * i] + A[3 * i + 1];\n")),
            "f64, 3 arrays, depth 1");
  EXPECT_EQ(shape(square("  for (int i = 1; i < n; ++i) y[i] = x[i] + x[i - 1];\n")),
            "f64, 3 arrays, depth 1, stencil");
}

MepReport report(long long data_bytes, double flops, double bytes, double seconds) {
  MepReport out;
  SizedCase check, sized;
  check.use = CaseUse::check;
  check.weight = 5;
  sized.data_bytes = data_bytes;
  sized.flops = flops;
  sized.bytes = bytes;
  out.cases = {check, sized};
  out.baseline_seconds = seconds;
  return out;
}

DeviceFacts device() {
  DeviceFacts out;
  out.l1_bytes = 32 << 10;
  out.l2_bytes = 1 << 20;
  out.last_level_cache_bytes = 32 << 20;
  out.measured_cpus = {0, 1, 2, 3};
  out.ceilings = {{"read 1 MB", 100e9, "B/s", 1e6},
                  {"read 64 MB", 10e9, "B/s", 64e6},
                  {"fp64 FMA", 50e9, "flop/s", 0},
                  {"fp32 FMA", 100e9, "flop/s", 0}};
  return out;
}

KernelFeatures sized(const MepReport& what) {
  const PrepareTask task = hotspot("gemm");
  return features_of(task, what, device(), task.mep.original);
}

TEST(Features, TheSmallestCacheThatHoldsTheData) {
  EXPECT_EQ(sized(report(32 << 10, 0, 0, 0)).at("working_set"), "l1");
  EXPECT_EQ(sized(report(33 << 10, 0, 0, 0)).at("working_set"), "l2");
  EXPECT_EQ(sized(report(2 << 20, 0, 0, 0)).at("working_set"), "llc");
  EXPECT_EQ(sized(report(33 << 20, 0, 0, 0)).at("working_set"), "memory");
  EXPECT_EQ(sized(report(0, 0, 0, 0)).at("working_set"), "unknown");
}

TEST(Features, BottlenecksFromCeilingsWithNumbers) {
  // 40 MB at 10 GB/s are 4 ms, 10 Mflop at 50 Gflop/s 0.2 ms; measured: 8 ms.
  KernelFeatures memory = sized(report(40'000'000, 10e6, 40e6, 8e-3));
  EXPECT_EQ(memory.at("bottleneck"), "memory");
  EXPECT_EQ(memory.at("memory_share"), "0.5");
  EXPECT_EQ(memory.at("compute_share"), "0.025");
  EXPECT_EQ(memory.at("flops_per_byte"), "0.25");
  EXPECT_EQ(memory.at("intensity"), "low");
  // 1 MB fits the faster level: 0.01 ms; 100 Mflop are 2 ms.
  KernelFeatures compute = sized(report(1'000'000, 100e6, 1e6, 10e-3));
  EXPECT_EQ(compute.at("bottleneck"), "compute");
  EXPECT_EQ(compute.at("compute_share"), "0.2");
  EXPECT_EQ(compute.at("intensity"), "high");
  // One thread of four: 2 ms of 200 ms are 1 %, below 5 % of a quarter.
  EXPECT_EQ(sized(report(1'000'000, 100e6, 1e6, 200e-3)).at("bottleneck"), "latency");
  EXPECT_EQ(sized(report(1'000'000, 100e6, 1e6, 100e-3)).at("bottleneck"), "compute");
  EXPECT_EQ(sized(report(1'000'000, 0, 0, 1e-3)).at("bottleneck"), "unknown");
}

}  // namespace
}  // namespace noctune
