// A results file opened for reading. Errors tell a missing file, a file that is not HDF5, one that is not
// Noctune's and one written by a newer Noctune apart.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hdf5.hpp"

namespace noctune {

class ResultsFile {
 public:
  static Result<ResultsFile> open(const std::filesystem::path& path);

  // Root attributes; empty when absent.
  std::string attribute(const std::string& name) const;
  // The named columns of a table, read in one sweep; what an older file lacks is unknown,
  // and a table that it does not have yet is empty.
  // At most `count` rows from `first` on.
  Result<Hdf5Columns> columns(const std::string& table, const std::vector<std::string>& names,
                              long long first = 0,
                              long long count = std::numeric_limits<long long>::max()) const;
  // A stored text by its SHA-256.
  Result<std::string> text(const std::string& sha) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  ResultsFile(std::filesystem::path path, Hdf5File file) : path_(std::move(path)), file_(std::move(file)) {}
  std::filesystem::path path_;
  struct Place {
    long long offset = 0, length = 0;
  };
  Result<void> read_places() const;
  mutable Hdf5File file_;
  // Of texts by their SHA-256; read when the first is asked for.
  mutable std::unordered_map<std::string, Place> places_;
};

}  // namespace noctune
