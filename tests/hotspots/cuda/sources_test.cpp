// What the reader of isolated sources understands of hotspots/cuda, and what those sources promise: one text
// for CUDA and HIP, an entry as the spec says, every kernel launched on its stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "base/files.hpp"
#include "hotspots/cuda/names.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

std::string without_spaces(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

class CudaSourceText : public ::testing::TestWithParam<std::string> {
 protected:
  const std::string text_ = value_or_throw(read_file(GetParam()));
  const SourceFacts facts_ = read_source(text_);
  const MepSpec spec_ = cuda_spec(std::filesystem::path(GetParam()).stem());
};

TEST_P(CudaSourceText, is_understood) {
  EXPECT_EQ(facts_.language, "cuda");
  for (const SourceProblem& problem : facts_.problems) EXPECT_FALSE(problem.fatal) << problem.text;
  EXPECT_THAT(facts_.unknown_types, ::testing::ElementsAre("mep_stream_t"));
  EXPECT_THAT(facts_.unknown_names, ::testing::IsEmpty());
}

TEST_P(CudaSourceText, has_the_entry_of_its_spec) {
  const SourceFunction* entry = facts_.function(spec_.entry);
  ASSERT_NE(entry, nullptr);
  EXPECT_TRUE(entry->c_linkage);
  ASSERT_EQ(entry->params.size(), spec_.params.size() + 1);
  for (std::size_t i = 0; i < spec_.params.size(); ++i) {
    EXPECT_EQ(entry->params[i].name, spec_.params[i].name);
    EXPECT_EQ(without_spaces(entry->params[i].type), without_spaces(spec_.params[i].type));
  }
  EXPECT_EQ(entry->params.back().type, "mep_stream_t");
}

TEST_P(CudaSourceText, launches_every_kernel_on_the_stream) {
  std::set<std::string> kernels, launched;
  for (const SourceFunction& one : facts_.functions)
    if (one.kind == SourceFunction::Kind::kernel) kernels.insert(one.name);
  for (const SourceLaunch& launch : facts_.launches) {
    launched.insert(launch.kernel);
    EXPECT_EQ(launch.stream, "stream") << launch.kernel;
    EXPECT_EQ(launch.enclosing, spec_.entry);
  }
  EXPECT_FALSE(kernels.empty());
  EXPECT_EQ(kernels, launched);
}

TEST_P(CudaSourceText, calls_no_runtime_and_includes_nothing) {
  EXPECT_FALSE(std::regex_search(text_, std::regex("\\b(cuda|hip)[A-Z]\\w*|#\\s*include")));
}

INSTANTIATE_TEST_SUITE_P(Hotspots, CudaSourceText, ::testing::ValuesIn(cuda_sources()), word_of_source);

TEST(CudaFolder, holds_naive_sources_without_shared_memory) {
  for (const std::string& name : cuda_names()) {
    const SourceFacts facts =
        read_source(value_or_throw(read_file((cuda_folder() / (name + ".cu")).string())));
    for (const SourceFunction& one : facts.functions)
      EXPECT_THAT(one.shared, ::testing::IsEmpty()) << one.name;
  }
}

TEST(CudaFolder, holds_what_these_tests_look_at_and_nothing_else) {
  for (const std::filesystem::path& folder : {cuda_folder(), cuda_folder() / "tuned"}) {
    std::vector<std::string> there;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".cu") there.push_back(entry.path().stem());
    EXPECT_THAT(there, ::testing::UnorderedElementsAreArray(cuda_names())) << folder;
  }
}

}  // namespace
}  // namespace noctune
