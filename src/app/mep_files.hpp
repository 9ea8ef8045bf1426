// A MEP as files: what `source`, `mep` and `context` of a campaign can name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "coordinator/completion.hpp"

namespace noctune {

struct MepFiles {
  std::filesystem::path folder;
  std::vector<std::string> written, kept;  // kept: another text stands there already
};

// File name -> text. mep.json begins with what was understood and assumed, as comments.
std::map<std::string, std::string> mep_texts(const CompletedMep& completed);

// Writes them into `folder`, which is made. A file that holds something else is kept unless `force`.
Result<MepFiles> write_mep(const CompletedMep& completed, const std::filesystem::path& folder, bool force);

// The hotspot's entry in a campaign beside which `files.folder` lies.
std::string hotspot_entry(const CompletedMep& completed, const MepFiles& files);

}  // namespace noctune
