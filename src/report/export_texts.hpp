// The texts of an export that are written for it: the campaign and the page for people.
#pragma once

#include <string>

#include "report/report_data.hpp"

namespace noctune {

struct ExportFacts {
  const ReportHotspot* hotspot = nullptr;
  const ReportCandidate* winner = nullptr;  // null: the original was not beaten
  std::string config;                       // of the campaign, JSON; may be empty
  std::string original_name, winner_name;   // files
  bool has_context = false;
  std::vector<std::string> data_files;  // that the spec names and the results do not hold
};

// A campaign of the hotspot alone, with the settings it was measured under. Paths are relative to its folder.
std::string export_campaign(const ExportFacts& facts);
std::string export_readme(const ReportData& data, const ExportFacts& facts);

}  // namespace noctune
