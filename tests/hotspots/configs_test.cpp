// The campaigns of configs/ and the specs of hotspots/ are read by the program's own codecs and fit one
// another.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/files.hpp"
#include "base/json.hpp"
#include "model/campaign_json.hpp"
#include "model/expression.hpp"
#include "model/mep_spec_json.hpp"
#include "places.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;

const fs::path root = NOCTUNE_SOURCE_DIR;

std::vector<fs::path> files_ending(const fs::path& folder, const std::string& end) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().string().ends_with(end)) found.push_back(entry.path());
  }
  return found;
}

// Every hotspot's source, for all backends. Versions tuned by hand lie deeper and have no spec.
std::vector<fs::path> hotspot_sources() {
  auto found = files_ending(root / "hotspots", ".cpp");
  for (const fs::path& path : files_ending(root / "hotspots/cuda", ".cu")) found.push_back(path);
  return found;
}

fs::path spec_beside(const fs::path& source) {
  return fs::path(source).replace_extension(".mep.json");
}

// A campaign as a program without GPU backends could read it: its files are looked at here, not its platform.
Campaign campaign_at(const fs::path& path) {
  return read_campaign(path, {"platform.backend=openmp"});
}

MepSpec spec_at(const fs::path& path) {
  return read_mep_spec(value_or_throw(read_json(path)));
}

std::string text_of(const fs::path& path) {
  return value_or_throw(read_file(path));
}

// The sizes of a case with "auto" at the declared value.
Symbols sizes_of(const MepSpec& spec, const CaseSpec& one) {
  Symbols symbols;
  for (const SizeSpec& size : spec.sizes) symbols[size.name] = static_cast<double>(size.value);
  for (const auto& [name, expression] : one.sizes) {
    if (expression == "auto") continue;
    symbols[name] = value_or_throw(evaluate(expression, symbols));
  }
  for (const DataSpec& data : spec.data) symbols[data.name + ".nnz"] = 10;
  return symbols;
}

TEST(Configs, every_campaign_is_read_and_names_files_that_exist) {
  const auto configs = files_ending(root / "configs", ".json");
  ASSERT_GE(configs.size(), 3u);
  for (const fs::path& path : configs) {
    SCOPED_TRACE(path);
    const Campaign campaign = campaign_at(path);
    EXPECT_EQ(campaign.name, path.stem());
    ASSERT_FALSE(campaign.hotspots.empty());
    for (const HotspotConfig& hotspot : campaign.hotspots) {
      const MepSpec spec = spec_at(hotspot.mep_path);
      EXPECT_EQ(spec.entry, hotspot.entry);
      EXPECT_NE(text_of(hotspot.source).find("extern \"C\" void " + hotspot.entry + "("), std::string::npos);
    }
  }
}

TEST(Configs, the_full_campaign_holds_every_kernel_once) {
  std::set<std::string> names;
  for (const HotspotConfig& hotspot : read_campaign(root / "configs/cpu-all.json", {}).hotspots) {
    EXPECT_TRUE(names.insert(hotspot.name).second) << hotspot.name;
  }
  for (const fs::path& source : files_ending(root / "hotspots", ".cpp"))
    EXPECT_TRUE(names.count(source.stem())) << source;
}

TEST(Configs, the_campaign_for_cuda_holds_every_cuda_source_once) {
  std::multiset<std::string> listed, there;
  for (const HotspotConfig& hotspot : campaign_at(root / "configs/cuda-first.json").hotspots) {
    EXPECT_EQ(hotspot.name, fs::path(hotspot.source).stem());
    listed.insert(hotspot.name);
  }
  for (const fs::path& source : files_ending(root / "hotspots/cuda", ".cu")) there.insert(source.stem());
  EXPECT_EQ(listed, there);
  EXPECT_EQ(listed.size(), 8u);
}

// Hotspots whose spec lies in a suite's folder, by campaign.
std::multiset<std::string> listed_specs(const std::string& config) {
  std::multiset<std::string> listed;
  for (const HotspotConfig& hotspot : campaign_at(root / "configs" / (config + ".json")).hotspots)
    listed.insert(fs::path(hotspot.mep_path).filename());
  return listed;
}

std::multiset<std::string> specs_in(const std::string& suite) {
  std::multiset<std::string> there;
  for (const auto& entry : fs::recursive_directory_iterator(root / "hotspots" / suite))
    if (entry.path().string().ends_with(".mep.json")) there.insert(entry.path().filename());
  return there;
}

TEST(Configs, a_suites_campaigns_hold_each_of_its_hotspots_once) {
  const std::map<std::string, std::size_t> sizes = {{"polybench", 20}, {"sdk", 12}, {"apps", 8}};
  std::multiset<std::string> all;
  for (const auto& [suite, size] : sizes) {
    const std::multiset<std::string> there = specs_in(suite);
    EXPECT_EQ(there.size(), size);
    for (const char* backend : {"openmp", "cuda", "hip"})
      EXPECT_EQ(listed_specs(suite + "-" + backend), there) << suite << " " << backend;
    all.insert(there.begin(), there.end());
  }
  EXPECT_EQ(listed_specs("overnight"), all);
}

TEST(Specs, every_kernel_has_one_with_a_case_to_time_and_an_odd_one_to_check) {
  for (const fs::path& source : hotspot_sources()) {
    SCOPED_TRACE(source);
    const MepSpec spec = spec_at(spec_beside(source));
    int timed = 0, checked = 0;
    for (const CaseSpec& one : spec.cases) {
      timed += one.use == CaseUse::time;
      checked += one.use == CaseUse::check;
    }
    EXPECT_EQ(timed, 1);
    EXPECT_GE(checked, 2);
  }
}

TEST(Specs, every_count_and_cost_is_positive_and_indices_fit_an_int) {
  for (const fs::path& source : hotspot_sources()) {
    const fs::path path = spec_beside(source);
    const MepSpec spec = spec_at(path);
    for (const CaseSpec& one : spec.cases) {
      SCOPED_TRACE(path.string() + ", case " + one.name);
      const Symbols symbols = sizes_of(spec, one);
      for (const ParamSpec& param : spec.params) {
        if (!param.is_pointer()) continue;
        const auto count = evaluate_integer(param.count, symbols);
        ASSERT_TRUE(count) << count.error().text();
        EXPECT_GT(*count, 0) << param.name;
        EXPECT_LT(*count, 1LL << 31) << param.name;
      }
      const auto flops = evaluate(spec.flops, symbols);
      ASSERT_TRUE(flops) << flops.error().text();
      EXPECT_GE(*flops, 0) << spec.flops;  // none where numbers are only moved
      for (const std::string& cost : {spec.bytes, spec.check.depth}) {
        const auto value = evaluate(cost, symbols);
        ASSERT_TRUE(value) << value.error().text();
        EXPECT_GT(*value, 0) << cost;
      }
    }
  }
}

}  // namespace
}  // namespace noctune
