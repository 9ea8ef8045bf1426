#include "coordinator/patterns/feature_words.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"

namespace noctune {
namespace {

TEST(FeatureWords, ThePageOnPatternsDescribesEveryFeature) {
  const std::string page = value_or_throw(read_file("docs/patterns.md"));
  for (const FeatureWord& word : feature_words()) {
    const std::size_t row = page.find("| `" + word.name + "` |");
    ASSERT_NE(row, std::string::npos) << word.name;
    const std::string line = page.substr(row, page.find('\n', row) - row);
    for (const std::string& value : word.values)
      EXPECT_NE(line.find("`" + value + "`"), std::string::npos) << word.name << ": " << value;
  }
}

}  // namespace
}  // namespace noctune
