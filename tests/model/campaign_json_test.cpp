#include "model/campaign_json.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "base/files.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

class CampaignTest : public ::testing::Test {
 protected:
  CampaignTest() {
    value_or_throw(write_file(folder_.path() / "k.cpp", "extern \"C\" void k() {}"));
    value_or_throw(write_file(folder_.path() / "k.mep.json", "{}"));
  }
  Campaign read(const std::string& text, const std::vector<std::string>& overrides = {}) {
    value_or_throw(write_file(folder_.path() / "c.json", text));
    return read_campaign((folder_.path() / "c.json").string(), overrides);
  }
  std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
      read(text, overrides);
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), Exit::usage);
      return error.what();
    }
    return "accepted";
  }
  static std::string with(const std::string& more) {
    return "{\n" + more + "\n\"hotspots\": [{\"source\": \"k.cpp\", \"mep\": \"k.mep.json\"}]}";
  }
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

TEST_F(CampaignTest, DefaultsAreTheDocumentedOnes) {
  const Campaign c = read(with("// a comment"));
  EXPECT_EQ(c.name, "c");
  EXPECT_EQ(c.search.rounds, 6);
  EXPECT_EQ(c.search.candidates, 3);
  EXPECT_EQ(c.search.repeats, 30);
  EXPECT_EQ(c.search.trim, 3);
  EXPECT_EQ(c.platform.backend, "openmp");
  EXPECT_EQ(c.platform.flags, (std::vector<std::string>{"-O3", "-march=native", "-fopenmp"}));
  EXPECT_EQ(c.hotspots[0].name, "k");
  EXPECT_EQ(c.hotspots[0].source, (folder_.path() / "k.cpp").string());
}

TEST_F(CampaignTest, TheResolvedConfigReadsAsItself) {
  const Campaign first = read(with("\"search\": {\"rounds\": 2},"));
  const Campaign second = read(first.resolved_json);
  EXPECT_EQ(first.resolved_json, second.resolved_json);
}

// A campaign is stored with its results, which are read from other folders.
TEST_F(CampaignTest, PathsAreWholeWhereverTheConfigIsReadFrom) {
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::create_directory(folder_.path() / "below");
  value_or_throw(write_file(folder_.path() / "c.json", with("")));
  std::filesystem::current_path(folder_.path() / "below");
  const Campaign c = read_campaign("../c.json", {});
  std::filesystem::current_path(here);
  EXPECT_EQ(c.hotspots[0].source, (folder_.path() / "k.cpp").string());
  EXPECT_EQ(c.hotspots[0].mep_path, (folder_.path() / "k.mep.json").string());
}

TEST_F(CampaignTest, OverridesWin) {
  EXPECT_EQ(read(with("\"search\": {\"rounds\": 2},"), {"search.rounds=9"}).search.rounds, 9);
  EXPECT_EQ(read(with(""), {"platform.compiler=clang++"}).platform.compiler, "clang++");
  EXPECT_THAT(complaint(with(""), {"search.rounds"}), HasSubstr("key=value"));
  EXPECT_THAT(complaint(with(""), {"search.round=3"}), HasSubstr("did you mean \"rounds\""));
  EXPECT_THAT(complaint(with(""), {"search.rounds=many"}), HasSubstr("expected an integer"));
}

TEST_F(CampaignTest, ErrorsNameLineKeyAndReason) {
  EXPECT_THAT(complaint(with("\"search\": {\"rounds\": 1,\n \"turns\": 3},")),
              HasSubstr("c.json:3: search.turns: unknown key"));
  EXPECT_THAT(complaint(with("\"search\": {\"rounds\": \"six\"},")),
              HasSubstr("c.json:2: search.rounds: expected an integer"));
  EXPECT_THAT(complaint(with("\"search\": {\n\"repeats\": 6,\n\"trim\": 3},")),
              HasSubstr("c.json:4: search.trim: repeats (6)"));
  EXPECT_THAT(complaint(with("\"search\": {\"rounds\": -1},")), HasSubstr("-1 is outside"));
  EXPECT_THAT(complaint(with("\"mep\": {\"t_min_ms\": 0},")), HasSubstr("greater than 0"));
  EXPECT_THAT(complaint(with("\"mep\": {\"t_min_ms\": 5000, \"t_max_s\": 1},")),
              HasSubstr("t_min_ms must be below"));
  const std::string short_samples = "\"mep\": {\"t_min_ms\": 0.01},";
  EXPECT_EQ(read(with(short_samples)).mep.t_min_ms, 0.01);
  EXPECT_THAT(complaint(with(short_samples + "\"platform\": {\"backend\": \"cuda\"},")),
              HasSubstr("must be at least 0.05 for GPUs"));
  EXPECT_THAT(complaint(with("\"platform\": {\"backend\": \"opencl\"},")),
              HasSubstr("available backends: openmp, cuda, hip"));
  EXPECT_THAT(complaint(with("\"platform\": {\"flags\": \"-O2\"},")), HasSubstr("a list of strings"));
  EXPECT_THAT(complaint(with("\"proposers\": [\"model\"],")), HasSubstr("there is no model section"));
  EXPECT_THAT(complaint(with("\"proposers\": [\"magic\"],")), HasSubstr("known: model, rules"));
  EXPECT_THAT(complaint(with("\"arms\": [\"loop\"],")), HasSubstr("asks a model"));
  EXPECT_THAT(complaint(with("\"model\": {\"api_key\": \"secret\"},")), HasSubstr("no place in a campaign"));
  EXPECT_THAT(complaint(with("\"model\": {\"provider\": \"openai\"},")),
              HasSubstr("model.models: is missing"));
  EXPECT_THAT(complaint(with("\"model\": {\"provider\": \"spool\"},")), HasSubstr("a relay answers from"));
  EXPECT_THAT(complaint(with("\"model\": {\"models\": [\"m\"], \"base_url\": \"ftp://x\"},")),
              HasSubstr("http://"));
  EXPECT_THAT(complaint(with("\"model\": {\"models\": [\"m\"], \"budget\": {\"money\": 5}},")),
              HasSubstr("without prices"));
  EXPECT_THAT(complaint(with("\"model\": {\"models\": [\"m\"], \"flavour\": \"acme\"},")),
              HasSubstr("known: azure"));
}

TEST_F(CampaignTest, LibrariesAreNamedForAllHotspotsOrForOne) {
  const std::string cuda = R"("platform": {"backend": "cuda", "allow_libraries": ["cub"]},)";
  const auto with_one = [](const std::string& head) {
    return "{" + head + R"("hotspots": [{"source": "k.cpp", "allow_libraries": ["cublas"]}]})";
  };
  const Campaign c = read(with_one(cuda));
  EXPECT_EQ(c.platform.allow_libraries, (std::vector<std::string>{"cub"}));
  EXPECT_EQ(c.hotspots[0].allow_libraries, (std::vector<std::string>{"cublas"}));
  EXPECT_EQ(read(c.resolved_json).resolved_json, c.resolved_json);
  EXPECT_TRUE(read(with("")).platform.allow_libraries.empty());
  EXPECT_THAT(complaint(with_one("")), HasSubstr("allow_libraries: the backend openmp has none to allow"));
  EXPECT_THAT(complaint(with(R"("platform": {"allow_libraries": ["cub"]},)")),
              HasSubstr("platform.allow_libraries: the backend openmp has none to allow"));
  EXPECT_THAT(complaint(with(R"("platform": {"backend": "cuda", "allow_libraries": "cub"},)")),
              HasSubstr("a list of strings"));
}

TEST_F(CampaignTest, HotspotsMustExistAndDiffer) {
  EXPECT_THAT(complaint("{}"), HasSubstr("hotspots: is missing"));
  EXPECT_THAT(complaint("{\"hotspots\": []}"), HasSubstr("is empty"));
  EXPECT_THAT(complaint("[]"), HasSubstr("JSON object"));
  EXPECT_THAT(complaint("{\"hotspots\": [{\"source\": \"absent.cpp\", \"mep\": \"k.mep.json\"}]}"),
              HasSubstr("does not exist"));
  EXPECT_THAT(complaint("{\"hotspots\": [{\"source\": \".\", \"mep\": \"k.mep.json\"}]}"),
              HasSubstr("is a folder"));
  EXPECT_THAT(complaint("{\"hotspots\": [{\"source\": \"k.cpp\", \"mep\": \"k.mep.json\"}, {\"source\": "
                        "\"k.cpp\", \"mep\": "
                        "\"k.mep.json\"}]}"),
              HasSubstr("used twice"));
}

// A hotspot without a spec is completed: by rules, then by the model where it proposes as well.
TEST_F(CampaignTest, WithoutASpecAHotspotIsCompleted) {
  value_or_throw(write_file(folder_.path() / "call.txt", "k<<<1, 1>>>();"));
  const std::string model = "\"model\": {\"provider\": \"spool\", \"models\": [\"m\"], \"spool\": \"s\"},";
  const auto with_hotspot = [](const std::string& more, const std::string& head = "") {
    return "{" + head + "\"hotspots\": [{\"source\": \"k.cpp\"" + more + "}]}";
  };
  EXPECT_EQ(read(with_hotspot("")).hotspots[0].complete, (std::vector<std::string>{"rules"}));
  EXPECT_EQ(read(with_hotspot("", model)).hotspots[0].complete, (std::vector<std::string>{"rules", "model"}));
  EXPECT_EQ(read(with_hotspot("", model + "\"proposers\": [\"rules\"],")).hotspots[0].complete,
            (std::vector<std::string>{"rules"}));
  EXPECT_TRUE(read(with("")).hotspots[0].complete.empty());
  const HotspotConfig h =
      read(
          with_hotspot(
              ", \"kernel\": \"k\", \"call_site\": \"call.txt\", \"defines\": {\"N\": 64, \"T\": \"float\"}, "
              "\"complete\": [\"model\"]",
              model))
          .hotspots[0];
  EXPECT_EQ(h.kernels, (std::vector<std::string>{"k"}));
  EXPECT_EQ(h.call_site_path, (folder_.path() / "call.txt").string());
  EXPECT_EQ(h.defines, (std::map<std::string, std::string>{{"N", "64"}, {"T", "float"}}));
  EXPECT_EQ(h.complete, (std::vector<std::string>{"model"}));
  EXPECT_EQ(read(with_hotspot(", \"kernel\": [\"a\", \"b\"]")).hotspots[0].kernels,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read(with_hotspot(", \"entry\": \"k\"")).hotspots[0].kernels, (std::vector<std::string>{"k"}));
  const Campaign first = read(with_hotspot(", \"kernel\": \"k\", \"defines\": {\"N\": 64}"));
  EXPECT_EQ(read(first.resolved_json).resolved_json, first.resolved_json);
}

TEST_F(CampaignTest, CompletionKeysAreStrict) {
  const auto with_hotspot = [](const std::string& more) {
    return "{\"hotspots\": [{\"source\": \"k.cpp\"" + more + "}]}";
  };
  EXPECT_THAT(complaint(with_hotspot(", \"complete\": [\"magic\"]")), HasSubstr("known: rules, model"));
  EXPECT_THAT(complaint(with_hotspot(", \"complete\": []")), HasSubstr("is empty"));
  EXPECT_THAT(complaint(with_hotspot(", \"complete\": [\"model\"]")), HasSubstr("there is no model section"));
  EXPECT_THAT(complaint(with_hotspot(", \"call_site\": \"absent.txt\"")), HasSubstr("does not exist"));
  EXPECT_THAT(complaint(with_hotspot(", \"defines\": {\"N\": [1]}")), HasSubstr("defines.N"));
  EXPECT_THAT(complaint(with_hotspot(", \"kernel\": 3")), HasSubstr("list of strings"));
  EXPECT_THAT(complaint(with_hotspot(", \"kernels\": \"k\"")), HasSubstr("did you mean \"kernel\""));
  EXPECT_THAT(complaint(with_hotspot(", \"mep\": \"k.mep.json\", \"kernel\": \"k\"")),
              HasSubstr("is given by `mep`"));
}

TEST_F(CampaignTest, BrokenJsonNamesTheLine) {
  EXPECT_THAT(complaint("{\n\"search\": {,}\n}"), HasSubstr("line 2"));
}

}  // namespace
}  // namespace noctune
