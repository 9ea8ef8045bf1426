// Reads files that may be damaged in a child process: the HDF5 library can crash, or never end, on some of
// them.
#pragma once

#include <functional>
#include <string>

namespace noctune {

struct ChildText {
  int code = 0;      // exit code; 0: all went well
  std::string text;  // what the work returned, or why it failed
};

// Runs `work` in a child of this process and returns its text. UserErrors and other exceptions end there with
// their code and text. A crash becomes a failure that says `file` is damaged and what helps. Call it before
// any thread was started.
ChildText read_in_child(const std::string& file, const std::function<std::string()>& work);

}  // namespace noctune
