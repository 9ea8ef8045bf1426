// The grammar of the command line, for who parses it and for who describes it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/options.hpp"

namespace noctune {

// At the end of the help of every command that has no exit codes of its own.
extern const char* const common_footer;

// Parsing writes to `options` and `time_limit`, which must outlive `app`.
void add_commands(CLI::App& app, Options& options, std::string& time_limit);

}  // namespace noctune
