// What the injected library decides and writes, without CUDA: names, selection, limits, files, and what
// noctune capture makes of them.
#include "noctune_inject_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <thread>

#include "base/files.hpp"
#include "mep/captured_names.hpp"
#include "mep/captured_spec.hpp"
#include "store/captures.hpp"

namespace noctune {
namespace {
namespace fs = std::filesystem;
using noctune_inject::kernel_name;
using noctune_inject::KernelName;
using noctune_inject::Launch;
using noctune_inject::Recorder;
using noctune_inject::Settings;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(InjectedNames, TypesComeFromTheSymbol) {
  const KernelName spmv = kernel_name("_ZN3app4spmvIdEEviPKiPKT_PS3_");
  EXPECT_EQ(spmv.name, "spmv<double>");
  EXPECT_EQ(spmv.base, "spmv");
  EXPECT_THAT(spmv.declared, ElementsAre("int", "int const*", "double const*", "double*"));
  const KernelName hidden = kernel_name("_ZN12_GLOBAL__N_14waveEPff");
  EXPECT_EQ(hidden.name, "wave");
  EXPECT_THAT(hidden.declared, ElementsAre("float*", "float"));
  EXPECT_THAT(kernel_name("_Z4nonev").declared, IsEmpty());
}

TEST(InjectedNames, PlainSymbolsSayNothingOfTypes) {
  for (const char* symbol : {"saxpy", "i", "_Zodd", ""}) {
    EXPECT_FALSE(kernel_name(symbol).knows_types) << symbol;
    EXPECT_EQ(kernel_name(symbol).name, symbol);
  }
}

TEST(InjectedNames, PatternsSelect) {
  const KernelName spmv = kernel_name("_ZN3app4spmvIdEEviPKiPKT_PS3_");
  for (const char* wanted : {"", "spmv", "a,spmv", "spmv<double>", "*app::spmv*", "s?mv", "_ZN3app*"})
    EXPECT_TRUE(noctune_inject::selects(wanted, spmv)) << wanted;
  for (const char* other : {"spm", "app", "saxpy,spmv<float>"})
    EXPECT_FALSE(noctune_inject::selects(other, spmv)) << other;
}

// Host memory that plays the device's.
class FakeMemory final : public noctune_inject::Memory {
 public:
  explicit FakeMemory(std::vector<double>& block) : block_(block) {}
  bool rest(unsigned long long address, unsigned long long& bytes) override {
    const auto begin = reinterpret_cast<std::uintptr_t>(block_.data());
    if (address < begin || address >= begin + 8 * block_.size()) return false;
    bytes = begin + 8 * block_.size() - address;
    return true;
  }
  std::string fetch(char* to, unsigned long long from, std::size_t bytes) override {
    if (before_fetch) before_fetch();
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return problem;
  }

  std::function<void()> before_fetch;
  std::string problem;

 private:
  std::vector<double>& block_;
};

template <class T>
void pass(Launch& launch, const T& value) {
  const std::size_t at = launch.arguments.empty() ? 0 : launch.arguments.back().offset + 8;
  launch.arguments.push_back({at, std::string(reinterpret_cast<const char*>(&value), sizeof value)});
}

class InjectedRecorder : public testing::Test {
 protected:
  // scale(int n, float a, double const* x, double* y)
  Launch scale(int n, float a, const char* symbol = "_Z5scaleifPKdPd") {
    Launch out;
    out.symbol = symbol;
    out.grid[0] = 4;
    pass(out, n);
    pass(out, a);
    pass(out, block_.data());
    pass(out, block_.data() + 2);
    return out;
  }
  // As the library does it; what it says on stderr.
  std::string run(const Settings& settings, const std::vector<Launch>& launches) {
    testing::internal::CaptureStderr();
    Recorder recorder(settings);
    for (const Launch& one : launches)
      if (recorder.looks_at(one.symbol.c_str())) recorder.launch(one, memory_);
    recorder.finish();
    return testing::internal::GetCapturedStderr();
  }
  Settings settings() const {
    Settings out;
    out.folder = folder_.string();
    return out;
  }
  std::vector<CapturedLaunch> packed(const std::vector<KernelParameters>& known = {}) {
    packed_ = value_or_throw(pack_captures(folder_, target_, known));
    return value_or_throw(CaptureFile::open(target_)).launches();
  }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("inject-test"));
  fs::path folder_ = scratch_.path() / "caught", target_ = scratch_.path() / "c.h5";
  std::vector<double> block_ = std::vector<double>(10, 1.5);
  FakeMemory memory_ = FakeMemory(block_);
  PackedCaptures packed_;
};

TEST_F(InjectedRecorder, EqualLaunchesAreCountedAndFloatsDoNotMatter) {
  EXPECT_EQ(run(settings(), {scale(8, 0.5F), scale(8, 0.75F), scale(7, 0.5F), scale(8, 1)}), "");
  const std::vector<CapturedLaunch> launches = packed();
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].weight, 3);
  EXPECT_EQ(launches[1].weight, 1);
  EXPECT_EQ(launches[0].kernel, "scale");
  EXPECT_EQ(launches[0].backend, "cuda");
  EXPECT_EQ(launches[0].grid, "4,1,1");
  const std::vector<CapturedArgument>& arguments = launches[0].arguments;
  EXPECT_EQ(arguments[0].type + " " + arguments[0].value, "int32_t 8");
  EXPECT_EQ(arguments[1].type + " " + arguments[1].value, "float 0.5");
  EXPECT_EQ(arguments[2].type + " " + arguments[2].role, "double in");
  EXPECT_EQ(arguments[2].count, 10);
  EXPECT_EQ(arguments[3].type + " " + arguments[3].role, "double inout");
  EXPECT_EQ(arguments[3].count, 8) << "from the pointer to the allocation's end";
  EXPECT_EQ(arguments[3].name, "arg3");
  ASSERT_EQ(packed_.notes.size(), 1u);
  EXPECT_THAT(packed_.notes[0], HasSubstr("nothing names the arguments of scale"));
}

TEST_F(InjectedRecorder, TheSourceNamesAndTypesWhatTheSymbolDoesNot) {
  const std::vector<KernelParameters> known = parameters_in_source(
      "typedef float real;\n"
      "extern \"C\" __global__ void scale(int n, real a, const double* __restrict__ x, double *y) { y[0] = "
      "0; }");
  run(settings(), {scale(8, 0.5F, "scale"), scale(8, 0.75F, "scale"), scale(7, 0.5F, "scale")});
  EXPECT_EQ(packed().size(), 3u) << "four bytes may be a size";
  const std::vector<CapturedLaunch> launches = packed(known);
  ASSERT_EQ(launches.size(), 2u) << "now they are known not to be";
  EXPECT_THAT(packed_.notes, IsEmpty());
  const CapturedSpec made = value_or_throw(spec_of_captures(launches));
  EXPECT_EQ(made.spec["params"][0]["name"], "n");
  EXPECT_EQ(made.spec["params"][1]["type"], "float");
  EXPECT_EQ(made.spec["params"][2]["type"], "const double*");
  EXPECT_EQ(made.spec["params"][3]["role"], "inout");
  EXPECT_EQ(made.spec["cases"][0]["weight"], 2);
  EXPECT_EQ(made.spec["cases"][1]["sizes"]["n"], 7);
}

TEST_F(InjectedRecorder, TheSpecSaysHowMuchOfABufferIsUsed) {
  MepSpec spec;
  spec.entry = "scale";
  spec.params.resize(4);
  const char* const names[] = {"n", "a", "x", "y"};
  const char* const types[] = {"int", "float", "const double*", "double*"};
  for (std::size_t i = 0; i < 4; ++i) {
    spec.params[i].name = names[i];
    spec.params[i].type = types[i];
    (i < 2 ? spec.params[i].value.emplace() : spec.params[i].count) = "n";
  }
  spec.params[3].role = Role::out;
  run(settings(), {scale(4, 0.5F)});
  const std::vector<CapturedLaunch> launches = packed(parameters_in_spec(spec));
  EXPECT_EQ(launches[0].arguments[2].name, "x");
  EXPECT_EQ(launches[0].arguments[2].count, 4);
  EXPECT_EQ(launches[0].arguments[2].length, 32);
  EXPECT_EQ(launches[0].arguments[3].role, "out");
  EXPECT_TRUE(launches[0].arguments[3].sha.empty());
}

TEST_F(InjectedRecorder, OtherParametersThanTheLaunchHadNameNothing) {
  run(settings(), {scale(4, 0.5F)});
  packed(parameters_in_source("__global__ void scale(int n, double* y) { y[n] = 0; }"));
  ASSERT_EQ(packed_.notes.size(), 1u);
  EXPECT_THAT(packed_.notes[0], HasSubstr("with 4 arguments, but scale has 2 parameters"));
}

TEST_F(InjectedRecorder, TwoKernelsOfOneNameStayApart) {
  run(settings(), {scale(4, 0.5F), scale(4, 0.5F, "_ZN5other5scaleEifPKdPd")});
  const std::vector<CapturedLaunch> launches = packed();
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_THAT((std::vector<std::string>{launches[0].kernel, launches[1].kernel}),
              testing::UnorderedElementsAre("scale", "scale_2"));
}

TEST_F(InjectedRecorder, SelectsSkipsAndTakesEveryNth) {
  Settings chosen = settings();
  chosen.patterns = "sc*";
  chosen.skip = 1;
  chosen.every = 2;
  std::vector<Launch> launches = {scale(1, 0, "other")};
  for (int n = 1; n <= 6; ++n) launches.push_back(scale(n, 0));
  run(chosen, launches);
  std::vector<std::string> sizes;
  for (const CapturedLaunch& one : packed()) sizes.push_back(one.arguments[0].value);
  EXPECT_THAT(sizes, ElementsAre("2", "4", "6"));
}

TEST_F(InjectedRecorder, LimitsAreKeptAndSaidOnce) {
  Settings few = settings();
  few.shapes = 1;
  const std::string said = run(few, {scale(1, 0), scale(2, 0), scale(3, 0), scale(1, 0)});
  EXPECT_THAT(said, HasSubstr("scale has more shapes than NOCTUNE_CAPTURE_SHAPES=1\n"
                              "noctune capture: 2 launches of scale were not kept"));
  const std::vector<CapturedLaunch> launches = packed();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].weight, 2);
}

TEST_F(InjectedRecorder, BytesAreLimitedPerLaunchAndInAll) {
  Settings small = settings();
  small.launch_bytes = 143;  // 80 + 64 are needed
  EXPECT_THAT(run(small, {scale(1, 0)}), HasSubstr("needs 144 bytes, more than NOCTUNE_CAPTURE_LAUNCH_MB"));
  small.launch_bytes = small.all_bytes = 200;
  EXPECT_THAT(run(small, {scale(1, 0), scale(2, 0)}), HasSubstr("more than NOCTUNE_CAPTURE_MB has left"));
  EXPECT_EQ(packed().size(), 1u);
}

TEST_F(InjectedRecorder, WhatCannotBeCopiedIsSaidAndLeavesNothing) {
  memory_.problem = "the device is gone";
  const std::string said = run(settings(), {scale(1, 0), scale(1, 0)});
  EXPECT_THAT(said, HasSubstr("a launch of scale is not kept: the device is gone"));
  EXPECT_THAT(said, HasSubstr("2 launches of scale were not kept"));
  EXPECT_THAT(said, HasSubstr("nothing was captured"));
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(InjectedRecorder, OtherThreadsLaunchWhileOneWaitsForTheDevice) {
  Recorder recorder(settings());
  memory_.before_fetch = [&] {
    memory_.before_fetch = nullptr;
    std::thread([&] { recorder.launch(scale(2, 0), memory_); }).join();
  };
  recorder.launch(scale(1, 0), memory_);
  recorder.finish();
  EXPECT_EQ(packed().size(), 2u);
}

struct View {
  double* data;
  int rows, columns;
};

TEST_F(InjectedRecorder, StructsAndPointersThatLeadNowhere) {
  Launch launch;
  launch.symbol = "_Z4walk4ViewPfS0_PS_m";  // View, float*, float*, View*, unsigned long
  pass(launch, View{block_.data(), 2, 5});
  pass(launch, static_cast<float*>(nullptr));
  pass(launch, std::uint64_t(16));
  pass(launch, block_.data());
  pass(launch, block_.data());  // a number that looks like an address
  const std::string said = run(settings(), {launch});
  EXPECT_THAT(said, HasSubstr("argument 1 of walk is a struct with device pointers"));
  EXPECT_THAT(said, HasSubstr("argument 3 of walk points to no memory that CUDA knows"));
  const std::vector<CapturedArgument> arguments = packed()[0].arguments;
  EXPECT_EQ(arguments[0].type, "bytes:16");
  EXPECT_EQ(arguments[1].type + " " + arguments[1].role, "float inout");
  EXPECT_EQ(arguments[1].count, 0);
  EXPECT_EQ(arguments[2].count, 0);
  EXPECT_EQ(arguments[3].type, "bytes:1");
  EXPECT_EQ(arguments[3].count, 80);
  EXPECT_EQ(arguments[4].type, "uint64_t");
}

}  // namespace
}  // namespace noctune
