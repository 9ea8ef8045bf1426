// What is inside a built plugin: the symbols it offers and needs, and a hash of what decides its behaviour.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

struct PluginBinary {
  std::vector<std::string> defined;    // exported dynamic symbols, sorted
  std::vector<std::string> undefined;  // dynamic symbols it needs from elsewhere, without versions, sorted
  std::string code_sha;                // SHA-256 of code, constants, initial data and what they refer to
};

// Reads a 64-bit little-endian ELF shared object; anything else is an error.
Result<PluginBinary> read_plugin_binary(const std::filesystem::path& path);

}  // namespace noctune
