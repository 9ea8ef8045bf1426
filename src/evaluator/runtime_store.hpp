// Compiled driver runtimes kept from one run to the next: compiling one takes longer than many a baseline.
#pragma once

#include <filesystem>
#include <string>

#include "mep/driver_sources.hpp"

namespace noctune {

class RuntimeStore {
 public:
  // $XDG_CACHE_HOME/noctune/runtimes, or ~/.cache/noctune/runtimes; keeps nothing where neither is known.
  RuntimeStore();
  // Anyone may remove the folder, or anything in it, at any time.
  explicit RuntimeStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // All that an object depends on: sources, arguments, and the compiler with its version and what it reads
  // from the environment.
  static std::string key(const DriverBuild& build, const std::string& compiler, const std::string& version);

  // Copies the kept object to `object`. False where there is none, or it is damaged.
  bool fetch(const std::string& key, const std::filesystem::path& object) const;
  // Keeps a copy, and the newest few of all. What cannot be kept is compiled again next time.
  void keep(const std::string& key, const std::filesystem::path& object) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace noctune
