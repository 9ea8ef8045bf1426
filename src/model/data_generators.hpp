// The generators of joint data: what a spec may say to each, the parts that parameters may take their
// contents from, and the counts that expressions may use. docs/mep.md explains them.
#pragma once

#include <string>
#include <vector>

#include "model/mep_spec.hpp"

namespace noctune {

struct DataField {
  enum class Kind { expression, word, data };  // data: the name of an earlier data set
  std::string name;
  Kind kind = Kind::expression;
  bool required = false;
  std::string fallback;            // empty: the generator chooses
  std::vector<std::string> words;  // word: those known
};

struct DataGenerator {
  std::string name;
  std::vector<DataField> fields;
  std::vector<std::string> parts;    // empty: the spec declares them
  std::vector<std::string> whole;    // of these parts: indices and counts, for integer elements only
  std::vector<std::string> derived;  // "rows" is written "A.rows"
};

const std::vector<DataGenerator>& data_generators();
// Null where there is none of that name.
const DataGenerator* data_generator(const std::string& name);

std::vector<std::string> parts_of(const DataSpec& data);
// "A.rows", ..., and for each part its number of elements, "A.val.count".
std::vector<std::string> derived_names(const DataSpec& data);

}  // namespace noctune
