// How much a folder holds, for limits that the kernel does not keep: its own are for single files.
#pragma once

#include <string>

namespace noctune {

struct FolderUse {
  long long bytes = 0;  // on disk
  long long entries = 0;
};

// Of everything below it; links are counted, not followed. Stops looking soon after `most_entries`, 0 =
// never: what it has counted by then is enough to judge.
FolderUse folder_use(const std::string& path, long long most_entries);

}  // namespace noctune
