// What stands in the way of a MEP, and names that nobody declares.
#pragma once

#include <set>
#include <string>

#include "mep/reading/file_reader.hpp"

namespace noctune::reading {

void find_problems(const std::string& source, SourceFacts& facts);
// A text that is no source of a dialect that can be read: nothing else need be asked.
bool find_foreign(const std::string& source, SourceFacts& facts);
void find_unknowns(const FileFacts& file, const std::set<std::string>& macros, SourceFacts& facts);

}  // namespace noctune::reading
