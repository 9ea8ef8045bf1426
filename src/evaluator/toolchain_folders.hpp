// Where a toolchain lives: the folders that a compiler, or what it has built, must be able to read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace noctune {

// The file that a program's name stands for in a PATH; empty where there is none.
std::string program_in(const std::string& program, const std::string& path);

// The installation that a program found in PATH belongs to, links followed: its own folder, or all of PREFIX
// where it lies in PREFIX/bin. Spack and the like spread one compiler over sibling folders; then all of
// those.
std::vector<std::string> installation_of(const std::string& program, const std::string& path);

// The value of PATH among NAME=VALUE entries.
std::string path_in(const std::vector<std::string>& environment);

// Where the run-time library of a CUDA compiler lies, links followed; empty where it is not beside the
// compiler.
std::string cuda_library_folder(const std::string& compiler, const std::string& path);

// A program for a purpose (gpu_tools.hpp) in PATH, or in the toolkit that the compiler belongs to; empty
// where there is none.
std::string gpu_program(const std::string& backend, const std::string& purpose, const std::string& compiler);

// Folders that an environment's lists and toolkit roots (PATH, CPATH, CUDA_HOME, ...) name.
std::vector<std::string> folders_in(const std::vector<std::string>& environment);

// Folders that compiler flags name: -I, -L, -isystem, -B, -rpath and the like.
std::vector<std::string> folders_in_flags(const std::vector<std::string>& flags);

// False for folders that hold more than tools: the root, system settings, homes, and whatever contains the
// user's home, the current folder or one of `kept`.
bool may_be_read(const std::string& folder, const std::vector<std::filesystem::path>& kept);

}  // namespace noctune
