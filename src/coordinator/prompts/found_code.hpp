// Which part of an answer is the code.
#pragma once

#include <string>

#include "base/error.hpp"
#include "coordinator/prompts/reply_blocks.hpp"

namespace noctune {

constexpr std::size_t longest_source = 200 * 1000;  // bytes of code that are read

struct FoundCode {
  std::string text;
  std::string note;  // what was odd about it; empty where nothing was
};

// The block with sentinel and entry, else the best there is; an error, in words for the model, where the
// answer holds no whole file.
Result<FoundCode> find_code(const ReplyText& reply, const std::string& entry);

}  // namespace noctune
