// A data set as the command file carries it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace noctune {

// A part whose contents come from the user's inputs.cpp or from a file.
struct JointPart {
  std::string name;
  std::uint64_t bytes = 0;  // of the whole part
  std::string file;         // where they are read; empty: inputs.cpp makes them
};

struct JointSet {
  std::string generator;
  std::vector<std::uint64_t> words = {};  // its shape, see shapes.hpp
  std::vector<JointPart> parts = {};
};

}  // namespace noctune
