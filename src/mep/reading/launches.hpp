// Launches outside bodies: in comments and in snippets; and their shapes told without names of locals.
#pragma once

#include <vector>

#include "mep/reading/body_reader.hpp"
#include "mep/reading/prepare.hpp"

namespace noctune::reading {

// Replaces dim3 and integer locals in grid, block and shared_bytes by their values, but no name that is also
// an argument of the launch.
void resolve_shapes(std::vector<SourceLaunch>& launches, const SourceFunction& host,
                    const std::map<std::string, std::map<char, std::string>>& dims);

std::vector<SourceLaunch> launches_in_comments(const std::vector<Comment>& comments, const SourceFacts& facts,
                                               const Macros& macros);

// Of host code on its own, with the source's macros; `in_comment` demands more of what looks like a call.
std::vector<SourceLaunch> launches_in(const std::string& code, const SourceFacts& facts, const Macros& macros,
                                      bool in_comment);

}  // namespace noctune::reading
