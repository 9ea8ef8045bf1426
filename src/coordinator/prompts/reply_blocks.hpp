// The fenced blocks of a model's answer.
#pragma once

#include <string>
#include <vector>

namespace noctune {

struct ReplyBlock {
  std::string language;  // first word of the info string, lower case; may be empty
  std::string info;      // the whole info string
  std::string before;    // the last line above the block that says anything
  std::string content;   // lines between the fences
  bool closed = false;   // false: the answer ended, or another block began, before the closing fence
};

struct ReplyText {
  std::string outside;  // what stands outside all blocks
  std::vector<ReplyBlock> blocks;
};

// Fences are three or more backticks or tildes after at most three blanks, closed by as many of the same
// alone on a line. Reasoning up to the last </think> is left out first. CR, byte order marks and blanks of
// other widths become plain. Of a block that is no code but holds fences, as of Markdown,
// the inner blocks count.
ReplyText read_blocks(const std::string& reply);

// "cpp", "c++", "cuda" and their kin.
bool is_code_language(const std::string& language);

}  // namespace noctune
