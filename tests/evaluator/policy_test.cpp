#include "evaluator/policy.hpp"

#include <gmock/gmock.h>

namespace noctune {
namespace {

using ::testing::HasSubstr;

TEST(NormalisedSource, IgnoresCommentsAndLayout) {
  EXPECT_EQ(normalised_source("int  f ( ) { return 1 ; } // one"),
            normalised_source("int f(){\n  return /* x */ 1;\n}"));
}

TEST(NormalisedSource, KeepsWhatMatters) {
  EXPECT_NE(normalised_source("int f() { return 1; }"), normalised_source("int f() { return 2; }"));
  EXPECT_NE(normalised_source("intf()"), normalised_source("int f()"));
  EXPECT_NE(normalised_source("const char* s = \"a  b\";"), normalised_source("const char* s = \"a b\";"));
  EXPECT_EQ(normalised_source("const char* s = \"// no comment\";"), "const char*s=\"// no comment\";");
}

TEST(NormalisedSource, PragmasKeepTheirLines) {
  const std::string with = normalised_source("#pragma omp parallel for\nfor (;;) {}");
  EXPECT_EQ(with, "#pragma omp parallel for\nfor(;;){}");
  EXPECT_NE(with, normalised_source("for (;;) {}"));
}

TEST(NormalisedSource, SurvivesBrokenText) {
  EXPECT_NO_THROW(normalised_source("/* never closed"));
  EXPECT_NO_THROW(normalised_source("\"never closed"));
  EXPECT_NO_THROW(normalised_source("'\\"));
}

TEST(SourceObjection, AllowsStandardHeadersAndContext) {
  EXPECT_FALSE(source_objection("#include <cmath>\n#include \"context.hpp\"\n"));
  EXPECT_FALSE(source_objection("// #include \"/etc/passwd\"\n"));
}

TEST(SourceObjection, RefusesOtherFiles) {
  EXPECT_TRUE(source_objection("#include \"mine.hpp\"\n"));
  EXPECT_TRUE(source_objection("  #  include </etc/passwd>\n"));
  EXPECT_TRUE(source_objection("#include <../x>\n"));
  EXPECT_TRUE(source_objection("asm(\".incbin \\\"/etc/passwd\\\"\");"));
}

PluginBinary binary(std::vector<std::string> defined, std::vector<std::string> undefined) {
  PluginBinary out;
  out.defined = std::move(defined);
  out.undefined = std::move(undefined);
  return out;
}

TEST(BinaryObjection, WantsTheEntryAndNoForbiddenFunctions) {
  EXPECT_FALSE(binary_objection(binary({"gemm"}, {"GOMP_parallel", "sqrt"}), "gemm", {}));
  EXPECT_THAT(*binary_objection(binary({"other"}, {}), "gemm", {}), HasSubstr("gemm"));
  EXPECT_THAT(*binary_objection(binary({"gemm"}, {"fork", "sqrt"}), "gemm", {}), HasSubstr("fork"));
}

TEST(BinaryObjection, WhatTheOriginalNeedsIsWaived) {
  EXPECT_FALSE(binary_objection(binary({"gemm"}, {"getenv"}), "gemm", {"getenv"}));
}

}  // namespace
}  // namespace noctune
