#include "mep/signature.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

ParamSpec pointer(const std::string& name, const std::string& type) {
  ParamSpec param;
  param.name = name;
  param.type = type;
  param.count = "n";
  return param;
}

ParamSpec value(const std::string& name, const std::string& type) {
  ParamSpec param = pointer(name, type);
  param.value = name;
  return param;
}

MepSpec scale_spec() {
  MepSpec spec;
  spec.entry = "scale";
  spec.params = {value("n", "int"), pointer("x", "const double*"), pointer("y", "double*")};
  return spec;
}

Signature read(const std::string& source, const std::string& entry = "scale") {
  const auto signature = read_signature(source, "", entry, {"-O3", "-march=native", "-fopenmp"});
  EXPECT_TRUE(signature) << (signature ? "" : signature.error().text());
  return signature ? *signature : Signature{};
}

TEST(Signature, ReadsNamesTypesAndLinkage) {
  const Signature signature =
      read("extern \"C\" void scale(int n, const double* x, double* __restrict__ y) { y[0] = x[n]; }");
  ASSERT_EQ(signature.params.size(), 3u);
  EXPECT_EQ(signature.params[0].type, "int");
  EXPECT_EQ(signature.params[1].name, "x");
  EXPECT_EQ(signature.params[1].type, "const double *");
  EXPECT_TRUE(signature.c_linkage);
  EXPECT_FALSE(signature_difference(signature, scale_spec()));
}

TEST(Signature, TellsMissingCLinkage) {
  EXPECT_FALSE(read("void scale(int, const double*, double*) {}").c_linkage);
  EXPECT_TRUE(read("extern \"C\" { void scale(int, const double*, double*) {} }").c_linkage);
}

TEST(Signature, ReadsTypesFromTheContext) {
  const auto signature =
      read_signature("extern \"C\" void f(const real* x) { (void)x; }", "typedef float real;\n", "f", {});
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->params[0].type, "const float *");
}

TEST(Signature, IgnoresPrototypesAndListsWhatIsDefined) {
  const auto signature =
      read_signature("void scale(int);\nvoid one() {}\nstatic void two() {}\n", "", "scale", {});
  ASSERT_FALSE(signature);
  EXPECT_NE(signature.error().text().find("scale"), std::string::npos);
  EXPECT_NE(signature.error().text().find("one, two"), std::string::npos);
}

TEST(Signature, ReportsTheFirstDiagnosticOfBrokenSource) {
  const auto signature = read_signature("void scale(int n {", "", "scale", {});
  ASSERT_FALSE(signature);
  EXPECT_NE(signature.error().text().find("1:"), std::string::npos);
}

TEST(Signature, EmptySourceDefinesNothing) {
  const auto signature = read_signature("", "", "scale", {});
  ASSERT_FALSE(signature);
  EXPECT_NE(signature.error().text().find("defines no function"), std::string::npos);
}

TEST(SignatureDifference, SaysCountTypeAndOrder) {
  const MepSpec spec = scale_spec();
  auto difference = signature_difference(read("void scale(int n, const double* x) {}"), spec);
  ASSERT_TRUE(difference);
  EXPECT_NE(difference->find("2 parameters"), std::string::npos);
  difference = signature_difference(read("void scale(long n, const double* x, double* y) {}"), spec);
  ASSERT_TRUE(difference);
  EXPECT_NE(difference->find("'long'"), std::string::npos);
  difference = signature_difference(read("void scale(int n, const double* y, double* x) {}"), spec);
  ASSERT_TRUE(difference);
  EXPECT_NE(difference->find("is y but the spec has x"), std::string::npos);
}

TEST(SignatureDifference, DroppedConstOfThePointeeCounts) {
  EXPECT_TRUE(signature_difference(read("void scale(int n, double* x, double* y) {}"), scale_spec()));
}

TEST(SignatureDifference, SpellingsOfOneTypeAreEqual) {
  MepSpec spec = scale_spec();
  spec.params[0].type = "std::int32_t";
  spec.params[1].type = "double const *";
  EXPECT_FALSE(
      signature_difference(read("void scale(const int n, const double* const x, double* y) {}"), spec));
  EXPECT_FALSE(signature_difference(read("void scale(int a, const double* b, double* c) {}"), spec));
}

TEST(SignatureDifference, AcceptsTrailingScratchOnlyWhereTheSpecHasIt) {
  MepSpec spec = scale_spec();
  const Signature signature = read("void scale(int n, const double* x, double* y, void* scratch) {}");
  EXPECT_TRUE(signature_difference(signature, spec));
  spec.scratch = true;
  EXPECT_FALSE(signature_difference(signature, spec));
}

}  // namespace
}  // namespace noctune
