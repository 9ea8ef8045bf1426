// The contents that a real driver makes: every family once, as inputs that an entry leaves alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mep/driver_fixture.hpp"

namespace noctune::testing {
namespace {

const char* const spec_text = R"({
  "entry": "look",
  "sizes": {"n": 60},
  "data": {
    "A": {"gen": "csr", "rows": "n", "cols": "n", "nnz_min": 1, "nnz_max": 9, "values": "dominant"},
    "M": {"gen": "matrix", "rows": "n", "kind": "spd", "cond": 5},
    "D": {"gen": "matrix", "rows": "n", "kind": "distances"}
  },
  "params": [
    {"name": "row_ptr", "type": "int*", "count": "A.rows+1", "role": "inout", "init": "A.row_ptr"},
    {"name": "col", "type": "short*", "count": "A.nnz", "role": "inout", "init": "A.col"},
    {"name": "val", "type": "double*", "count": "A.nnz", "role": "inout", "init": "A.val"},
    {"name": "m", "type": "float*", "count": "M.values.count", "role": "inout", "init": "M"},
    {"name": "d", "type": "unsigned*", "count": "n*n", "role": "inout", "init": "D"},
    {"name": "bounded", "type": "int*", "count": "n", "role": "inout",
     "init": {"kind": "integers", "low": "n/2", "high": "n-1"}},
    {"name": "chosen", "type": "long*", "count": "n", "role": "inout",
     "init": {"kind": "unique", "low": 10, "high": "10+2*n"}},
    {"name": "runs", "type": "int*", "count": "2*n", "role": "inout",
     "init": {"kind": "permutation", "length": "n"}}
  ],
  "cases": [{"name": "c"}]
})";

class DriverData : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    bench_ = new Bench(spec_from(spec_text));
    if (!bench_->built()) return;
    std::string list;
    for (const ParamSpec& param : bench_->spec().params)
      list += (list.empty() ? "" : ", ") + param.type + " " + param.name;
    plugin_ = bench_->plugin("extern \"C\" void look(" + list + ") { (void)row_ptr; }\n", "-O0 -fopenmp -w");
  }
  static void TearDownTestSuite() { delete bench_; }
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

  static Bench* bench_;
  static std::string plugin_;
};
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
    const bool structure = part == "A.row_ptr" || part == "A.col";
    EXPECT_EQ(one.at(param.name) == other.at(param.name), structure) << param.name;
  }
}

TEST_F(DriverData, NumbersArriveInTheirTypes) {
  const auto blobs = made(check());
  const auto row_ptr = contents<int>(blobs, "row_ptr");
  const auto col = contents<short>(blobs, "col");
  EXPECT_EQ(row_ptr.back(), static_cast<int>(col.size()));
  const auto m = contents<float>(blobs, "m");
  const auto d = contents<unsigned>(blobs, "d");
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_GT(m[i * 61], 0.2f) << "no diagonal element is below the smallest eigenvalue";
    EXPECT_EQ(d[i * 61], 0u);
    EXPECT_TRUE(d[i * 60 + (i + 1) % 60] >= 1 && d[i * 60 + (i + 1) % 60] <= 100);
  }
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
