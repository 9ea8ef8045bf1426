// What providers call their errors, and what people are told to do about each outcome.
#pragma once

#include <string>

#include "base/json.hpp"
#include "model/chat.hpp"

namespace noctune {

// An error in the common shapes: {error:{...}}, {error:"..."}, flat, in an array, {detail:...}.
struct ErrorWords {
  std::string message, type, code, param;
  std::string detail_code;  // details.error_code
  bool found = false;
};
ErrorWords error_words(const Json& json);

// By code, type and text; `status` is the one of HTTP, 200 where the error came inside an answer.
ChatOutcome outcome_of(const ErrorWords& words, int status, bool retry_after_given);
// By the status alone.
ChatOutcome outcome_of_status(int status);

// "the model's prompt limit was passed", "shorten ..."
std::string problem_of(ChatOutcome outcome);
std::string remedy_of(ChatOutcome outcome);

}  // namespace noctune
