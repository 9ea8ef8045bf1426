// Host code that stands in a source's comments: "called as: f(n, x, y);", with the loops around it.
#pragma once

#include <string>
#include <vector>

#include "model/source_facts.hpp"

namespace noctune {

struct CommentedCalls {
  std::string text;  // what the offsets of the launches refer to
  std::vector<SourceLaunch> launches;
};

// Of the comment that shows most calls of these functions; empty where none does.
CommentedCalls calls_in_comments(const std::string& source, const SourceFacts& facts,
                                 const std::vector<const SourceFunction*>& functions);

}  // namespace noctune
