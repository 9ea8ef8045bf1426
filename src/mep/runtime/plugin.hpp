// The plugin: loaded with RTLD_LOCAL, so that it can replace none of the driver's symbols.
#pragma once

#include "entry.hpp"
#include "report.hpp"
#include "team.hpp"

namespace noctune {

struct Plugin {
  Symbol entry = nullptr;          // or the user's check
  Symbol setup = nullptr;          // where the spec asks for it
  Symbol scratch_bytes = nullptr;  // likewise
  double load_seconds = 0;
  bool arithmetic_changed = false;
};

enum class Loads {
  version,  // of the entry, with its setup and scratch where the spec asks for them
  check     // the user's <entry>_check, which takes the place of the entry
};

// Refuses through the report when the file cannot be loaded or lacks a symbol.
Plugin load_plugin(const std::string& path, Loads what, const Team& team, Report& report);

}  // namespace noctune
