// What an adviser says of the place of one version, asked again where its answer came to nothing.
#pragma once

#include <string>

#include "integration/placement.hpp"
#include "integration/placer.hpp"

namespace noctune {

class PlaceDialog {
 public:
  // `first`: the question that nothing has answered yet. `repairs`: of answers, at most.
  PlaceDialog(PlaceAdviser& adviser, PlaceQuestion first, int repairs)
      : adviser_(adviser), question_(std::move(first)), repairs_(repairs) {}

  // The next answer() asks somebody.
  bool is_open() const { return answer_.empty() || refused_; }
  // Holds until something refuses it. An error: no answer will come.
  Task<Result<std::string>> answer();
  // What became of the answer, with the output of the step that failed. True where it is to be mended.
  bool ended(PlacementVerdict verdict, const std::string& reason, const std::string& diagnostics);

 private:
  PlaceAdviser& adviser_;
  PlaceQuestion question_;
  int repairs_;
  std::string answer_;
  bool refused_ = false;  // by what came after it
};

}  // namespace noctune
