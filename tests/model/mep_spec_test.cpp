#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/element_type.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

MepSpec read(const std::string& text) {
  return read_mep_spec(value_or_throw(parse_json(text, "x.mep.json")));
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no complaint";
}

const char* const gemm = R"json({
  // comments are allowed
  "spec_version": 1,
  "entry": "gemm",
  "sizes": {"n": {"default": 512, "min": 16, "max": 4096, "multiple_of": 4, "scale": true}, "m": {"scale": true, "power_of_two": true}, "k": 64},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "alpha", "type": "double", "value": 1.5},
    {"name": "A", "type": "const double*", "count": "n*k", "role": "in"},
    {"name": "B", "type": "const double *__restrict__", "count": "k*m", "role": "in", "init": {"kind": "normal", "sd": 2}},
    {"name": "C", "type": "real*", "count": "n*m", "role": "inout", "init": "zeros"},
    {"name": "w", "type": "float*", "count": 128, "role": "scratch"},
    {"name": "D", "type": "float*", "count": "n", "role": "out", "unwritten": "keep", "live_out": false}
  ],
  "cases": [{"name": "main", "sizes": {"n": "auto", "m": "auto"}},
            {"name": "odd", "use": "check", "sizes": {"n": 132, "m": 64}, "weight": 0}],
  "defines": {"real": "double", "BLOCK": 32, "FAST": true},
  "check": {"depth": "k", "tolerance": 1e-9, "reason": "the application prints six digits"},
  "flops": "2*n*m*k",
  "bytes": "8*(n*k+k*m+2*n*m)"
})json";

TEST(MepSpec, ReadsEveryPart) {
  const MepSpec spec = read(gemm);
  EXPECT_EQ(spec.entry, "gemm");
  ASSERT_EQ(spec.sizes.size(), 3u);
  EXPECT_EQ(spec.sizes[0].value, 512);
  EXPECT_EQ(spec.sizes[0].multiple_of, 4);
  EXPECT_TRUE(spec.sizes[1].scale && spec.sizes[1].power_of_two);
  EXPECT_TRUE(spec.sizes[2].fixed);
  ASSERT_EQ(spec.params.size(), 7u);
  EXPECT_EQ(*spec.params[0].value, "n");
  EXPECT_EQ(*spec.params[1].value, "1.5");
  EXPECT_FALSE(spec.params[2].init);
  EXPECT_EQ(spec.params[3].init->kind, InitSpec::Kind::normal);
  EXPECT_EQ(spec.params[3].init->sd, 2);
  EXPECT_EQ(spec.params[4].role, Role::inout);
  EXPECT_EQ(spec.params[5].count, "128");
  EXPECT_TRUE(spec.params[6].keep_unwritten);
  EXPECT_FALSE(spec.params[6].live_out);
  EXPECT_EQ(spec.cases[1].use, CaseUse::check);
  EXPECT_EQ(spec.cases[1].sizes.at("n"), "132");
  EXPECT_EQ(spec.defines.at("BLOCK"), "32");
  EXPECT_EQ(spec.defines.at("FAST"), "1");
  EXPECT_EQ(*spec.check.tolerance, 1e-9);
  EXPECT_EQ(spec.flops, "2*n*m*k");
}

TEST(MepSpec, RoundTrips) {
  const MepSpec spec = read(gemm);
  const std::string once = to_json(spec).dump(1);
  EXPECT_EQ(to_json(read(once)).dump(1), once);
  EXPECT_THAT(once, HasSubstr("the application prints six digits"));
}

const char* const csr = R"({
  "entry": "spmv",
  "sizes": {"n": {"scale": true, "default": 1000}},
  "data": {"A": {"gen": "csr", "rows": "n", "cols": "n", "nnz_min": 1, "nnz_max": 9, "low": 0.5, "high": 1}},
  "params": [
    {"name": "p", "type": "const int*", "count": "A.rows+1", "role": "in", "init": "A.row_ptr"},
    {"name": "c", "type": "const int*", "count": "A.nnz", "role": "in", "init": "A.col"},
    {"name": "v", "type": "const double*", "count": "A.nnz", "role": "in", "init": "A.val"},
    {"name": "y", "type": "double*", "count": "n", "role": "out"}],
  "bytes": "12*A.nnz"
})";

TEST(MepSpec, ReadsJointData) {
  const MepSpec spec = read(csr);
  EXPECT_EQ(spec.data.at(0).fields.at("nnz_max"), "9");
  EXPECT_EQ(spec.params[1].init->kind, InitSpec::Kind::joint);
  EXPECT_EQ(spec.params[1].init->part, "A.col");
  const std::string once = to_json(spec).dump(1);
  EXPECT_EQ(to_json(read(once)).dump(1), once);
}

TEST(MepSpec, MakesDefaultCases) {
  const MepSpec spec = read(csr);
  ASSERT_EQ(spec.cases.size(), 2u);
  EXPECT_EQ(spec.cases[0].use, CaseUse::time);
  EXPECT_EQ(spec.cases[0].sizes.at("n"), "auto");
  EXPECT_EQ(spec.cases[1].use, CaseUse::check);
  EXPECT_EQ(spec.cases[1].sizes.at("n"), "1009");
}

std::string with_sizes(const std::string& sizes, const std::string& rest = "") {
  return R"({"entry": "f", "sizes": )" + sizes +
         R"(, "params": [{"name": "x", "type": "double*", "count": "n", "role": "inout"}])" + rest + "}";
}

TEST(MepSpec, OddSizesKeepTheirConstraints) {
  const auto odd = [](const std::string& size) {
    const MepSpec spec = read(with_sizes("{\"n\": " + size + "}"));
    return spec.cases.size() == 2 ? spec.cases[1].sizes.at("n") : "none";
  };
  EXPECT_EQ(odd(R"({"scale": true, "multiple_of": 32})"), "992");
  EXPECT_EQ(odd(R"({"scale": true, "power_of_two": true})"), "512");
  EXPECT_EQ(odd(R"({"scale": true, "max": 100})"), "100");
  EXPECT_EQ(odd(R"({"scale": true, "min": 5000})"), "5000");
  EXPECT_EQ(odd("64"), "none");
  const MepSpec two = read(with_sizes(R"({"n": {"scale": true}, "m": {"scale": true}, "k": 3})"));
  EXPECT_EQ(two.cases[1].sizes, (std::map<std::string, std::string>{{"n", "131"}, {"m", "97"}}));
}

std::string with_param(const std::string& param) {
  return R"({"entry": "f", "sizes": {"n": 100}, "data": {"A": {"gen": "csr", "rows": "n", "cols": "n", "nnz_min": 1, "nnz_max": 2}},
 "params": [{"name": "y", "type": "double*", "count": "n", "role": "out"},
)" + param +
         "]}";
}

TEST(MepSpec, ComplainsAboutParams) {
  EXPECT_THAT(complaint(with_param(R"({"name": "x", "type": "double*", "count": "n"})")),
              AllOf(HasSubstr("x.mep.json:3"), HasSubstr("params.1.role"), HasSubstr("missing")));
  EXPECT_THAT(complaint(with_param(R"({"name": "x", "type": "double*", "role": "in"})")), HasSubstr("count"));
  EXPECT_THAT(complaint(with_param(R"({"name": "x", "type": "double*", "count": -1, "role": "in"})")),
              HasSubstr("negative"));
  EXPECT_THAT(complaint(with_param(R"({"name": "x", "type": "double*", "count": "nn", "role": "in"})")),
              AllOf(HasSubstr("\"nn\" is not a size"), HasSubstr("did you mean \"n\"")));
  EXPECT_THAT(complaint(with_param(R"({"name": "x", "type": "double*", "count": "n*", "role": "in"})")),
              HasSubstr("it ends"));
  EXPECT_THAT(complaint(with_param(R"({"name": "x", "type": "real*", "count": "n", "role": "in"})")),
              HasSubstr("element type of \"real*\" is not known"));
  EXPECT_THAT(complaint(with_param(R"({"name": "x", "type": "double**", "count": "n", "role": "in"})")),
              HasSubstr("not supported yet"));
  EXPECT_THAT(complaint(with_param(R"({"name": "x", "type": "double*", "count": "n", "role": "input"})")),
              HasSubstr("\"input\" is not known"));
  EXPECT_THAT(
      complaint(with_param(R"({"name": "x", "type": "double*", "count": "n", "role": "in", "counts": 1})")),
      AllOf(HasSubstr("counts"), HasSubstr("did you mean \"count\"")));
  EXPECT_THAT(complaint(with_param(R"({"name": "y", "type": "int", "value": "n"})")),
              HasSubstr("appears twice"));
  EXPECT_THAT(complaint(with_param(R"({"name": "m", "type": "int"})")), HasSubstr("no value"));
  EXPECT_THAT(complaint(with_param(R"({"name": "m", "type": "int*", "value": 3})")), HasSubstr("not value"));
  EXPECT_THAT(complaint(with_param(R"({"name": "9m", "type": "int", "value": 3})")),
              HasSubstr("C identifier"));
  EXPECT_THAT(complaint(with_param(
                  R"({"name": "x", "type": "double*", "count": "n", "role": "out", "init": "zeros"})")),
              HasSubstr("inout"));
  EXPECT_THAT(complaint(with_param(
                  R"({"name": "x", "type": "double*", "count": "n", "role": "out", "unwritten": "drop"})")),
              HasSubstr("keep"));
}

TEST(MepSpec, ComplainsAboutContents) {
  const auto init = [](const std::string& type, const std::string& contents) {
    return complaint(with_param("{\"name\": \"x\", \"type\": \"" + type +
                                "\", \"count\": \"n\", \"role\": \"in\", \"init\": " + contents + "}"));
  };
  EXPECT_THAT(init("double*", "\"unifrom\""), HasSubstr("neither a kind nor a part"));
  EXPECT_THAT(init("double*", "\"A.values\""), HasSubstr("no part \"values\""));
  EXPECT_THAT(init("double*", "\"A.col\""), HasSubstr("integer elements"));
  EXPECT_THAT(init("int*", "\"normal\""), HasSubstr("floating-point"));
  EXPECT_THAT(init("double*", R"({"kind": "uniform", "low": 2, "high": 1})"), HasSubstr("high is below low"));
  EXPECT_THAT(init("double*", R"({"kind": "zeros", "low": 2})"), HasSubstr("low"));
  EXPECT_THAT(init("unsigned char*", R"({"kind": "integers", "low": 0, "high": 256})"),
              HasSubstr("does not fit"));
  EXPECT_THAT(init("int*", R"({"kind": "constant", "value": 1.5})"), HasSubstr("whole number"));
  EXPECT_THAT(init("double*", R"({"kind": "joint"})"), HasSubstr("not a kind"));
}

TEST(MepSpec, ComplainsAboutSizesAndCases) {
  EXPECT_THAT(complaint(with_sizes(R"({"n": 0})")), HasSubstr("at least 1"));
  EXPECT_THAT(complaint(with_sizes(R"({"n": {"min": 5, "max": 4}})")), HasSubstr("below min"));
  EXPECT_THAT(complaint(with_sizes(R"({"n": {"default": 5, "multiple_of": 2}})")), HasSubstr("multiple"));
  EXPECT_THAT(complaint(with_sizes(R"({"n": {"default": 6, "power_of_two": true}})")),
              HasSubstr("power of two"));
  EXPECT_THAT(complaint(with_sizes(R"({"n": {"fixed": true, "scale": true, "default": 2}})")),
              HasSubstr("both"));
  EXPECT_THAT(complaint(with_sizes(R"({"n": {}})")), HasSubstr("neither a default"));
  const auto cases = [](const std::string& list) {
    return complaint(with_sizes(R"({"n": 8, "m": {"scale": true}})", ", \"cases\": " + list));
  };
  EXPECT_THAT(cases(R"([{"name": "a", "sizes": {"n": "auto"}}])"),
              AllOf(HasSubstr("cases.0.sizes.n"), HasSubstr("\"scale\": true")));
  EXPECT_THAT(cases(R"([{"name": "a"}, {"name": "a"}])"), HasSubstr("appears twice"));
  EXPECT_THAT(cases(R"([{"name": "a", "use": "check"}])"), HasSubstr("none is for timing"));
  EXPECT_THAT(cases(R"([{"name": "a", "weight": -1}])"), HasSubstr("negative"));
  EXPECT_THAT(cases(R"([{"name": "a", "sizes": {"q": 1}}])"), HasSubstr("no size \"q\""));
  EXPECT_THAT(cases(R"([{"name": "a", "sizes": {"m": "A.nnz"}}])"), HasSubstr("\"A.nnz\" is not"));
}

TEST(MepSpec, ComplainsAboutTheRest) {
  EXPECT_THAT(complaint(R"({"params": []})"), HasSubstr("entry"));
  EXPECT_THAT(complaint(R"({"entry": "f"})"), AllOf(HasSubstr("params"), HasSubstr("missing")));
  EXPECT_THAT(complaint(R"({"entry": "a b", "params": []})"), HasSubstr("C identifier"));
  EXPECT_THAT(complaint(R"({"entry": "f", "params": [{"name": "n", "type": "int", "value": 1}]})"),
              HasSubstr("nothing could be checked"));
  EXPECT_THAT(complaint(R"({"spec_version": 2, "entry": "f", "params": []})"), HasSubstr("version 1"));
  EXPECT_THAT(complaint(with_sizes(R"({"n": 8})", R"(, "structs": {})")), HasSubstr("\"fields\""));
  EXPECT_THAT(complaint(with_sizes(R"({"n": 8})", R"(, "data": {"g": {"gen": "particle"}})")),
              HasSubstr("did you mean \"particles\""));
  EXPECT_THAT(complaint(with_sizes(R"({"n": 8})", R"(, "check": {"tolerance": 1e-3})")), HasSubstr("reason"));
  EXPECT_THAT(complaint(with_sizes(R"({"n": 8})", R"(, "check": {"code": "x.cpp"})")),
              HasSubstr("\"invariants\""));
  EXPECT_THAT(complaint(with_sizes(R"({"n": 8})", R"(, "reset": "never")")),
              AllOf(HasSubstr("reset"), HasSubstr("restored before every call")));
  EXPECT_EQ(complaint(with_sizes(R"({"n": 8})", R"(, "reset": "call")")), "no complaint");
  EXPECT_THAT(complaint(with_sizes(R"({"n": 8})", R"(, "flop": "n")")), HasSubstr("did you mean \"flops\""));
}

std::string with_output(const std::string& keys, const std::string& check) {
  return R"({"entry": "f", "params": [{"name": "x", "type": "int*", "count": 8, )" + keys +
         R"(}, {"name": "y", "type": "int*", "count": 8, "role": "out"}], "check": {)" + check + "}}";
}

TEST(MepSpec, ReadsInvariants) {
  const std::string text =
      with_output(R"("role": "out", "compare": "invariants")", R"("invariants": "checks/f.cpp")");
  for (const MepSpec& spec : {read(text), read(to_json(read(text)).dump())}) {
    EXPECT_EQ(spec.check.invariants, "checks/f.cpp");
    EXPECT_TRUE(spec.params[0].by_invariants);
    EXPECT_FALSE(spec.params[1].by_invariants);
  }
  // A check may also ask for more than equal values.
  EXPECT_FALSE(read(with_output(R"("role": "out", "compare": "values")", R"("invariants": "f.cpp")"))
                   .params[0]
                   .by_invariants);
  EXPECT_TRUE(read(with_output(R"("role": "out")", "")).check.invariants.empty());
}

TEST(MepSpec, RefusesInvariantsThatCannotBe) {
  const std::string file = R"("invariants": "f.cpp")";
  EXPECT_THAT(complaint(with_output(R"("role": "out", "compare": "invariants")", "")),
              AllOf(HasSubstr("\"x\" is compared by invariants alone"), HasSubstr("f_check")));
  EXPECT_THAT(complaint(with_output(R"("role": "in", "compare": "invariants")", file)),
              HasSubstr("is for outputs"));
  EXPECT_THAT(complaint(with_output(R"("role": "scratch", "compare": "invariants")", file)),
              HasSubstr("is for outputs"));
  EXPECT_THAT(complaint(with_output(R"("role": "out", "live_out": false, "compare": "invariants")", file)),
              HasSubstr("is for outputs"));
  EXPECT_THAT(complaint(with_output(R"("role": "out", "compare": "invariant")", file)),
              HasSubstr("did you mean \"invariants\""));
  EXPECT_THAT(complaint(with_output(R"("role": "out")", R"("invariants": "")")),
              HasSubstr("must name a file"));
  EXPECT_THAT(complaint(with_output(R"("role": "out")", R"("invariants": {})")), HasSubstr("invariants"));
}

TEST(ElementType, ReadsTypesAsWritten) {
  EXPECT_EQ(element_of("const double* __restrict__"), ElementType::f64);
  EXPECT_EQ(element_of("float const *"), ElementType::f32);
  EXPECT_EQ(element_of("unsigned long long"), ElementType::u64);
  EXPECT_EQ(element_of("std::size_t"), ElementType::u64);
  EXPECT_EQ(element_of("std::int8_t*"), ElementType::i8);
  EXPECT_EQ(element_of("std::complex<float>*"), ElementType::c64);
  EXPECT_EQ(element_of("DATA_TYPE*", {{"DATA_TYPE", "real"}, {"real", "float"}}), ElementType::f32);
  EXPECT_EQ(element_of("A", {{"A", "B"}, {"B", "A"}}), std::nullopt);
  EXPECT_EQ(element_of("struct atom*"), std::nullopt);
}

TEST(ElementType, CountsTheLanesOfVectorsAndArrays) {
  const auto scalars = [](const std::string& type, const std::map<std::string, std::string>& defines = {}) {
    const auto form = element_form_of(type, defines);
    return form ? form->scalars : 0;
  };
  EXPECT_EQ(element_of("const float4* __restrict__"), ElementType::f32);
  EXPECT_EQ(scalars("const float4* __restrict__"), 4);
  EXPECT_EQ(element_of("uchar3"), ElementType::u8);
  EXPECT_EQ(element_of("longlong2*"), ElementType::i64);
  EXPECT_EQ(scalars("real4*", {{"real4", "double4"}}), 4);
  EXPECT_EQ(element_of("float5*"), std::nullopt);
  EXPECT_EQ(scalars("double (*)[3]"), 3);
  EXPECT_EQ(scalars("double3 (*)[N][2]", {{"N", "M+1"}, {"M", "3"}}), 24);
  EXPECT_EQ(scalars("double (*)[N]"), 0);
  EXPECT_EQ(vector_type("float4")->alignment, 16u);
  EXPECT_EQ(vector_type("float3")->alignment, 4u);
  EXPECT_EQ(vector_type("double4")->alignment, 16u);
  EXPECT_EQ(vector_type("short2")->alignment, 4u);
}

}  // namespace
}  // namespace noctune
