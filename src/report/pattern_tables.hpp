// The patterns of a results file, with names in the place of its ids.
#pragma once

#include <vector>

#include "model/pattern.hpp"
#include "store/results_file.hpp"

namespace noctune {

struct PatternTables {
  std::vector<Pattern> patterns;
  std::vector<PatternEvidence> evidence;
  std::vector<PatternTrial> trials;
};

// Rows that name a pattern or a hotspot which is not in the file are left out.
Result<PatternTables> read_pattern_tables(const ResultsFile& results);

}  // namespace noctune
