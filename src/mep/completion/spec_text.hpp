// Host code's integer expressions as the spec writes them: "n/2" is floor(n/2) there.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "mep/completion/c_expression.hpp"

namespace noctune {

// `renamed` gives the entry's names of the host's. Nothing where the spec has no words for it.
std::optional<std::string> spec_text(const std::string& expression,
                                     const std::map<std::string, std::string>& renamed = {});

// The same C text with names replaced, whole words only.
std::string with_names(const std::string& text, const std::map<std::string, std::string>& renamed);

}  // namespace noctune
