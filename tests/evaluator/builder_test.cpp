#include "evaluator/builder.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

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

}  // namespace
}  // namespace noctune
