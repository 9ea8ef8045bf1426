// Honest code is let through: every hotspot and every hand-tuned version, as source and as built plugin.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>

#include "base/files.hpp"
#include "evaluator/policy.hpp"
#include "places.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sources_in(const char* folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(fs::path(NOCTUNE_SOURCE_DIR) / folder))
    if (entry.path().extension() == ".cpp" && entry.path().stem() != "speedup") out.push_back(entry.path());
  return out;
}

class HonestSource : public ::testing::TestWithParam<fs::path> {};

TEST_P(HonestSource, PassesThePolicy) {
  const std::string source = value_or_throw(read_file(GetParam()));
  EXPECT_EQ(source_objection(source).value_or(""), "");
  std::smatch entry;
  ASSERT_TRUE(std::regex_search(source, entry, std::regex("extern \"C\" void (\\w+)\\(")));
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-test"));
  const fs::path plugin = folder.path() / "plugin.so";
  const std::string command =
      "g++ -O2 -march=native -fopenmp -fPIC -shared -o " + plugin.string() + " " + GetParam().string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  const PluginBinary binary = value_or_throw(read_plugin_binary(plugin));
  EXPECT_EQ(binary_objection(binary, entry[1], {}).value_or(""), "");
}

std::string name_of(const fs::path& path) {
  std::string name = path.stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Hotspot, HonestSource, ::testing::ValuesIn(sources_in("hotspots")),
                         [](const auto& instance) { return name_of(instance.param); });
INSTANTIATE_TEST_SUITE_P(HandTuned, HonestSource, ::testing::ValuesIn(sources_in("benchmarks/handtuned")),
                         [](const auto& instance) { return name_of(instance.param); });

}  // namespace
}  // namespace noctune
