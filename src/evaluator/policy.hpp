// Gate 1: what a candidate may contain, before and after it is built. What gets past it still meets the
// sandbox, the driver and the checks: the policy is there for clear words and early ends (docs/trust.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluator/plugin_binary.hpp"

namespace noctune {

// The source without comments and with white space collapsed: equal texts are the same program.
std::string normalised_source(const std::string& source);

// Why the source is refused, or nothing. What `original`, K(0), does itself is allowed.
std::optional<std::string> source_objection(const std::string& source, const std::string& original = {});

// Comments that stand for code left out, like "// ... rest of the code".
std::vector<std::string> placeholders_in(const std::string& source);

// Why the built plugin is refused: the entry is missing, or it needs things (files, processes, sockets,
// clocks, the harness) that K(0) itself does not need (`waived`: its PluginBinary::undefined).
std::optional<std::string> binary_objection(const PluginBinary& binary, const std::string& entry,
                                            const std::vector<std::string>& waived);

}  // namespace noctune
