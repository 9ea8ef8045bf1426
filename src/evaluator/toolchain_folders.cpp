#include "evaluator/toolchain_folders.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/process.hpp"
#include "evaluator/gpu/gpu_tools.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t stop = std::min(text.find(separator), text.size());
    if (stop > 0) out.emplace_back(text.substr(0, stop));
    text.remove_prefix(std::min(stop + 1, text.size()));
  }
  return out;
}

// Package managers that install every package into a folder of its own beside the others.
bool is_store(const fs::path& folder) {
  const std::string text = folder.string();
  return text.find("/spack/") != std::string::npos || text.starts_with("/nix/store") ||
         text.find("/easybuild/") != std::string::npos;
}

fs::path prefix_of(const fs::path& program) {
  const fs::path folder = program.parent_path();
  if (folder.filename() != "bin") return folder;
  const fs::path prefix = folder.parent_path();
  return is_store(prefix / "") ? prefix.parent_path() : prefix;
}

bool names_folders(std::string_view name) {
  static constexpr std::string_view lists[] = {"PATH",  "LD_LIBRARY_PATH", "LIBRARY_PATH",
                                               "CPATH", "C_INCLUDE_PATH",  "CPLUS_INCLUDE_PATH"};
  if (std::find(std::begin(lists), std::end(lists), name) != std::end(lists)) return true;
  for (const std::string_view end : {"_ROOT", "_HOME", "_PATH", "ROOT"})
    if (name.ends_with(end)) return name != "HOME";
  return false;
}

// A folder in PATH has its libraries and headers beside it.
void add_with_siblings(std::vector<std::string>& out, const std::string& folder) {
  out.push_back(folder);
  const fs::path path = fs::path(folder) / "";
  if (path.parent_path().filename() != "bin") return;
  for (const char* sibling : {"lib", "lib64", "libexec", "include"})
    out.push_back((path.parent_path().parent_path() / sibling).string());
}

// True if `inner` is `outer` or lies below it.
bool contains(const fs::path& outer, const fs::path& inner) {
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

}  // namespace

std::string program_in(const std::string& program, const std::string& path) {
  if (program.find('/') != std::string::npos) return program;
  for (const std::string& folder : split(path, ':')) {
    const std::string file = folder + "/" + program;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

std::vector<std::string> installation_of(const std::string& program, const std::string& path) {
  const std::string found = program_in(program, path);
  if (found.empty()) return {};
  std::error_code ignored;
  return {fs::path(found).parent_path().string(), prefix_of(found).string(),
          prefix_of(fs::canonical(found, ignored)).string()};
}

std::string path_in(const std::vector<std::string>& environment) {
  for (const std::string& entry : environment)
    if (entry.starts_with("PATH=")) return entry.substr(5);
  return {};
}

std::string cuda_library_folder(const std::string& compiler, const std::string& path) {
  std::error_code bad;
  const fs::path real = fs::canonical(program_in(compiler, path), bad);
  if (bad) return {};
  const fs::path root = real.parent_path().parent_path();
  for (const char* folder : {"lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "lib"})
    if (fs::exists(root / folder / "libcudart.so", bad)) return (root / folder).string();
  return {};
}

std::string gpu_program(const std::string& backend, const std::string& purpose, const std::string& compiler) {
  const std::vector<std::string> environment = compiler_environment();
  const std::string path = path_in(environment);
  std::error_code bad;
  const std::string file = fs::canonical(program_in(compiler, path), bad).string();
  for (const std::string& program : gpu_programs(backend, purpose)) {
    if (const std::string found = program_in(program, path); !found.empty()) return found;
    for (const std::string& place : gpu_program_places(program, toolkit_root(backend, file, environment)))
      if (::access(place.c_str(), X_OK) == 0) return place;
  }
  return {};
}

std::vector<std::string> folders_in(const std::vector<std::string>& environment) {
  std::vector<std::string> out;
  for (const std::string& entry : environment) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || !names_folders(std::string_view(entry).substr(0, equals))) continue;
    const bool programs = entry.starts_with("PATH=");
    for (const std::string& folder : split(std::string_view(entry).substr(equals + 1), ':'))
      programs ? add_with_siblings(out, folder) : out.push_back(folder);
  }
  return out;
}

std::vector<std::string> folders_in_flags(const std::vector<std::string>& flags) {
  static constexpr std::string_view before_a_folder[] = {
      "-I",       "-L",         "-B",          "-isystem",    "-iquote",         "-idirafter",
      "-include", "--sysroot=", "-Wl,-rpath,", "-Wl,-rpath=", "--gcc-toolchain="};
  std::vector<std::string> out;
  for (std::size_t i = 0; i < flags.size(); ++i)
    for (const std::string_view start : before_a_folder) {
      if (!flags[i].starts_with(start)) continue;
      const bool in_the_next = flags[i].size() == start.size() && i + 1 < flags.size();
      out.push_back(in_the_next ? flags[i + 1] : flags[i].substr(start.size()));
    }
  return out;
}

bool may_be_read(const std::string& folder, const std::vector<fs::path>& kept) {
  static constexpr std::string_view never[] = {"/",     "/etc", "/proc", "/sys", "/dev",  "/root",
                                               "/home", "/tmp", "/var",  "/run", "/boot", "/mnt"};
  if (!folder.starts_with('/')) return false;
  std::error_code bad;
  const fs::path real = fs::canonical(folder, bad);
  if (bad || std::find(std::begin(never), std::end(never), real.string()) != std::end(never)) return false;
  for (const std::string_view system : {"/etc", "/proc", "/dev"})
    if (contains(system, real)) return false;
  std::vector<fs::path> hidden = kept;
  if (const char* home = std::getenv("HOME")) hidden.emplace_back(home);
  hidden.push_back(fs::current_path(bad));
  return std::none_of(hidden.begin(), hidden.end(), [&](const fs::path& one) {
    return contains(real, one) || contains(real, fs::weakly_canonical(one, bad));
  });
}

}  // namespace noctune
