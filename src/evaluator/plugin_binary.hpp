// What is inside a built plugin: the symbols it offers and needs, and a hash of what decides its behaviour.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

struct PluginBinary {
  std::vector<std::string> defined;  // exported dynamic symbols, sorted
  // What it needs from elsewhere, sorted: dynamic symbols without versions, and in brackets what else it asks
  // of the process that loads it, such as "[executable stack]" (see trait_text).
  std::vector<std::string> undefined;
  std::string code_sha;  // SHA-256 of code, constants, initial data and what they refer to
};

// Reads a 64-bit little-endian ELF shared object; anything else is an error.
Result<PluginBinary> read_plugin_binary(const std::filesystem::path& path);

// The bracketed entries of `undefined` as a sentence about the plugin; empty for symbols.
std::string trait_text(const std::string& needed);

}  // namespace noctune
