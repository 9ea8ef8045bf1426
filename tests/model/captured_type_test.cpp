#include "model/captured_type.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

CapturedArgument value(const std::string& bytes) {
  CapturedArgument out;
  out.type = "bytes:" + std::to_string((bytes.size() - 2) / 2);
  out.role = "value";
  out.value = bytes;
  return out;
}
CapturedArgument buffer(long long bytes) {
  CapturedArgument out;
  out.type = "bytes:1";
  out.role = "inout";
  out.count = out.length = bytes;
  return out;
}
std::string declared(CapturedArgument argument, const std::string& type) {
  declare_argument(argument, type, {{"real", "float"}});
  const std::string what = argument.role == "value" ? argument.value : std::to_string(argument.count);
  return argument.type + " " + argument.role + " " + what;
}

TEST(CapturedType, BytesBecomeNumbers) {
  EXPECT_EQ(declared(value("0xfeffffff"), "int"), "int32_t value -2");
  EXPECT_EQ(declared(value("0xfeffffff"), "unsigned int"), "uint32_t value 4294967294");
  EXPECT_EQ(declared(value("0x0000003f"), "const real"), "float value 0.5");
  EXPECT_EQ(declared(value("0x000000000000f83f"), "double"), "double value 1.5");
  EXPECT_EQ(declared(value("0x01"), "bool"), "bool value 1");
}

TEST(CapturedType, WhatDoesNotFitStaysBytes) {
  EXPECT_EQ(declared(value("0xfeffffff"), "double"), "bytes:4 value 0xfeffffff");
  EXPECT_EQ(declared(value("0xfeffffff"), "Domain"), "bytes:4 value 0xfeffffff");
  EXPECT_EQ(declared(value("0xfezzffff"), "int"), "bytes:4 value 0xfezzffff");
  EXPECT_EQ(declared(value("0x0000803f0000803f"), "float2"), "bytes:8 value 0x0000803f0000803f");
  EXPECT_EQ(declared(value("0x00000000"), "float*"), "bytes:4 value 0x00000000");
  EXPECT_EQ(declared(value("0x00000000"), ""), "bytes:4 value 0x00000000");
}

TEST(CapturedType, BuffersGetElementsAndRoles) {
  EXPECT_EQ(declared(buffer(80), "double const*"), "double in 10");
  EXPECT_EQ(declared(buffer(80), "const real* __restrict__"), "float in 20");
  EXPECT_EQ(declared(buffer(80), "float4*"), "float4 inout 5");
  EXPECT_EQ(declared(buffer(80), "float* const"), "float inout 20");
  EXPECT_EQ(declared(buffer(80), "Cell const*"), "bytes:1 in 80");
  EXPECT_EQ(declared(buffer(80), "double const* const*"), "bytes:1 inout 80");
  EXPECT_EQ(declared(value("0x0000000000000000"), "double*"), "double inout 0") << "a null pointer";
}

TEST(CapturedType, WidthsOfElements) {
  EXPECT_EQ(element_bytes("double"), 8);
  EXPECT_EQ(element_bytes("uint16_t"), 2);
  EXPECT_EQ(element_bytes("float4"), 16);
  EXPECT_EQ(element_bytes("bytes:24"), 24);
  EXPECT_EQ(element_bytes("nonsense"), 1);
}

CapturedLaunch launch(const std::string& kernel) {
  CapturedLaunch out;
  out.kernel = kernel;
  out.arguments = {value("0x05000000"), buffer(80)};
  for (std::size_t i = 0; i < 2; ++i) out.arguments[i].name = unnamed_argument(i);
  return out;
}

TEST(CapturedType, TheLongestFittingNameOfAKernelDecides) {
  const std::vector<KernelParameters> known = {
      {"smooth", {{"m", "int", "", ""}, {"u", "float*", "", ""}}},
      {"smooth_edge", {{"n", "int", "", ""}, {"x", "double*", "out", "n"}}}};
  CapturedLaunch edge = launch("smooth_edge_double"), inner = launch("smooth_2"), other = launch("smoother");
  EXPECT_EQ(name_arguments(edge, known), "");
  EXPECT_EQ(edge.arguments[1].name, "x");
  EXPECT_EQ(edge.arguments[1].role, "out");
  EXPECT_EQ(edge.arguments[1].count, 5) << "as many as the spec says";
  EXPECT_EQ(edge.arguments[1].length, 40);
  EXPECT_EQ(name_arguments(inner, known), "");
  EXPECT_EQ(inner.arguments[1].count, 20);
  EXPECT_NE(name_arguments(other, known), "");
  EXPECT_EQ(other.arguments[1].name, "arg1");
}

TEST(CapturedType, WhatHasANameKeepsIt) {
  CapturedLaunch named = launch("smooth");
  named.arguments[0].name = named.arguments[1].name = "mine";
  EXPECT_EQ(name_arguments(named, {}), "");
  EXPECT_EQ(named.arguments[1].name, "mine");
}

}  // namespace
}  // namespace noctune
