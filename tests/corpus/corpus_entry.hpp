// The corpus: isolated kernels with what is known of them, one folder each beside this file.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace noctune {

// about.json and the texts beside it. A text is empty where an entry has none.
struct CorpusEntry {
  std::string name;
  std::string openmp, cuda;  // source.cpp, source.cu
  std::string reference;     // reference.cpp
  std::string expect;        // "complete", "model", "refuse"
  std::string refusal;       // what the reason of a refusal must name
  std::vector<std::string> features;
  std::string pattern;
  std::vector<std::string> kernels, cuda_kernels;  // functions that a reader must find
  std::vector<int> params, cuda_params;            // of these; empty = not stated
  std::string call_site;
  std::map<std::string, std::string> defines;        // macros that the build supplies
  std::map<std::string, std::string> check_defines;  // what else the CUDA form needs to compile
};

inline std::ostream& operator<<(std::ostream& out, const CorpusEntry& entry) {
  return out << entry.name;
}

// All entries by name. Throws where one is broken: a corpus is no untrusted text.
const std::vector<CorpusEntry>& corpus_entries();

}  // namespace noctune
