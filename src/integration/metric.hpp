// The figure of merit of one run, from where the campaign says that it stands.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "model/application.hpp"

namespace noctune {

struct RunTraces {
  double seconds = 0;            // wall time
  std::string output;            // of the run, both streams
  std::filesystem::path folder;  // of the application
};

// A positive, finite number, or why there is none.
Result<double> read_metric(const MetricConfig& metric, const RunTraces& run);

}  // namespace noctune
