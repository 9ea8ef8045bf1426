#include "llm/classify_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "llm/json_field.hpp"

namespace noctune {
namespace {

struct Word {
  const char* text;
  ChatOutcome outcome;
};

// Codes and types, compared whole and in lower case; the first match counts.
constexpr std::array known_words = {Word{"insufficient_quota", ChatOutcome::quota_dead},
                                    Word{"billing_hard_limit_reached", ChatOutcome::quota_dead},
                                    Word{"billing_not_active", ChatOutcome::quota_dead},
                                    Word{"billing_error", ChatOutcome::quota_dead},
                                    Word{"insufficient_balance", ChatOutcome::quota_dead},
                                    Word{"exceeded_current_quota_error", ChatOutcome::quota_dead},
                                    Word{"enforced_spend_limit_reached", ChatOutcome::quota_dead},
                                    Word{"context_length_exceeded", ChatOutcome::context_too_long},
                                    Word{"exceed_context_size_error", ChatOutcome::context_too_long},
                                    Word{"request_too_large", ChatOutcome::context_too_long},
                                    Word{"content_filter", ChatOutcome::refused},
                                    Word{"content_policy_violation", ChatOutcome::refused},
                                    Word{"overloaded_error", ChatOutcome::overloaded},
                                    Word{"insufficient_system_resource", ChatOutcome::overloaded},
                                    Word{"unavailable", ChatOutcome::overloaded},
                                    Word{"unavailable_error", ChatOutcome::overloaded},
                                    Word{"server_error", ChatOutcome::overloaded},
                                    Word{"api_error", ChatOutcome::overloaded},
                                    Word{"internal", ChatOutcome::overloaded},
                                    Word{"internal_error", ChatOutcome::overloaded},
                                    Word{"timeout_error", ChatOutcome::overloaded},
                                    Word{"rate_limit_error", ChatOutcome::rate_limited},
                                    Word{"rate_limit_exceeded", ChatOutcome::rate_limited},
                                    Word{"resource_exhausted", ChatOutcome::rate_limited},
                                    Word{"tokens", ChatOutcome::rate_limited},
                                    Word{"requests", ChatOutcome::rate_limited},
                                    Word{"invalid_api_key", ChatOutcome::auth_dead},
                                    Word{"authentication_error", ChatOutcome::auth_dead},
                                    Word{"permission_error", ChatOutcome::auth_dead},
                                    Word{"unauthenticated", ChatOutcome::auth_dead},
                                    Word{"invalid_request_error", ChatOutcome::bad_request},
                                    Word{"not_found_error", ChatOutcome::bad_request},
                                    Word{"badrequesterror", ChatOutcome::bad_request},
                                    Word{"invalid_argument", ChatOutcome::bad_request}};

// Texts of 400s that servers give no code of their own.
constexpr std::array known_texts = {Word{"context length", ChatOutcome::context_too_long},
                                    Word{"context size", ChatOutcome::context_too_long},
                                    Word{"context limit", ChatOutcome::context_too_long},
                                    Word{"context window", ChatOutcome::context_too_long},
                                    Word{"prompt is too long", ChatOutcome::context_too_long},
                                    Word{"credit balance", ChatOutcome::quota_dead},
                                    Word{"spend limit", ChatOutcome::quota_dead},
                                    Word{"api usage limits", ChatOutcome::quota_dead}};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

int number_of(const std::string& code) {
  int out = 0;
  const char* const end = code.data() + code.size();
  const auto [stop, error] = std::from_chars(code.data(), end, out);
  return error == std::errc() && stop == end ? out : 0;
}

std::optional<ChatOutcome> by_word(const std::string& word) {
  const std::string wanted = lower(word);
  for (const Word& known : known_words)
    if (wanted == known.text) return known.outcome;
  return {};
}

std::optional<ChatOutcome> by_text(const std::string& message) {
  const std::string text = lower(message);
  for (const Word& known : known_texts)
    if (text.find(known.text) != std::string::npos) return known.outcome;
  return {};
}

// FastAPI's: a sentence, or a list of complaints with their places.
std::string detail_text(const Json& detail) {
  if (detail.is_string()) return detail.get<std::string>();
  return text_field(element(detail, 0), "msg");
}

bool decisive(ChatOutcome outcome) {
  return outcome == ChatOutcome::quota_dead || outcome == ChatOutcome::context_too_long ||
         outcome == ChatOutcome::refused;
}

}  // namespace

ErrorWords error_words(const Json& json) {
  const Json& whole = json.is_array() ? element(json, 0) : json;
  const Json& inner = field(whole, "error");
  const Json& error = inner.is_object() ? inner : whole;
  ErrorWords out;
  out.message = inner.is_string() ? inner.get<std::string>() : text_field(error, "message");
  if (out.message.empty()) out.message = detail_text(field(whole, "detail"));
  out.code = word_field(error, "code");
  out.type = text_field(error, "type");
  if (out.type.empty() || out.type == "error") out.type = text_field(error, "status");
  out.param = text_field(error, "param");
  out.detail_code = text_field(field(error, "details"), "error_code");
  out.found = !inner.is_null() || !out.message.empty() || !out.code.empty();
  return out;
}

ChatOutcome outcome_of(const ErrorWords& words, int status, bool retry_after_given) {
  const auto code = by_word(words.code), type = by_word(words.type), text = by_text(words.message);
  const auto detail = by_word(words.detail_code);
  if (detail && !retry_after_given) return *detail;  // with it, the limit is one of a minute
  for (const auto& found : {code, type})
    if (found && decisive(*found)) return *found;
  if (const int inner = number_of(words.code); inner >= 400 && inner < 600 && status < 400) status = inner;
  const bool by_request = status == 400 || status == 402 || status == 413 || status == 422 || status == 500;
  if (text && (by_request || status < 400)) return *text;
  if (status >= 400) return outcome_of_status(status);
  if (code) return *code;
  if (type) return *type;
  return ChatOutcome::overloaded;  // it said that it failed, and not that we are to blame
}

ChatOutcome outcome_of_status(int status) {
  switch (status) {
    case 401:
    case 403:
      return ChatOutcome::auth_dead;
    case 402:
      return ChatOutcome::quota_dead;
    case 407:
      return ChatOutcome::interference;
    case 408:
    case 409:
    case 425:
      return ChatOutcome::overloaded;
    case 413:
      return ChatOutcome::context_too_long;
    case 429:
      return ChatOutcome::rate_limited;
    default:
      break;
  }
  if (status >= 500) return ChatOutcome::overloaded;
  return status >= 400 ? ChatOutcome::bad_request : ChatOutcome::interference;
}

std::string problem_of(ChatOutcome outcome) {
  switch (outcome) {
    case ChatOutcome::truncated:
      return "the output limit cut the model's answer";
    case ChatOutcome::refused:
      return "the model would not answer";
    case ChatOutcome::empty:
      return "the model's answer holds no text";
    case ChatOutcome::rate_limited:
      return "the provider's rate limit was reached";
    case ChatOutcome::overloaded:
      return "the provider cannot answer now";
    case ChatOutcome::quota_dead:
      return "the provider's quota or balance is used up";
    case ChatOutcome::auth_dead:
      return "the provider does not accept the key";
    case ChatOutcome::context_too_long:
      return "the prompt does not fit the model";
    case ChatOutcome::bad_request:
      return "the provider refused the request";
    case ChatOutcome::transport:
      return "the connection to the provider failed";
    case ChatOutcome::interference:
      return "something between here and the provider answered in its place";
    case ChatOutcome::parse_error:
      return "the provider's answer cannot be read";
    default:
      return to_text(outcome);
  }
}

std::string remedy_of(ChatOutcome outcome) {
  switch (outcome) {
    case ChatOutcome::truncated:
      return "raise model.max_output_tokens or lower model.effort";
    case ChatOutcome::refused:
      return "name another model as a fallback in model.models";
    case ChatOutcome::empty:
      return "raise model.max_output_tokens, or name a fallback in model.models";
    case ChatOutcome::rate_limited:
      return "lower model.concurrency, or ask the provider for a higher limit";
    case ChatOutcome::quota_dead:
      return "add credit or raise the spend limit at the provider, then run the same command again";
    case ChatOutcome::auth_dead:
      return "check model.key_file or model.key_env, and that the key may use this model";
    case ChatOutcome::context_too_long:
      return "use a model with a larger context; of a local server, raise its context length";
    case ChatOutcome::bad_request:
      return "check model.base_url, model.models and model.flavour";
    case ChatOutcome::transport:
      return "check the network of this node, http_proxy, https_proxy and no_proxy, and model.base_url";
    case ChatOutcome::interference:
      return "check http_proxy, https_proxy and no_proxy; set model.local for a server of your own";
    case ChatOutcome::parse_error:
      return "check model.base_url and model.flavour";
    default:
      return {};
  }
}

}  // namespace noctune
