#include "mep/case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MepSpec read(const std::string& text) {
  return read_mep_spec(value_or_throw(parse_json(text, "spec")));
}
std::string problem(const MepSpec& spec, const std::map<std::string, long long>& sizes = {}) {
  const auto result = resolve_case(spec, spec.cases[0], sizes, 1);
  return result ? "no problem" : result.error().text();
}

const char* const csr = R"({
  "entry": "spmv",
  "sizes": {"n": {"scale": true, "default": 1000}, "m": {"scale": true, "default": 77, "max": 100000}},
  "data": {"A": {"gen": "csr", "rows": "n", "cols": "m", "nnz_min": 2, "nnz_max": 9}},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "p", "type": "const int*", "count": "A.rows+1", "role": "in", "init": "A.row_ptr"},
    {"name": "c", "type": "const unsigned char*", "count": "A.nnz", "role": "in", "init": "A.col"},
    {"name": "v", "type": "const double*", "count": "A.nnz", "role": "in", "init": "A.val"},
    {"name": "x", "type": "const double*", "count": "A.cols", "role": "in"},
    {"name": "k", "type": "const int*", "count": "n", "role": "in"},
    {"name": "y", "type": "double*", "count": "n", "role": "out"}],
  "cases": [{"name": "c"}],
  "check": {"depth": "A.nnz/n"},
  "flops": "2*A.nnz", "bytes": "12*A.nnz"
})";

TEST(ResolveCase, KnowsEveryNumber) {
  const MepSpec spec = read(csr);
  const ResolvedCase c = value_or_throw(resolve_case(spec, spec.cases[0], {}, 5));
  EXPECT_EQ(c.sizes_text(), "m=77 n=1000");
  ASSERT_EQ(c.args.size(), 7u);
  EXPECT_EQ(c.args[0].scalar, 1000);
  EXPECT_EQ(c.args[1].count, 1001);
  const long long nnz = c.args[2].count;
  EXPECT_GT(nnz, 1000 * 5);
  EXPECT_LT(nnz, 1000 * 6);
  EXPECT_EQ(c.args[3].count, nnz);
  EXPECT_EQ(c.args[3].init.part, "val");
  EXPECT_TRUE(c.args[3].init.plain);
  ASSERT_EQ(c.data.size(), 1u);
  EXPECT_EQ(c.data[0].generator, "csr");
  EXPECT_EQ(c.args[4].count, 77);
  EXPECT_EQ(c.args[4].init.kind, InitSpec::Kind::uniform);
  EXPECT_FALSE(c.args[4].init.declared);
  EXPECT_EQ(c.args[5].init.kind, InitSpec::Kind::integers);
  EXPECT_EQ(c.args[5].init.high, 9);
  EXPECT_TRUE(c.args[6].compared());
  EXPECT_EQ(c.flops, 2.0 * static_cast<double>(nnz));
  EXPECT_DOUBLE_EQ(c.depth, static_cast<double>(nnz) / 1000);
  EXPECT_EQ(c.data_bytes, 1001 * 4 + static_cast<double>(nnz) * 9 + 77 * 8 + 4000 + 8000);
}

TEST(ResolveCase, StructureFollowsFromTheSeed) {
  const MepSpec spec = read(csr);
  const auto nnz = [&](std::uint64_t seed) {
    return value_or_throw(resolve_case(spec, spec.cases[0], {}, seed)).args[2].count;
  };
  EXPECT_EQ(nnz(1), nnz(1));
  EXPECT_NE(nnz(1), nnz(2));
}

TEST(ResolveCase, TakesScalingSizes) {
  const MepSpec spec = read(csr);
  EXPECT_THAT(auto_sizes(spec, spec.cases[0]), ElementsAre("n", "m"));
  EXPECT_EQ(value_or_throw(resolve_case(spec, spec.cases[0], {{"n", 50}}, 1)).args[0].scalar, 50);
  EXPECT_THAT(problem(spec, {{"m", 200000}}), HasSubstr("outside 1 to 100000"));
}

TEST(ResolveCase, ColumnsMustFitTheirType) {
  EXPECT_THAT(problem(read(csr), {{"m", 300}}), HasSubstr("A.col reaches 299, beyond its type"));
}

std::string simple(const std::string& sizes, const std::string& case_sizes, const std::string& count,
                   const std::string& params = "") {
  return R"({"entry": "f", "sizes": )" + sizes +
         R"(, "params": [{"name": "x", "type": "double*", "count": ")" + count + R"(", "role": "inout"})" +
         params + R"(], "cases": [{"name": "c", "sizes": )" + case_sizes + "}]}";
}

TEST(ResolveCase, SizesMayReferToOneAnother) {
  const MepSpec spec =
      read(simple(R"({"b": {"scale": true}, "a": {"scale": true, "default": 6}})", R"({"b": "a*2"})", "b+a"));
  EXPECT_EQ(value_or_throw(resolve_case(spec, spec.cases[0], {}, 1)).args[0].count, 18);
  EXPECT_THAT(auto_sizes(spec, spec.cases[0]), ElementsAre("a"));
  const MepSpec circle =
      read(simple(R"({"b": {"scale": true}, "a": {"scale": true}})", R"({"b": "a*2", "a": "b"})", "b"));
  EXPECT_THAT(problem(circle), HasSubstr("circle"));
}

TEST(ResolveCase, RefusesWhatCannotBe) {
  EXPECT_THAT(problem(read(simple(R"({"n": 4})", "{}", "n-5"))), HasSubstr("count is -1"));
  EXPECT_THAT(problem(read(simple(R"({"n": 5})", "{}", "n/2"))), HasSubstr("not a whole number"));
  EXPECT_THAT(problem(read(simple(R"({"n": 5})", "{}", "n/(n-5)"))), HasSubstr("division by zero"));
  EXPECT_THAT(problem(read(simple(R"({"n": {"default": 4194304, "scale": true}})", "{}", "n*n*n"))),
              HasSubstr("2^53"));
  EXPECT_THAT(problem(read(simple(R"({"n": {"scale": true}})", "{}", "n"))), HasSubstr("no value"));
  EXPECT_THAT(problem(read(simple(R"({"n": 100000})", "{}", "n",
                                  R"(, {"name": "s", "type": "short", "value": "n"})"))),
              HasSubstr("does not fit the type short"));
  EXPECT_THAT(problem(read(simple(R"({"n": {"default": 8, "multiple_of": 8}})", R"({"n": 12})", "n"))),
              HasSubstr("multiple of 8"));
  EXPECT_THAT(problem(read(simple(R"({"n": {"default": 8, "power_of_two": true}})", R"({"n": 12})", "n"))),
              HasSubstr("power of two"));
}

TEST(ResolveCase, PartsMustHaveTheirOwnCount) {
  MepSpec spec = read(csr);
  spec.params[1].count = "n";
  EXPECT_THAT(problem(spec), HasSubstr("write \"A.row_ptr.count\""));
}

std::string contents(const std::string& type, const std::string& init, const std::string& n = "100") {
  return simple(
      "{\"n\": " + n + "}", "{}", "n",
      R"(, {"name": "k", "type": ")" + type + R"(", "count": "n", "role": "in", "init": )" + init + "}");
}

TEST(ResolveCase, RangesMayFollowFromSizes) {
  const auto plan = [](const std::string& init) {
    const MepSpec spec = read(contents("const int*", init));
    return value_or_throw(resolve_case(spec, spec.cases[0], {}, 1)).args[1].init;
  };
  const InitPlan integers = plan(R"({"kind": "integers", "low": "n/2", "high": "n-1"})");
  EXPECT_EQ(integers.low, 50);
  EXPECT_EQ(integers.high, 99);
  EXPECT_TRUE(integers.declared);
  EXPECT_EQ(plan(R"({"kind": "permutation", "length": "n/4"})").length, 25);
  EXPECT_EQ(plan(R"({"kind": "unique", "high": "3*n"})").high, 300);
  EXPECT_EQ(plan(R"({"kind": "index", "step": "n"})").step, 100);
  EXPECT_EQ(plan(R"({"kind": "constant", "value": "n+1"})").value, 101);
}

TEST(ResolveCase, RefusesRangesThatCannotBe) {
  const auto refusal = [](const std::string& type, const std::string& init, const std::string& n = "100") {
    return problem(read(contents(type, init, n)));
  };
  EXPECT_THAT(refusal("const unsigned char*", R"({"kind": "integers", "high": "n-1"})", "300"),
              HasSubstr("init.high reaches 299, beyond its type"));
  EXPECT_THAT(refusal("const int*", R"({"kind": "integers", "low": 5, "high": "n-1"})", "3"),
              HasSubstr("below low"));
  EXPECT_THAT(refusal("const int*", R"({"kind": "integers", "high": "n/8"})"), HasSubstr("whole numbers"));
  EXPECT_THAT(refusal("const int*", R"({"kind": "unique", "high": "n-2"})"),
              HasSubstr("100 different numbers are wanted, but there are only 99"));
  EXPECT_THAT(refusal("const unsigned char*", R"("permutation")", "300"),
              HasSubstr("its permutation reaches 299"));
}

TEST(ResolveCase, ZeroElementsAreAllowed) {
  const MepSpec spec = read(simple(R"({"n": 4})", "{}", "n-4"));
  EXPECT_EQ(value_or_throw(resolve_case(spec, spec.cases[0], {}, 1)).args[0].count, 0);
}

TEST(Countable, NamesABufferThatIntCannotCount) {
  const auto resolved = [](const std::string& type, const std::string& count) {
    const MepSpec spec = read(R"({"entry": "f", "sizes": {"n": 50000},
      "params": [{"name": "n", "type": ")" +
                              type + R"(", "value": "n"},
                 {"name": "x", "type": "const char*", "count": ")" +
                              count + R"(", "role": "in"},
                 {"name": "y", "type": "char*", "count": "n", "role": "out"}],
      "cases": [{"name": "c"}]})");
    return value_or_throw(resolve_case(spec, spec.cases[0], {}, 1));
  };
  EXPECT_TRUE(countable(resolved("int", "n")));
  EXPECT_TRUE(countable(resolved("long", "n*n")));
  const auto narrow = countable(resolved("int", "n*n"));
  ASSERT_FALSE(narrow);
  EXPECT_THAT(narrow.error().text(), HasSubstr("parameter \"x\""));
  EXPECT_THAT(narrow.error().text(), HasSubstr("it has 2500000000 elements"));
}

}  // namespace
}  // namespace noctune
