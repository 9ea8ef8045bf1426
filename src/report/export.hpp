// One hotspot's result as files that stand without the campaign: the winner, its patch, the minimal
// executable program, a campaign of this hotspot alone, and how it was measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/report_data.hpp"

namespace noctune {

struct ExportedFile {
  std::string name;  // relative to the folder
  std::string text;
};

// The version exported is the confirmed winner; without one only the program is exported. An unknown hotspot,
// or one whose program is not in the file, is an error.
Result<std::vector<ExportedFile>> export_hotspot(const ResultsFile& results, const ReportData& data,
                                                 const std::string& hotspot);

// Makes the folder. A file that holds something else is an error unless `force`; nothing is written then.
Result<void> write_export(const std::vector<ExportedFile>& files, const std::filesystem::path& folder,
                          bool force);

}  // namespace noctune
