// The terminal report on a results file: plain aligned text, 80 columns or more, colour only when asked for.
#pragma once

#include <string>

#include "store/results_file.hpp"

namespace noctune {

struct ReportOptions {
  std::string hotspot;  // details of this one; empty: the overview
  bool colour = false;  // the caller knows whether it writes to a terminal
  int width = 100;
};

// Throws nothing; an unknown hotspot or an unreadable table is an error.
Result<std::string> render_report(const ResultsFile& results, const ReportOptions& options);

}  // namespace noctune
