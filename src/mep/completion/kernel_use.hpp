// One call of a kernel within the entry: which of the host's values its parameters take, and how it is
// launched.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/source_facts.hpp"

namespace noctune {

struct KernelUse {
  const SourceFunction* function = nullptr;
  std::map<std::string, std::string> actual;     // argument by parameter; a missing one keeps its name
  std::map<std::string, std::string> templates;  // chosen instance: "T" = "float", "BLOCK" = "256"
  std::map<std::string, std::string> ties;       // macros that name the same size as a parameter: "NI" = "ni"
  std::vector<SourceLoop> loops;                 // of the host around it, outermost first
  std::vector<std::string> grid, block;          // texts in the host's names; empty where not known

  std::string argument(const std::string& parameter) const {
    const auto found = actual.find(parameter);
    return found == actual.end() ? parameter : found->second;
  }
};

}  // namespace noctune
