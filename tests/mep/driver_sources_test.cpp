#include "mep/driver_sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numeric>

#include "mep/driver_fixture.hpp"
#include "places.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

const char* const all_types = R"({
  "entry": "all",
  "sizes": {"n": {"default": 300}, "rows": {"default": 50}},
  "data": {"A": {"gen": "csr", "rows": "rows", "cols": "rows*2", "nnz_min": 0, "nnz_max": 7}},
  "params": [
    {"name": "n", "type": "std::size_t", "value": "n"},
    {"name": "s", "type": "real", "value": -0.1},
    {"name": "big", "type": "std::uint64_t", "value": 9007199254740991},
    {"name": "minus", "type": "signed char", "value": "0-7"},
    {"name": "flag", "type": "bool", "value": 1},
    {"name": "d", "type": "double*", "count": "n", "role": "inout", "init": {"kind": "normal", "mean": 10, "sd": 2}},
    {"name": "f", "type": "real*", "count": "n", "role": "inout", "init": {"kind": "sorted", "low": 0, "high": 5}},
    {"name": "i", "type": "int*", "count": "n", "role": "inout", "init": "permutation"},
    {"name": "u", "type": "unsigned char*", "count": "n", "role": "inout"},
    {"name": "l", "type": "long*", "count": "n", "role": "inout", "init": {"kind": "integers", "low": -5, "high": 5}},
    {"name": "z", "type": "std::complex<float>*", "count": "n", "role": "inout"},
    {"name": "k", "type": "short*", "count": "n", "role": "inout", "init": {"kind": "index", "value": 3, "step": 2}},
    {"name": "o", "type": "double*", "count": "n", "role": "inout", "init": 2.5},
    {"name": "q", "type": "int*", "count": "n", "role": "inout", "init": {"kind": "sorted", "low": 0, "high": 9}},
    {"name": "b", "type": "bool*", "count": "n", "role": "inout"},
    {"name": "p", "type": "long long*", "count": "A.rows+1", "role": "inout", "init": "A.row_ptr"},
    {"name": "c", "type": "unsigned*", "count": "A.nnz", "role": "inout", "init": "A.col"},
    {"name": "v", "type": "float*", "count": "A.nnz", "role": "inout", "init": "A.val"},
    {"name": "r", "type": "double*", "count": 5, "role": "out"},
    {"name": "none", "type": "double*", "count": 0, "role": "out"}
  ],
  "defines": {"real": "float"},
  "setup": true, "scratch": true,
  "cases": [{"name": "c"}]
})";

const char* const all_source = R"(
static int setups = 0;
extern "C" void all_setup(std::size_t, real, std::uint64_t, signed char, bool, double*, real*, int*, unsigned char*, long*,
    std::complex<float>*, short*, double*, int*, bool*, long long*, unsigned*, float*, double*, double*, void*) { ++setups; }
extern "C" std::size_t all_scratch_bytes(std::size_t n, real, std::uint64_t, signed char, bool) { return 3 * n + 1; }
extern "C" void all(std::size_t n, real s, std::uint64_t big, signed char minus, bool flag, double*, real*, int*, unsigned char*, long*,
    std::complex<float>*, short*, double*, int*, bool*, long long*, unsigned*, float*, double* r, double*, void* scratch) {
  for (std::size_t i = 0; i < 3 * n + 1; ++i) static_cast<char*>(scratch)[i] = 1;
  r[0] = s; r[1] = (double)big; r[2] = minus; r[3] = flag; r[4] = setups;
})";

TEST(DriverSources, EveryTypeAndKindArrives) {
  Bench bench(spec_from(all_types));
  ASSERT_TRUE(bench.built()) << bench.compiler_output();
  CheckRun run;
  run.resolved = bench.resolved("c", 11);
  run.seed = 12;
  const auto outcome = bench.run(bench.plugin(all_source), std::vector<CheckRun>{run});
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  ASSERT_TRUE(outcome.report->ended) << outcome.report->error;
  const CheckRunReport& got = outcome.report->runs[0];
  EXPECT_TRUE(got.guards_ok) << got.guard_message;
  const auto find = [&](int param) {
    return *std::find_if(got.outputs.begin(), got.outputs.end(),
                         [&](const OutputBlob& o) { return o.param == param; });
  };
  const auto d = elements<double>(find(5));
  EXPECT_NEAR(std::accumulate(d.begin(), d.end(), 0.0) / 300, 10, 0.6);
  const auto f = elements<float>(find(6));
  EXPECT_TRUE(std::is_sorted(f.begin(), f.end()));
  EXPECT_GE(f.front(), 0);
  EXPECT_LE(f.back(), 5);
  auto i = elements<int>(find(7));
  EXPECT_FALSE(std::is_sorted(i.begin(), i.end()));
  std::sort(i.begin(), i.end());
  for (int at = 0; at < 300; ++at) EXPECT_EQ(i[static_cast<std::size_t>(at)], at);
  const auto u = elements<unsigned char>(find(8));
  EXPECT_GT(*std::max_element(u.begin(), u.end()), 230);
  const auto l = elements<long>(find(9));
  EXPECT_EQ(*std::min_element(l.begin(), l.end()), -5);
  EXPECT_EQ(*std::max_element(l.begin(), l.end()), 5);
  const auto z = elements<std::complex<float>>(find(10));
  EXPECT_NE(z[0].real(), z[0].imag());
  EXPECT_EQ(elements<short>(find(11))[10], 23);
  EXPECT_EQ(elements<double>(find(12))[299], 2.5);
  const auto q = elements<int>(find(13));
  EXPECT_TRUE(std::is_sorted(q.begin(), q.end()));
  EXPECT_EQ(q.front(), 0);
  EXPECT_EQ(q.back(), 9);
  for (const char b : elements<char>(find(14))) EXPECT_TRUE(b == 0 || b == 1);

  const auto p = elements<long long>(find(15));
  const auto c = elements<unsigned>(find(16));
  EXPECT_EQ(p.front(), 0);
  EXPECT_EQ(p.back(), static_cast<long long>(c.size()));
  for (std::size_t row = 0; row < 50; ++row) {
    EXPECT_LE(p[row], p[row + 1]);
    for (long long at = p[row]; at < p[row + 1]; ++at) {
      EXPECT_LT(c[static_cast<std::size_t>(at)], 100u);
      if (at == p[row]) continue;
      EXPECT_LT(c[static_cast<std::size_t>(at) - 1], c[static_cast<std::size_t>(at)]);
    }
  }
  for (const float value : elements<float>(find(17))) EXPECT_LE(std::abs(value), 1);
  EXPECT_EQ(elements<double>(find(18)), (std::vector<double>{-0.1f, 9007199254740991.0, -7, 1, 1}));
  EXPECT_EQ(find(19).bytes.size(), 0u);
}

MepSpec tiny() {
  return spec_from(R"({"entry": "f", "sizes": {"n": 4}, "params": [
    {"name": "n", "type": "int", "value": "n"}, {"name": "x", "type": "T*", "count": "n", "role": "inout"}],
    "defines": {"T": "double"}, "cases": [{"name": "c"}]})");
}

TEST(DriverSources, GeneratesAPrototype) {
  const std::string text = context_header(tiny());
  EXPECT_THAT(text, HasSubstr("#define T double"));
  EXPECT_THAT(text, HasSubstr("extern \"C\" void f(int n, T* x);"));
  const std::string own = context_header(tiny(), "extern \"C\" void f(int, double*);");
  EXPECT_THAT(own, HasSubstr("#define T double"));
  EXPECT_EQ(own.find("T* x"), std::string::npos);
}

// What the compiler says of the glue alone; empty = it compiles.
std::string glue_errors(const std::string& context) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-glue-test"));
  for (const auto& [name, text] : driver_sources(tiny(), context))
    value_or_throw(write_file(folder.path() / name, text));
  std::string output;
  const int code = shell(
      "cd " + folder.path().string() + " && g++ -std=c++17 -Wall -Wextra -fsyntax-only glue.cpp", output);
  EXPECT_EQ(code == 0, output.empty()) << output;
  return output;
}

TEST(DriverSources, MacrosOfTheContextDoNoHarm) {
  EXPECT_EQ(
      glue_errors("#define slots 7\n#define N 3\n#define Report int\n#define entry 1\n#define size int\n"
                  "extern \"C\" void f(int, double*);\n"),
      "");
}

TEST(DriverSources, TheGeneratedContextCompiles) {
  EXPECT_EQ(glue_errors(""), "");
}

TEST(DriverSources, AContextThatDisagreesDoesNotCompile) {
  EXPECT_THAT(glue_errors("extern \"C\" void f(long, double*);\n"),
              HasSubstr("differ on the prototype of f"));
  EXPECT_THAT(glue_errors("extern \"C\" void g(int, double*);\n"), HasSubstr("f"));
  EXPECT_THAT(glue_errors("#undef T\ntypedef float T;\nextern \"C\" void f(int, float*);\n"),
              HasSubstr("the spec takes x for f64"));
}

TEST(DriverSources, TheRuntimeIsEmbeddedAsItIs) {
  const auto files = driver_sources(tiny());
  for (const char* name : {"driver.cpp", "main.cpp", "random.hpp", "wire.hpp"}) {
    const auto source = read_file(std::filesystem::path(NOCTUNE_SOURCE_DIR) / "src/mep/runtime" / name);
    ASSERT_TRUE(source) << source.error().text();
    EXPECT_EQ(files.at(name), *source) << name;
  }
}

}  // namespace
}  // namespace noctune::testing
