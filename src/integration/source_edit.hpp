// Source texts changed by places: what comes in, what goes out, and names that are replaced.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/source_facts.hpp"

namespace noctune {

// The text's tokens with single spaces, without comments: equal for texts that differ in layout alone.
std::string canonical(const std::string& text);
std::string piece(const std::string& text, const TextRange& range);

struct TextEdit {
  std::size_t begin = 0, end = 0;  // replaced bytes; equal: put in before `begin`
  std::string text;
};
// Edits must not overlap; of those at one place the first given comes first.
std::string edited(const std::string& text, std::vector<TextEdit> edits);

// Whole identifiers outside comments and literals, but no members: x.name, x->name, std::name.
std::string renamed(const std::string& text, const std::map<std::string, std::string>& names);
std::size_t uses_of(const std::string& text, const std::string& name);

// Without the blanks around it.
std::string trimmed_line(const std::string& line);

// The #include lines, trimmed, in order.
std::vector<std::string> include_lines(const std::string& text);
// All lines that start with #, which canonical() passes over.
std::vector<std::string> directive_lines(const std::string& text);
std::string without_includes(const std::string& text);
// Puts lines that the text lacks behind its last #include, or on its top.
TextEdit missing_includes(const std::string& text, const std::vector<std::string>& wanted);

// Where the comment lines right above a place begin, or the line of the place.
std::size_t with_comment_above(const std::string& text, std::size_t at);
// Less the comments that it starts with.
std::string without_leading_comment(const std::string& text);

}  // namespace noctune
