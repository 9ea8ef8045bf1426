#include "mep/entry_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mep/entry_expression.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(EntryExpression, BecomesWholeNumberArithmetic) {
  const EntryNames names = {{"n", "n"}, {"cells", "dom.nx"}};
  const auto text = [&](const std::string& expression) {
    const Result<std::string> out = entry_expression(expression, names);
    return out ? *out : out.error().text();
  };
  EXPECT_EQ(text("n"), "n");
  EXPECT_EQ(text("ceil(n/256)"), "((n + 256 - 1) / 256)");
  EXPECT_EQ(text("floor(cells*2/3) + 1"), "(((dom.nx * 2) / 3) + 1)");
  EXPECT_EQ(text("(n + 255) / 256"), "((n + 255) / 256)");
  EXPECT_EQ(text("max(n, 4) - -n % 2"), "((n > 4 ? n : 4) - ((-n) % 2))");
  EXPECT_EQ(text("floor(log2(n))"),
            "static_cast<long long>(__builtin_floor(__builtin_log2(static_cast<double>(n))))");
  EXPECT_EQ(text("0.5*n"), "static_cast<long long>((0.5 * n))");
  EXPECT_THAT(text("ceil(n/2 + 1)"), HasSubstr("write ceil(a/b) alone"));
  EXPECT_THAT(text("m"), AllOf(HasSubstr("cannot know \"m\""), HasSubstr("\"value\": \"m\"")));
  EXPECT_THAT(text("n +"), HasSubstr("it ends"));
  EXPECT_THAT(text("pow(n, 2)"), HasSubstr("no function pow"));
  EXPECT_THAT(text(std::string(1000, '(')), HasSubstr("nested too deeply"));
}

MepSpec read(const std::string& text) {
  return read_mep_spec(value_or_throw(parse_json(text, "x.mep.json")));
}

const std::string head =
    R"({"entry": "run", "sizes": {"n": {"default": 100, "scale": true}, "w": 32, "big": {"default": 8, "scale": true}},
  "params": [{"name": "m", "type": "int", "value": "n"}, {"name": "dom", "type": "Dom", "fields": {"nx": "big"}},
             {"name": "a", "type": "float*", "count": "n", "role": "inout"},
             {"name": "b", "type": "float* __restrict__", "count": "n", "role": "scratch"},
             {"name": "c", "type": "const float*", "count": "n", "role": "in"},
             {"name": "flag", "type": "int*", "count": 1, "role": "scratch"}], )";

std::string made(const std::string& steps, const std::string& backend = "openmp",
                 const std::string& rest = "") {
  MepSpec spec = read(head + "\"sequence\": [" + steps + "]" + rest + "}");
  spec.backend = backend;
  const Result<std::string> out = entry_source(spec);
  return out ? *out : out.error().text();
}

TEST(EntrySource, LoopsAndCalls) {
  const std::string text = made(R"json({"for": "k", "from": 0, "to": "n", "do": [
      {"launch": "f", "grid": ["ceil(n/w)"], "block": ["w"], "args": ["a + k*n", "k", "big", "(float)w", "dom.nx", 1.5]}]},
    {"for": "j", "from": "n-1", "to": "-1", "step": -2, "do": [{"launch": "g", "args": ["j"]}]},
    {"for": "s", "from": 1, "to": "big", "step": "*2", "do": [{"launch": "h", "args": ["s"]}]},
    {"for": "t", "from": "n/2", "to": 0, "step": "/2", "do": [{"launch": "h", "args": ["t"]}]})json");
  EXPECT_THAT(text, HasSubstr("extern \"C\" void run(int m, Dom dom, float* a, float* __restrict__ b, "));
  EXPECT_THAT(
      text, HasSubstr("for (int k = 0; k < m; ++k) {\n    f(a + k*m, k, dom.nx, (float)32, dom.nx, 1.5);\n"));
  EXPECT_THAT(text, HasSubstr("for (int j = (m - 1); j > (-1); j -= 2) {"));
  EXPECT_THAT(text, HasSubstr("for (int s = 1; s < dom.nx; s *= 2) {"));
  EXPECT_THAT(text, HasSubstr("for (int t = (m / 2); t > 0; t /= 2) {"));
}

TEST(EntrySource, LaunchesOnTheStream) {
  const std::string step =
      R"json({"launch": "f", "grid": ["ceil(n/256)", 2], "block": 256, "shared": "4*w", "args": ["a"]})json";
  EXPECT_THAT(
      made(step, "cuda"),
      AllOf(HasSubstr("int* flag, mep_stream_t stream) {"),
            HasSubstr("f<<<dim3(static_cast<unsigned>(((m + 256 - 1) / 256)), static_cast<unsigned>(2)), "
                      "dim3(static_cast<unsigned>(256)), (4 * 32), stream>>>(a);")));
  EXPECT_THAT(made(R"({"launch": "f", "args": ["a"]})", "hip"), HasSubstr("no grid or no block"));
  EXPECT_THAT(made(step, "openmp", R"(, "template": ["float", 256])"), HasSubstr("  f<float, 256>(a);"));
  EXPECT_THAT(made(R"({"launch": "g<int>", "args": []})", "openmp", R"(, "template": ["float"])"),
              HasSubstr("  g<int>();"));
}

TEST(EntrySource, RepeatsUntilAFlagIsZero) {
  const std::string step =
      R"({"while": "flag", "do": [{"zero": "flag"}, {"launch": "f", "grid": 1, "block": 1, "args": ["flag"]}]})";
  EXPECT_THAT(made(step), AllOf(HasSubstr("do {\n"), HasSubstr("__builtin_memset(flag, 0, "),
                                HasSubstr("} while (flag[0] != 0);")));
  EXPECT_THAT(
      made(step, "cuda"),
      AllOf(HasSubstr("int noctune_flag_flag;"), HasSubstr("cudaMemsetAsync(flag, 0, "),
            HasSubstr("cudaMemcpyAsync(&noctune_flag_flag, flag, sizeof(noctune_flag_flag), "
                      "cudaMemcpyDeviceToHost, stream);"),
            HasSubstr("cudaStreamSynchronize(stream);"), HasSubstr("} while (noctune_flag_flag != 0);")));
}

TEST(EntrySource, BringsResultsBackAfterSwaps) {
  const std::string text = made(R"({"swap": ["a", "b"]})");
  EXPECT_THAT(text, HasSubstr("const auto noctune_given_a = a;"));
  EXPECT_THAT(text, HasSubstr("if (a != noctune_given_a) {\n    __builtin_memcpy(noctune_given_a, a, "
                              "static_cast<std::size_t>(static_cast<long long>(m)) * sizeof(*a));"));
  EXPECT_THAT(made(R"({"swap": ["a", "c"]})"), HasSubstr("may not be written"));
  EXPECT_THAT(made(R"({"swap": ["a", "flag"]})"), HasSubstr("different types"));
  EXPECT_THAT(made(R"({"swap": ["a", "m"]})"), HasSubstr("no buffer"));
}

TEST(EntrySource, CopiesAndRefuses) {
  EXPECT_THAT(made(R"({"copy": ["b", "c"], "count": "n"})", "hip"),
              AllOf(HasSubstr("hipMemcpyAsync(b, c, "), HasSubstr("hipMemcpyDeviceToDevice, stream);")));
  EXPECT_THAT(made(R"({"copy": ["c", "b"]})"), HasSubstr("may not be written"));
  EXPECT_THAT(made(R"({"copy": ["flag", "c"]})"), HasSubstr("different types"));
  EXPECT_THAT(made(R"({"launch": "run", "args": []})"), HasSubstr("run_entry"));
  EXPECT_THAT(made(R"({"for": "k", "from": 0, "to": "n*n*q", "do": [{"zero": "a"}]})", "openmp",
                   R"(, "defines": {"q": 2})"),
              HasSubstr("k < ((m * m) * q)"));
}

const std::string with_symbols = R"(, "globals": [{"symbol": "alpha", "type": "double", "value": 2},
  {"symbol": "coef", "type": "float", "count": 16}, {"symbol": "next", "type": "int*", "count": "n", "role": "in"}])";

TEST(EntrySource, SetsSymbolsUp) {
  const std::string step = R"({"launch": "f", "grid": 1, "block": 1, "args": ["a"]})";
  const std::string text = made(step, "openmp", with_symbols);
  EXPECT_THAT(text, HasSubstr("extern \"C\" void run_setup(int m, Dom dom, "));
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("  ::alpha = alpha;"), HasSubstr("  ::next = next;"),
            HasSubstr("__builtin_memcpy(&::coef, coef, static_cast<std::size_t>(16) * sizeof(*coef));")));
  EXPECT_THAT(made(step, "cuda", with_symbols),
              AllOf(HasSubstr("cudaMemcpyToSymbolAsync(::alpha, &alpha, sizeof(alpha), 0, "
                              "cudaMemcpyHostToDevice, stream);"),
                    HasSubstr("cudaMemcpyToSymbolAsync(::coef, coef, ")));
  EXPECT_THAT(made(step, "hip", with_symbols),
              HasSubstr("hipMemcpyToSymbolAsync(HIP_SYMBOL(::coef), coef, "));
  EXPECT_THAT(made(step), Not(HasSubstr("run_setup")));
}

TEST(EntrySource, StandsBehindTheKernels) {
  const MepSpec spec = read(head + R"("sequence": [{"launch": "f", "args": ["a"]}]})");
  const Result<std::string> text = with_entry("void f(float*) {}", spec);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->rfind("void f(float*) {}\n\nextern", 0), 0u);
  const MepSpec plain = read(head + R"("flops": 1})");
  EXPECT_EQ(*with_entry("source", plain), "source");
}

}  // namespace
}  // namespace noctune
