// From what came back to what it means. Pure functions; the messages are for people and say problem, reason
// and remedy.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/http_types.hpp"
#include "base/json.hpp"
#include "llm/wire.hpp"
#include "model/chat.hpp"

namespace noctune {

struct Finding {
  ChatOutcome outcome = ChatOutcome::ok;
  std::string message = {};                  // empty for ok
  std::string param = {};                    // bad_request: what was refused
  std::optional<double> retry_after_s = {};  // what the server asks for
  std::optional<bool> should_retry = {};     // x-should-retry, which outranks our own rules
  bool ambiguous = false;                    // no answer, yet it may have been served and billed
  bool paid = false;                         // an answer had begun
};

// Any answer but a readable one with status 200. `body` is its beginning; `now` in seconds since the epoch.
Finding classify_answer(int status, const HttpHeaders& headers, std::string_view body, double now);
// An error object inside an answer whose status said nothing of it: in a body or amid a stream.
Finding classify_error(const Json& error, int status, const HttpHeaders& headers, double now);
// An exchange that failed below HTTP.
Finding classify_failure(const HttpResponse& response);
// A reply that was read to its end, complete or not. `text` is without reasoning.
Finding classify_reply(const WireReply& reply, ChatOutcome ending, const std::string& text);

// Seconds to wait, from retry-after-ms, then retry-after as a number or an HTTP date.
std::optional<double> retry_after(const HttpHeaders& headers, double now);
// The first 200 printable characters, on one line.
std::string excerpt(std::string_view body);

}  // namespace noctune
