// Where the loops of a reader's facts end: behind their body.
#pragma once

#include <string>
#include <vector>

#include "model/source_facts.hpp"

namespace noctune {

// Sets where.end of loops that stand in `text`.
void extend_to_bodies(std::vector<SourceLoop>& loops, const std::string& text);

// Comments as code: their marks are blanks. Of the same length.
std::string with_comments_opened(std::string text);

}  // namespace noctune
