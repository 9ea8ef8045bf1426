#include "evaluator/runtime_store.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "evaluator/toolchain_folders.hpp"
#include "mep/runtime_sources.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kept_at_most = 16;  // homes have quotas

fs::path cache_folder() {
  if (const char* chosen = std::getenv("XDG_CACHE_HOME"); chosen && *chosen == '/')
    return fs::path(chosen) / "noctune/runtimes";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return fs::path(home) / ".cache/noctune/runtimes";
  return {};
}

void remove_oldest(const fs::path& folder) {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    all.emplace_back(entry.last_write_time(ignored), entry.path());
  std::sort(all.rbegin(), all.rend());
  for (std::size_t i = kept_at_most; i < all.size(); ++i) fs::remove(all[i].second, ignored);
}

}  // namespace

RuntimeStore::RuntimeStore() : folder_(cache_folder()) {}

std::string RuntimeStore::key(const DriverBuild& build, const std::string& compiler,
                              const std::string& version) {
  std::string all = "driver runtime";
  const auto add = [&](const std::string& part) { all += '\0' + part; };
  ::utsname machine{};
  ::uname(&machine);
  add(machine.machine);
  const std::vector<std::string> environment = compiler_environment();
  const fs::path file = program_in(compiler, path_in(environment));
  std::error_code bad;
  const auto size = fs::file_size(file, bad);
  const auto changed = fs::last_write_time(file, bad).time_since_epoch().count();
  for (const std::string& part : {file.string(), std::to_string(size), std::to_string(changed), version})
    add(part);
  for (const std::string& entry : environment)
    for (const char* read : {"CPATH=", "CPLUS_INCLUDE_PATH=", "NVCC_", "HIPCC_"})
      if (entry.starts_with(read)) add(entry);
  for (const std::string& argument : runtime_compile_arguments(build)) add(argument);
  for (const auto& [name, text] : runtime_sources()) {
    add(name);
    add(text);
  }
  return sha256(all);
}

// A kept file is the digest of an object, a line break and the object: homes on shared disks lose writes.
bool RuntimeStore::fetch(const std::string& key, const fs::path& object) const {
  if (folder_.empty()) return false;
  const Result<std::string> kept = read_file(folder_ / key);
  if (!kept) return false;
  const std::size_t end = kept->find('\n');
  if (end == std::string::npos) return false;
  const std::string_view bytes = std::string_view(*kept).substr(end + 1);
  return kept->compare(0, end, sha256(bytes)) == 0 && write_file(object, bytes);
}

void RuntimeStore::keep(const std::string& key, const fs::path& object) const {
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  const Result<std::string> bytes = read_file(object);
  if (bytes && replace_file(folder_ / key, sha256(*bytes) + '\n' + *bytes)) remove_oldest(folder_);
}

}  // namespace noctune
