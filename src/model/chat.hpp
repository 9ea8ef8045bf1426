// What is asked of a language model and what comes back. Plain data; the adapters in llm turn it into the
// wire formats of the providers.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace noctune {

// The logical place of a model call in a campaign. A slot is answered once: a resumed run, and a replay, find
// the answer by it and send nothing.
struct CallSlot {
  std::string hotspot;
  std::string arm = "loop";  // loop, direct, sampling
  int replicate = 0;
  int round = 0;        // of the search, from 1; 0 before the first
  int sample = 0;       // within the round, from 0
  int repair = 0;       // 0 a first answer, then the repairs in order
  std::string purpose;  // plan, write, repair, format, summarise
};
// "gemm/loop/0/2/1/0/write": one name for journals, spool files and replay folders.
std::string slot_text(const CallSlot& slot);

enum class ChatRole { system, user, assistant };
const char* to_text(ChatRole role);
ChatRole chat_role_from(const std::string& text);

struct ChatMessage {
  ChatRole role = ChatRole::user;
  std::string content;
};

struct ChatRequest {
  std::vector<ChatMessage> messages;
  std::string prompt_template;  // name and version of what rendered it, "write/1"
  std::string model;            // empty: the endpoint's first
  int max_output_tokens = 0;    // reasoning included; 0: the endpoint's setting
  std::optional<double> temperature;
  std::string effort;             // reasoning effort; empty: the provider's default
  std::size_t stable_prefix = 0;  // bytes of the first user message that many requests share, for caches
};

// Every way in which a call can end.
enum class ChatOutcome {
  ok,
  truncated,         // the output limit cut it
  refused,           // the model or a filter would not answer
  empty,             // ended properly without text
  rate_limited,      // 429 and its kin: worth waiting
  overloaded,        // 5xx, 529: worth waiting
  quota_dead,        // no money, no quota: nothing will come
  auth_dead,         // key refused
  context_too_long,  // the prompt does not fit the model
  bad_request,       // a parameter is refused; `param` names it where the provider does
  transport,         // connection failed or ended before the terminal marker
  interference,      // something between us and the provider answered: portal, proxy, firewall
  parse_error,       // an answer that cannot be read
  over_budget,       // not sent: a cap of the campaign would be passed
  waiting,           // not answered yet; another run will find the answer
  stopped            // the run is being stopped
};
const char* to_text(ChatOutcome outcome);
ChatOutcome chat_outcome_from(const std::string& text);

struct TokenUsage {
  long long in = 0;         // whole prompt, cached parts included
  long long cached = 0;     // of `in`, read from the provider's cache
  long long written = 0;    // of `in`, written to the provider's cache
  long long out = 0;        // reasoning included
  long long reasoning = 0;  // of `out`
  bool estimated = false;   // the provider did not say
};

struct ChatReply {
  ChatOutcome outcome = ChatOutcome::transport;
  std::string text;      // of the answer, valid UTF-8; reasoning left out
  std::string message;   // for people, where the outcome is not ok
  std::string param;     // bad_request: the parameter that was refused
  std::string provider;  // endpoint's name
  std::string model_asked, model_served;
  std::string parameters;     // as sent, JSON
  std::string finish_reason;  // the provider's own word
  std::string request_id;     // the provider's
  TokenUsage usage;           // summed over all attempts
  double cost = 0;            // in the price table's currency, summed over all attempts
  double seconds = 0;         // from the first sending to the end, waiting included
  int attempts = 0;           // requests sent
};

// An answer that was recorded, and the id of its call.
struct RecordedReply {
  long long call = 0;
  ChatReply reply;
};

}  // namespace noctune
