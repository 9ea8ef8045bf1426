// The model's answers in a results file, by slot: what a replay answers from.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/error.hpp"
#include "model/chat.hpp"

namespace noctune {

// By slot_text; only answers that are worth giving again.
Result<std::map<std::string, ChatReply>> recorded_replies(const std::filesystem::path& results);

}  // namespace noctune
