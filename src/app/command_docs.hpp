// The command line as a man page and as shell completions, made from its grammar so that they cannot drift.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace noctune {

// `date` of the version: YYYY-MM-DD.
std::string man_page(const CLI::App& app, const std::string& version, const std::string& date);
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace noctune
