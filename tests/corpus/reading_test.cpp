// Every source of the corpus is read: its kernels are found, with their parameters.
#include <gtest/gtest.h>

#include "corpus/corpus_entry.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

class CorpusReading : public ::testing::TestWithParam<CorpusEntry> {
 protected:
  static void expect_found(const SourceFacts& facts, const std::vector<std::string>& kernels,
                           const std::vector<int>& params) {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const SourceFunction* function = facts.function(kernels[i]);
      ASSERT_NE(function, nullptr) << kernels[i];
      EXPECT_FALSE(function->accesses.empty()) << kernels[i];
      if (i < params.size()) {
        EXPECT_EQ(function->params.size(), static_cast<std::size_t>(params[i])) << kernels[i];
      }
    }
  }
};

TEST_P(CorpusReading, FindsTheFunctionsOfTheOpenmpForm) {
  const CorpusEntry& entry = GetParam();
  const SourceFacts facts = read_source(entry.openmp, entry.defines);
  EXPECT_FALSE(facts.language == "cuda" || facts.language == "hip") << facts.language;
  expect_found(facts, entry.kernels, entry.params);
}

TEST_P(CorpusReading, FindsTheKernelsOfTheCudaForm) {
  const CorpusEntry& entry = GetParam();
  if (entry.cuda.empty()) GTEST_SKIP() << "it has no CUDA form";
  const SourceFacts facts = read_source(entry.cuda, entry.defines);
  expect_found(facts, entry.cuda_kernels, entry.cuda_params);
  for (const std::string& kernel : entry.cuda_kernels) {
    const SourceFunction* function = facts.function(kernel);
    if (function && entry.expect != "refuse") {
      EXPECT_EQ(function->kind, SourceFunction::Kind::kernel) << kernel;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusReading, ::testing::ValuesIn(corpus_entries()),
                         [](const auto& entry) { return entry.param.name; });

}  // namespace
}  // namespace noctune
