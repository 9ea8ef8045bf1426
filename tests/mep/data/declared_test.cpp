#include <gmock/gmock.h>

#include "base/files.hpp"
#include "mep/data/contents.hpp"
#include "mep/inputs_source.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

std::string file_set(const std::string& fields) {
  return R"({"r": {"gen": "file", "parts": {"x": {)" + fields + "}}}}";
}

TEST(FileData, KnowsHowManyElementsThereAre) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-declared-test"));
  value_or_throw(write_file(folder.path() / "x.1.bin", std::string(80, 'x')));
  const std::string file = "\"file\": \"" + (folder.path() / "x.{n}.bin").string() + "\", ";
  const Contents whole(file_set(file + R"("type": "double")"));
  EXPECT_EQ(whole.count("r.x.count"), 10);
  EXPECT_EQ(whole.shape("r.x").element, ElementType::f64);
  EXPECT_EQ(Contents(file_set(file + R"("type": "float2", "count": "3*n")")).shape("r.x").count, 6);
  EXPECT_THAT(problem_of(file_set(file + R"("type": "double", "count": 11)")),
              AllOf(HasSubstr("holds 10 elements of type double, but its count is 11"), HasSubstr("fixed")));
  EXPECT_THAT(problem_of(file_set(file + R"("type": "float3")")), HasSubstr("no whole number of float3"));
}

TEST(FileData, SaysWhatCannotBe) {
  EXPECT_THAT(problem_of(file_set(R"("file": "/nowhere/x.bin", "type": "double")")),
              AllOf(HasSubstr("/nowhere/x.bin cannot be read"), HasSubstr("every node")));
  EXPECT_THAT(problem_of(file_set(R"("file": "x.{m}.bin", "type": "double")")), HasSubstr("name no size"));
  EXPECT_THAT(problem_of(file_set(R"("file": "x.{n.bin", "type": "double")")), HasSubstr("name no size"));
  EXPECT_THAT(problem_of(file_set(R"("file": "x.bin", "type": "double*")")), HasSubstr("is not known"));
  EXPECT_THAT(problem_of(R"({"r": {"gen": "file"}})"), HasSubstr("parts: is missing"));
}

TEST(CodeData, IsDeclaredByTheSpec) {
  MepSpec spec;
  spec.entry = "eam";
  spec.sizes.resize(2);
  spec.sizes[0].name = "nr";
  spec.sizes[1].name = "n";
  spec.data = {{"tab", "code", {}, {{"rhor", "float4", "7*nr", ""}, {"ends", "int", "2", ""}}}};
  EXPECT_TRUE(needs_inputs(spec));
  EXPECT_THAT(inputs_header(spec),
              HasSubstr("extern \"C\" void eam_make_tab(long long nr, long long n, unsigned long long seed, "
                        "float4* rhor, int* ends);"));
  spec.data[0].gen = "csr";
  EXPECT_FALSE(needs_inputs(spec));
}

TEST(CodeData, SaysWhatCannotBe) {
  const auto code = [](const std::string& fields) {
    return problem_of(R"({"t": {"gen": "code", "parts": {"x": {)" + fields + "}}}}");
  };
  EXPECT_EQ(code(R"("type": "double", "count": "n")"), "no problem");
  EXPECT_THAT(code(R"("type": "double", "count": "n-2")"), HasSubstr("parts.x.count is -1"));
  EXPECT_THAT(code(R"("type": "double")"), HasSubstr("count"));
  EXPECT_THAT(code(R"("type": "Domain", "count": 1)"), HasSubstr("element type \"Domain\" is not known"));
}

}  // namespace
}  // namespace noctune::testing
