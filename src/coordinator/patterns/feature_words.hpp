// The vocabulary of kernel features: which names conditions may use, which values they take, and by which
// rule each is found. docs/patterns.md has the same table.
#pragma once

#include <string>
#include <vector>

namespace noctune {

struct FeatureWord {
  std::string name;
  std::vector<std::string> values;  // empty: a number
  std::string rule;

  bool is_number() const { return values.empty(); }
};

// In the order of the documentation.
const std::vector<FeatureWord>& feature_words();
const FeatureWord* find_feature(const std::string& name);
std::vector<std::string> feature_names();

// What a feature says where nothing is known.
inline constexpr const char* unknown_feature = "unknown";

}  // namespace noctune
