// The contents that a real driver makes: every family once, as inputs that an entry leaves alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "mep/driver_fixture.hpp"

namespace noctune::testing {
namespace {

const char* const spec_text = R"({
  "entry": "look",
  "sizes": {"n": 60},
  "data": {
    "A": {"gen": "csr", "rows": "n", "cols": "n", "nnz_min": 1, "nnz_max": 9, "values": "dominant"},
    "M": {"gen": "matrix", "rows": "n", "kind": "spd", "cond": 5},
    "D": {"gen": "matrix", "rows": "n", "kind": "distances"},
    "md": {"gen": "particles", "cells": 5, "types": 2, "pack": "xyz+type"},
    "nl": {"gen": "neighbours", "of": "md", "cutoff": 1.2},
    "g": {"gen": "graph", "nodes": "n", "degree_min": 2, "degree_max": 6, "edges": "undirected"},
    "h": {"gen": "mesh", "nx": 3},
    "k": {"gen": "keys", "n": "n", "kind": "sorted_unique"},
    "tab": {"gen": "code", "parts": {"rho": {"type": "float2", "count": "n"}, "ends": {"type": "int", "count": 2}}},
    "rec": {"gen": "file", "parts": {"x": {"type": "float", "file": "FOLDER/x.{n}.bin", "count": "n"},
                                     "all": {"type": "double", "file": "FOLDER/all.bin"}}}
  },
  "params": [
    {"name": "row_ptr", "type": "int*", "count": "A.rows+1", "role": "inout", "init": "A.row_ptr"},
    {"name": "col", "type": "short*", "count": "A.nnz", "role": "inout", "init": "A.col"},
    {"name": "ell", "type": "int*", "count": "A.ell_col.count", "role": "inout", "init": "A.ell_col"},
    {"name": "val", "type": "double*", "count": "A.nnz", "role": "inout", "init": "A.val"},
    {"name": "m", "type": "float*", "count": "M.values.count", "role": "inout", "init": "M"},
    {"name": "d", "type": "unsigned*", "count": "n*n", "role": "inout", "init": "D"},
    {"name": "pack", "type": "float4*", "count": "md.n", "role": "inout", "init": "md.pack"},
    {"name": "count", "type": "int*", "count": "md.n", "role": "inout", "init": "nl.count"},
    {"name": "neigh", "type": "int*", "count": "md.n*nl.max", "role": "inout", "init": "nl.rows"},
    {"name": "turned", "type": "int*", "count": "md.n*nl.max", "role": "inout", "init": "nl.columns"},
    {"name": "edges", "type": "int*", "count": "g.edges", "role": "inout", "init": "g.col"},
    {"name": "corners", "type": "int*", "count": "8*h.elements", "role": "inout", "init": "h.nodes"},
    {"name": "across", "type": "int*", "count": "6*h.elements", "role": "inout", "init": "h.neighbours"},
    {"name": "keys", "type": "long*", "count": "n", "role": "inout", "init": "k.keys"},
    {"name": "rho", "type": "float2*", "count": "n", "role": "inout", "init": "tab.rho"},
    {"name": "ends", "type": "int*", "count": "tab.ends.count", "role": "inout", "init": "tab.ends"},
    {"name": "x", "type": "float*", "count": "n", "role": "inout", "init": "rec.x"},
    {"name": "all", "type": "double*", "count": "rec.all.count", "role": "inout", "init": "rec.all"},
    {"name": "bounded", "type": "int*", "count": "n", "role": "inout",
     "init": {"kind": "integers", "low": "n/2", "high": "n-1"}},
    {"name": "chosen", "type": "long*", "count": "n", "role": "inout",
     "init": {"kind": "unique", "low": 10, "high": "10+2*n"}},
    {"name": "runs", "type": "int*", "count": "2*n", "role": "inout",
     "init": {"kind": "permutation", "length": "n"}}
  ],
  "cases": [{"name": "c"}]
})";

const char* const inputs = R"(
extern "C" void look_make_tab(long long n, unsigned long long seed, float2* rho, int* ends) {
  for (long long i = 0; i < n; ++i) rho[i] = {(float)i, (float)(seed % 1000)};
  ends[0] = 7;
  ends[1] = (int)n;
})";

template <class T>
void write_numbers(const std::filesystem::path& file, std::size_t count) {
  std::vector<T> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(static_cast<T>(i) / 4);
  value_or_throw(
      write_file(file, std::string(reinterpret_cast<const char*>(numbers.data()), count * sizeof(T))));
}

class DriverData : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new ScratchFolder(value_or_throw(ScratchFolder::make("noctune-data-test")));
    write_numbers<float>(folder_->path() / "x.60.bin", 60);
    write_numbers<double>(folder_->path() / "all.bin", 11);
    bench_ = new Bench(spec_from(with_folder()), {}, inputs);
    if (!bench_->built()) return;
    std::string list;
    for (const ParamSpec& param : bench_->spec().params)
      list += (list.empty() ? "" : ", ") + param.type + " " + param.name;
    plugin_ = bench_->plugin("extern \"C\" void look(" + list + ") { (void)row_ptr; }\n", "-O0 -fopenmp -w");
  }
  static void TearDownTestSuite() {
    delete bench_;
    delete folder_;
  }
  static std::string with_folder() {
    std::string text = spec_text;
    for (auto at = text.find("FOLDER"); at != std::string::npos; at = text.find("FOLDER"))
      text.replace(at, 6, folder_->path().string());
    return text;
  }
  void SetUp() override { ASSERT_TRUE(bench_->built()) << bench_->compiler_output(); }

  static CheckRun check(std::uint64_t seed = 7) {
    CheckRun run;
    run.resolved = bench_->resolved("c", 3);
    run.seed = seed;
    return run;
  }
  // Bytes by parameter.
  using Blobs = std::map<std::string, std::string>;
  static Blobs made(const CheckRun& run, int threads = 2) {
    const auto outcome = bench_->run(plugin_, std::vector<CheckRun>{run}, threads);
    Blobs blobs;
    if (outcome.report && outcome.report->runs.size() == 1) {
      for (const OutputBlob& blob : outcome.report->runs[0].outputs)
        blobs[bench_->spec().params.at(static_cast<std::size_t>(blob.param)).name] = blob.bytes;
    } else {
      ADD_FAILURE() << (outcome.report ? outcome.report->error : outcome.report.error().text());
    }
    return blobs;
  }
  template <class T>
  static std::vector<T> contents(const Blobs& blobs, const std::string& name) {
    const std::string& bytes = blobs.at(name);
    std::vector<T> out(bytes.size() / sizeof(T));
    bytes.copy(reinterpret_cast<char*>(out.data()), bytes.size());
    return out;
  }

  static ScratchFolder* folder_;
  static Bench* bench_;
  static std::string plugin_;
};
ScratchFolder* DriverData::folder_ = nullptr;
Bench* DriverData::bench_ = nullptr;
std::string DriverData::plugin_;

TEST_F(DriverData, SeedsDecideAndThreadsDoNot) {
  const auto one = made(check());
  ASSERT_EQ(one.size(), bench_->spec().params.size());
  EXPECT_EQ(one, made(check(), 1));
  EXPECT_EQ(one, made(check(), 3));
  const auto other = made(check(8));
  for (const ParamSpec& param : bench_->spec().params) {
    const std::string& part = param.init->part;
    const std::set<std::string> fixed = {"A.row_ptr",    "A.ell_col",  "A.col", "nl.count",
                                         "nl.rows",      "nl.columns", "g.col", "h.nodes",
                                         "h.neighbours", "tab.ends",   "rec.x", "rec.all"};
    const bool structure = fixed.count(part) > 0;
    EXPECT_EQ(one.at(param.name) == other.at(param.name), structure) << param.name;
  }
}

TEST_F(DriverData, NumbersArriveInTheirTypes) {
  const auto blobs = made(check());
  const auto row_ptr = contents<int>(blobs, "row_ptr");
  const auto col = contents<short>(blobs, "col");
  EXPECT_EQ(row_ptr.back(), static_cast<int>(col.size()));
  const auto ell = contents<int>(blobs, "ell");
  for (std::size_t row = 0; row < 60; ++row)
    for (int k = 0; k < row_ptr[row + 1] - row_ptr[row]; ++k)
      EXPECT_EQ(ell[static_cast<std::size_t>(k) * 60 + row], col[static_cast<std::size_t>(row_ptr[row] + k)]);
  const auto m = contents<float>(blobs, "m");
  const auto d = contents<unsigned>(blobs, "d");
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_GT(m[i * 61], 0.2f) << "no diagonal element is below the smallest eigenvalue";
    EXPECT_EQ(d[i * 61], 0u);
    EXPECT_TRUE(d[i * 60 + (i + 1) % 60] >= 1 && d[i * 60 + (i + 1) % 60] <= 100);
  }
}

TEST_F(DriverData, ListsFitTheirParticles) {
  const auto blobs = made(check());
  const auto pack = contents<float>(blobs, "pack");
  const auto count = contents<int>(blobs, "count");
  const auto neigh = contents<int>(blobs, "neigh"), turned = contents<int>(blobs, "turned");
  const std::size_t n = count.size(), max = neigh.size() / n;
  ASSERT_EQ(pack.size(), 4 * n);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_TRUE(pack[4 * i] >= 0 && pack[4 * i] < 5);
    EXPECT_TRUE(pack[4 * i + 3] == 0 || pack[4 * i + 3] == 1);
    std::set<int> row;
    for (std::size_t k = 0; k < max; ++k) {
      EXPECT_EQ(neigh[i * max + k], turned[k * n + i]);
      if (static_cast<int>(k) < count[i]) row.insert(neigh[i * max + k]);
    }
    for (std::size_t j = 0; j < n; ++j) {
      double squared = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double apart = std::abs(pack[4 * i + axis] - pack[4 * j + axis]);
        apart = std::min(apart, 5 - apart);
        squared += apart * apart;
      }
      EXPECT_TRUE(i == j || squared > 1.44 || row.count(static_cast<int>(j))) << i << " " << j;
    }
  }
}

TEST_F(DriverData, TakesContentsFromOutside) {
  const auto blobs = made(check());
  const auto rho = contents<float>(blobs, "rho"), x = contents<float>(blobs, "x");
  const auto all = contents<double>(blobs, "all");
  ASSERT_EQ(rho.size(), 120u);
  ASSERT_EQ(all.size(), 11u);
  EXPECT_EQ(contents<int>(blobs, "ends"), (std::vector<int>{7, 60}));
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(rho[2 * i], static_cast<float>(i));
    EXPECT_EQ(x[i], static_cast<float>(i) / 4);
  }
  EXPECT_EQ(all[10], 2.5);
}

TEST_F(DriverData, WidensWhatIsTakenFromOutside) {
  CheckRun run = check();
  run.mutation = Mutation::widened;
  const auto blobs = made(run);
  const auto x = contents<double>(blobs, "x"), rho = contents<double>(blobs, "rho");
  ASSERT_EQ(x.size(), 60u);
  EXPECT_EQ(x[59], 14.75);
  EXPECT_EQ(rho[118], 59);
}

TEST_F(DriverData, LabelsAreNotNudged) {
  const auto normal = contents<float>(made(check()), "pack");
  CheckRun run = check();
  run.variant = InputVariant::nudged;
  const auto nudged = contents<float>(made(run), "pack");
  std::size_t moved = 0;
  for (std::size_t i = 0; i < normal.size(); ++i) {
    EXPECT_TRUE(i % 4 != 3 || nudged[i] == normal[i]);
    moved += nudged[i] != normal[i];
  }
  EXPECT_EQ(moved, normal.size() / 4 * 3);
}

TEST_F(DriverData, FilesThatShrankAreRefused) {
  const CheckRun run = check();
  write_numbers<double>(folder_->path() / "all.bin", 3);
  const auto outcome = bench_->run(plugin_, std::vector<CheckRun>{run});
  write_numbers<double>(folder_->path() / "all.bin", 11);
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.report->error,
              ::testing::HasSubstr("holds 24 bytes, fewer than the 88 that all needs"));
}

TEST_F(DriverData, GeneratorsMustKeepTheirParametersAndTheirBounds) {
  const MepSpec spec = spec_from(R"({"entry": "f", "sizes": {"n": 8},
    "data": {"t": {"gen": "code", "parts": {"x": {"type": "double", "count": "n"}}}},
    "params": [{"name": "x", "type": "double*", "count": "n", "role": "inout", "init": "t.x"}],
    "cases": [{"name": "c"}]})");
  const Bench wrong(spec, {}, "extern \"C\" void f_make_t(int n, unsigned long long seed, double* x) {}");
  EXPECT_FALSE(wrong.built());
  EXPECT_THAT(wrong.compiler_output(), ::testing::HasSubstr("conflicting declaration"));
  Bench wide(spec, {},
             "extern \"C\" void f_make_t(long long n, unsigned long long, double* x) { x[n] = 1; }");
  ASSERT_TRUE(wide.built()) << wide.compiler_output();
  CheckRun run;
  run.resolved = wide.resolved("c", 1);
  const auto outcome = wide.run(wide.plugin("extern \"C\" void f(double*) {}"), std::vector<CheckRun>{run});
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_THAT(outcome.report->error, ::testing::HasSubstr("inputs.cpp writes outside of the part x"));
}

TEST_F(DriverData, RangesAndRunsHold) {
  const auto blobs = made(check());
  for (const int one : contents<int>(blobs, "bounded")) EXPECT_TRUE(one >= 30 && one <= 59);
  auto chosen = contents<long>(blobs, "chosen");
  std::sort(chosen.begin(), chosen.end());
  EXPECT_EQ(std::unique(chosen.begin(), chosen.end()), chosen.end());
  EXPECT_TRUE(chosen.front() >= 10 && chosen.back() <= 130);
  const auto runs = contents<int>(blobs, "runs");
  std::vector<int> first(runs.begin(), runs.begin() + 60), second(runs.begin() + 60, runs.end());
  EXPECT_NE(first, second);
  for (auto* run : {&first, &second}) {
    std::sort(run->begin(), run->end());
    for (int i = 0; i < 60; ++i) EXPECT_EQ((*run)[static_cast<std::size_t>(i)], i);
  }
}

TEST_F(DriverData, VariantsKeepTheStructure) {
  const auto normal = made(check());
  for (const InputVariant variant : {InputVariant::nudged, InputVariant::reseeded, InputVariant::sign_mixed,
                                     InputVariant::small_integers}) {
    CheckRun run = check();
    run.variant = variant;
    const auto blobs = made(run);
    EXPECT_EQ(contents<short>(blobs, "col"), contents<short>(normal, "col")) << to_text(variant);
    const auto row_ptr = contents<int>(blobs, "row_ptr");
    const auto col = contents<short>(blobs, "col");
    const auto val = contents<double>(blobs, "val");
    for (std::size_t row = 0; row < 60; ++row) {
      double diagonal = 0, rest = 0;
      for (int e = row_ptr[row]; e < row_ptr[row + 1]; ++e) {
        const auto at = static_cast<std::size_t>(e);
        (static_cast<std::size_t>(col[at]) == row ? diagonal : rest) += std::abs(val[at]);
      }
      EXPECT_GT(diagonal, rest) << to_text(variant);
    }
    const auto d = contents<unsigned>(blobs, "d");
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(d[i * 61], 0u);
    const auto bounded = contents<int>(blobs, "bounded");
    EXPECT_GE(*std::min_element(bounded.begin(), bounded.end()), 30);
  }
}

}  // namespace
}  // namespace noctune::testing
