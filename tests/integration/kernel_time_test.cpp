#include "integration/kernel_time.hpp"

#include <gmock/gmock.h>

namespace noctune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(KernelTime, PerfsSamplesAreSummedByFunction) {
  // perf 6.1, of a conjugate gradient method.
  const auto seconds = function_seconds(
      "# To display the perf.data header info, please use --header/--header-only options.\n#\n"
      "# Samples: 38  of event 'cpu-clock:u'\n# Event count (approx.): 76152304\n#\n"
      "#       Period  Symbol\n# ............  ....\n#\n"
      "      28056112  [.] (anonymous namespace)::Operator::apply\n"
      "       8016032  [.] std::__introsort_loop<__gnu_cxx::__normal_iterator<std::pair<int, int>*> >\n"
      "       6012024  [.] (anonymous namespace)::dot\n"
      "       2004008  [.] (anonymous namespace)::dot(int, double const*, double const*) [clone ._omp_fn.0]\n"
      "       3006012  [.] spmv_noctune._omp_fn.0\n"
      "       1000000  [k] entry_of_the_system\n"
      "       6012024  [.] 0x000000000001f7de\n\n\n#\n# (Tip: To separate samples by time use perf "
      "report)\n#\n");
  EXPECT_NEAR(seconds.at("apply"), 0.028056112, 1e-12);
  EXPECT_NEAR(seconds.at("dot"), 0.008016032, 1e-12);
  EXPECT_NEAR(seconds.at("spmv_noctune"), 0.003006012, 1e-12);
  EXPECT_EQ(seconds.count("entry_of_the_system"), 0u);
  EXPECT_NEAR(seconds_in(seconds, {"dot", "spmv_noctune", "absent"}), 0.011022044, 1e-12);
}

TEST(KernelTime, TablesOfKernelsAreReadByTheirHeadings) {
  const auto nsys = function_seconds(
      "Processing [run.sqlite] with [cuda_gpu_kern_sum.py]...\n\n"
      "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
      "71.0,2000000,10,200000.0,200000.0,1,2,3.0,\"void sweep<float, 4>(int, const float *)\"\n"
      "29.0,500000,10,50000.0,50000.0,1,2,3.0,\"gravity::pull(int, float3 *)\"\r\n");
  EXPECT_NEAR(nsys.at("sweep"), 2e-3, 1e-12);
  EXPECT_NEAR(nsys.at("pull"), 5e-4, 1e-12);
  const auto rocprof = function_seconds(
      "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n"
      "\"axpy(int, float, float const*, float*) [clone .kd]\",12,3000000,250000,100.0\n");
  EXPECT_NEAR(rocprof.at("axpy"), 3e-3, 1e-12);
}

TEST(KernelTime, WhatIsNoListSaysNothing) {
  for (const char* text :
       {"", "\n\n", "error: no samples", "Name,Total Time (ns)\n", "Name,Total Time (ns)\nx\n",
        "Name,Total Time (ns)\nx,many\n,5\n", "   [.] f\n", "-5 [.] f\n", "\"", "nan [.] f\n"})
    EXPECT_THAT(function_seconds(text), IsEmpty()) << text;
}

TEST(KernelTime, TheRunsOwnQuotesStay) {
  const auto perf = kernel_profilers("openmp", "mpirun -n 2 ./app 'a b'", "/tmp/it's here");
  ASSERT_EQ(perf.size(), 1u);
  EXPECT_THAT(perf[0].record, HasSubstr(R"(-- /bin/sh -c 'mpirun -n 2 ./app '\''a b'\''')"));
  EXPECT_THAT(perf[0].record, HasSubstr(R"(-o '/tmp/it'\''s here.perf')"));
  EXPECT_EQ(kernel_profilers("cuda", "./app", "f").front().program, "nsys");
  EXPECT_EQ(kernel_profilers("hip", "./app", "f").size(), 2u);
}

}  // namespace
}  // namespace noctune
