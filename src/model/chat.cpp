#include "model/chat.hpp"

#include <array>
#include <stdexcept>

namespace noctune {
namespace {

constexpr std::array roles = {"system", "user", "assistant"};
constexpr std::array outcomes = {
    "ok",          "truncated",   "refused",          "empty",       "rate_limited", "overloaded",
    "quota_dead",  "auth_dead",   "context_too_long", "bad_request", "transport",    "interference",
    "parse_error", "over_budget", "waiting",          "stopped"};

template <class Enum, std::size_t size>
Enum from(const std::array<const char*, size>& names, const std::string& text, const char* what) {
  for (std::size_t i = 0; i < size; ++i)
    if (text == names[i]) return static_cast<Enum>(i);
  throw std::invalid_argument(std::string("no ") + what + " is called \"" + text + "\"");
}

}  // namespace

std::string slot_text(const CallSlot& s) {
  return s.hotspot + "/" + s.arm + "/" + std::to_string(s.replicate) + "/" + std::to_string(s.round) + "/" +
         std::to_string(s.sample) + "/" + std::to_string(s.repair) + "/" + s.purpose;
}

const char* to_text(ChatRole role) {
  return roles[static_cast<std::size_t>(role)];
}
ChatRole chat_role_from(const std::string& text) {
  return from<ChatRole>(roles, text, "role");
}
const char* to_text(ChatOutcome outcome) {
  return outcomes[static_cast<std::size_t>(outcome)];
}
ChatOutcome chat_outcome_from(const std::string& text) {
  return from<ChatOutcome>(outcomes, text, "outcome");
}

}  // namespace noctune
