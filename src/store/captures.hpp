// Recorded launches: folders as share/capture/noctune_capture.hpp leaves them, packed into one HDF5 file with
// three tables: /launches, /arguments, and /bytes, where each distinct content lies once (docs/capture.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/hdf5.hpp"
#include "model/capture.hpp"

namespace noctune {

struct PackedCaptures {
  long long launches = 0;             // different shapes
  long long recorded = 0;             // folders read
  long long bytes = 0;                // of contents, each once
  std::vector<std::string> problems;  // what was left out, and why
  std::vector<std::string> notes;     // what a person has to look at
};

// Reads every capture in `folder` and writes `target` beside its final name first. Launches of one shape in
// several processes become one, with their counts added up. Arguments that were recorded without names get
// those of `known`. Fails when there is no whole capture.
Result<PackedCaptures> pack_captures(const std::filesystem::path& folder, const std::filesystem::path& target,
                                     const std::vector<KernelParameters>& known = {});

// A packed file, to read.
class CaptureFile {
 public:
  static Result<CaptureFile> open(const std::filesystem::path& path);
  const std::vector<CapturedLaunch>& launches() const { return launches_; }
  Result<std::string> contents(const CapturedArgument& argument) const;

 private:
  explicit CaptureFile(Hdf5File file) : file_(std::move(file)) {}
  Hdf5File file_;
  std::vector<CapturedLaunch> launches_;
};

}  // namespace noctune
