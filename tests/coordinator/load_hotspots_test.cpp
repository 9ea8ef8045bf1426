#include "coordinator/load_hotspots.hpp"

#include <gmock/gmock.h>

#include "base/files.hpp"
#include "model/campaign_json.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

const char* const scale =
    "extern \"C\" void scale(int n, double* x) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n";
const char* const spec = R"({"entry": "scale", "sizes": {"n": {"default": 1000, "scale": true}}, "params": [
  {"name": "n", "type": "int", "value": "n"}, {"name": "x", "type": "double*", "count": "n", "role": "inout"}]})";

// Completes sources that hold "scale"; refuses the others.
Result<MepDraft> complete(const CompletionInput& input) {
  if (input.source.find("scale") == std::string::npos)
    return fail(input.file + ": no kernel", "nothing there", "add one");
  MepDraft out;
  out.spec = read_mep_spec(value_or_throw(parse_json(spec, "draft")));
  out.original = input.source;
  out.by = "rules";
  return out;
}

class LoadHotspotsTest : public ::testing::Test {
 protected:
  std::vector<LoadedHotspot> load(const std::string& hotspots, const std::string& head = "") {
    value_or_throw(write_file(folder_.path() / "good.cpp", scale));
    value_or_throw(write_file(folder_.path() / "bad.cpp", "int nothing;\n"));
    value_or_throw(write_file(folder_.path() / "good.mep.json", spec));
    value_or_throw(write_file(folder_.path() / "c.json", "{" + head + "\"hotspots\": [" + hotspots + "]}"));
    return load_hotspots(read_campaign((folder_.path() / "c.json").string(), {}), complete);
  }
  std::string complaint(const std::string& hotspots, const std::string& head = "") {
    try {
      load(hotspots, head);
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), Exit::usage);
      return error.what();
    }
    return "accepted";
  }
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

TEST_F(LoadHotspotsTest, AGivenSpecIsTakenAsItIs) {
  const auto loaded = load(R"({"source": "good.cpp", "mep": "good.mep.json"})");
  EXPECT_TRUE(loaded[0].has_mep());
  EXPECT_FALSE(loaded[0].open);
  EXPECT_EQ(task_with_mep(loaded[0]).mep.original, scale);
}

TEST_F(LoadHotspotsTest, RulesCompleteWhatHasNoSpec) {
  const auto loaded = load(R"({"source": "good.cpp"})");
  EXPECT_TRUE(loaded[0].has_mep());
  ASSERT_TRUE(loaded[0].open);
  EXPECT_EQ(loaded[0].task.mep.spec.entry, "scale");
  EXPECT_FALSE(loaded[0].task.mep.flags.empty());
}

TEST_F(LoadHotspotsTest, WhatRulesCannotCompleteIsAReasonAndTheOthersGoOn) {
  const auto loaded = load(R"({"source": "bad.cpp"}, {"source": "good.cpp"})");
  EXPECT_FALSE(loaded[0].has_mep());
  ASSERT_TRUE(loaded[0].open->refusal);
  EXPECT_THAT(loaded[0].open->refusal->text(), HasSubstr("no kernel"));
  EXPECT_TRUE(loaded[1].has_mep());
  EXPECT_THROW(task_with_mep(loaded[0]), UserError);
}

TEST_F(LoadHotspotsTest, WhereNothingCanBeTunedItIsSaidAtOnce) {
  EXPECT_THAT(complaint(R"({"source": "bad.cpp"})"), HasSubstr("nothing there"));
  EXPECT_THAT(complaint(R"({"source": "bad.cpp"}, {"name": "other", "source": "bad.cpp"})"),
              HasSubstr("none of its hotspots has a MEP"));
  const auto loaded =
      load(R"({"source": "bad.cpp"})", R"("model": {"provider": "spool", "models": ["m"], "spool": "s"},)");
  EXPECT_TRUE(loaded[0].open->by_model);
}

// The draft's parameters and the source's must agree before anything is built.
TEST_F(LoadHotspotsTest, ADraftThatDiffersFromItsSourceIsNoMep) {
  value_or_throw(
      write_file(folder_.path() / "other.cpp", "extern \"C\" void scale(int n, float* x) { x[0] = n; }\n"));
  const auto loaded = load(R"({"source": "other.cpp"}, {"source": "good.cpp"})");
  EXPECT_FALSE(loaded[0].has_mep());
  EXPECT_THAT(loaded[0].open->refusal->text(), HasSubstr("differs from its spec"));
  EXPECT_TRUE(loaded[0].open->draft);
}

// They change builds and verdicts: what is known of one list says nothing of another.
TEST_F(LoadHotspotsTest, LibrariesOfCampaignAndHotspotAddUp) {
  const std::string cuda = R"("platform": {"backend": "cuda", "allow_libraries": ["cusparse"]},)";
  value_or_throw(write_file(folder_.path() / "good.cu",
                            "extern \"C\" void scale(int n, double* x, mep_stream_t stream) {}\n"));
  const auto loaded = load(
      R"({"source": "good.cu", "mep": "good.mep.json"},
         {"name": "b", "source": "good.cu", "mep": "good.mep.json", "allow_libraries": ["cusparse", "cublas"]},
         {"name": "c", "source": "good.cu", "allow_libraries": ["cub"]})",
      cuda);
  EXPECT_EQ(loaded[0].task.mep.libraries, (std::vector<std::string>{"cusparse"}));
  EXPECT_EQ(loaded[1].task.mep.libraries, (std::vector<std::string>{"cublas", "cusparse"}));
  EXPECT_EQ(loaded[2].task.mep.libraries, (std::vector<std::string>{"cub", "cusparse"}));
  EXPECT_NE(loaded[0].task.mep.sha(), loaded[1].task.mep.sha());
  EXPECT_TRUE(load(R"({"source": "good.cpp"})")[0].task.mep.libraries.empty());
}

TEST_F(LoadHotspotsTest, UnknownLibrariesAreNamedAtOnce) {
  const std::string hotspot = R"({"source": "good.cpp", "allow_libraries": ["rocblas"]})";
  EXPECT_THAT(complaint(hotspot, R"("platform": {"backend": "cuda"},)"),
              AllOf(HasSubstr("c.json: hotspot good: allow_libraries"), HasSubstr("\"rocblas\""),
                    HasSubstr("known libraries: cublas, cusparse")));
  EXPECT_THAT(complaint(hotspot), HasSubstr("the backend openmp has none"));
}

// Declarations that the source lacks may come in a file of their own.
TEST_F(LoadHotspotsTest, AContextStandsInFrontOfTheSource) {
  value_or_throw(write_file(folder_.path() / "types.hpp", "typedef double real;\n"));
  const auto loaded = load(R"({"source": "good.cpp", "context": "types.hpp"})");
  EXPECT_THAT(loaded[0].open->input.source, HasSubstr("typedef double real;"));
}

}  // namespace
}  // namespace noctune
