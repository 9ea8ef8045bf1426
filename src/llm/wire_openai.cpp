#include "llm/wire_openai.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "llm/json_field.hpp"

namespace noctune {
namespace {

// How a family of servers wants to be told how hard to think.
enum class EffortStyle {
  reasoning_effort,   // the field of that name
  template_argument,  // chat_template_kwargs.reasoning_effort
  thinking_object,    // thinking.type enabled or disabled
  enable_thinking     // a boolean
};

struct Flavour {
  const char* name;
  const char* key_header;
  const char* cap;  // the name of the output cap
  EffortStyle effort;
};

constexpr const char* old_cap = "max_tokens";             // what most servers know
constexpr const char* new_cap = "max_completion_tokens";  // the only one OpenAI's reasoning models take
constexpr std::array flavours = {
    Flavour{"azure", "api-key", new_cap, EffortStyle::reasoning_effort},
    Flavour{"gemini", "Authorization", old_cap, EffortStyle::reasoning_effort},
    Flavour{"vllm", "Authorization", old_cap, EffortStyle::reasoning_effort},
    Flavour{"sglang", "Authorization", old_cap, EffortStyle::reasoning_effort},
    Flavour{"llamacpp", "Authorization", old_cap, EffortStyle::template_argument},
    Flavour{"ollama", "Authorization", old_cap, EffortStyle::reasoning_effort},
    Flavour{"deepseek", "Authorization", old_cap, EffortStyle::thinking_object},
    Flavour{"qwen", "Authorization", old_cap, EffortStyle::enable_thinking}};

Flavour flavour_of(const ModelSettings& settings) {
  for (const Flavour& flavour : flavours)
    if (settings.flavour == flavour.name) return flavour;
  // An unknown server would silently ignore the newer name; one that refuses the older says so, and is
  // obeyed.
  const bool own = base_url_of(settings).find("api.openai.com") != std::string::npos;
  return {"", "Authorization", own ? new_cap : old_cap, EffortStyle::reasoning_effort};
}

void set_effort(OrderedJson& body, EffortStyle style, const std::string& effort) {
  if (effort.empty()) return;
  const bool thinks = effort != "none";
  switch (style) {
    case EffortStyle::reasoning_effort:
      body["reasoning_effort"] = effort;
      break;
    case EffortStyle::template_argument:
      body["chat_template_kwargs"] = {{"reasoning_effort", effort}};
      break;
    case EffortStyle::thinking_object:
      body["thinking"] = {{"type", thinks ? "enabled" : "disabled"}};
      break;
    case EffortStyle::enable_thinking:
      body["enable_thinking"] = thinks;
      break;
  }
}

OrderedJson messages_of(const ChatRequest& request) {
  OrderedJson out = OrderedJson::array();
  for (const ChatMessage& message : request.messages)
    if (!is_blank(message.content))
      out.push_back({{"role", to_text(message.role)}, {"content", message.content}});
  return out;
}

// Some servers send the content as parts.
std::string content_text(const Json& holder) {
  const Json& content = field(holder, "content");
  if (content.is_string()) return content.get<std::string>();
  std::string out;
  if (content.is_array())
    for (const Json& part : content) out += text_field(part, "text");
  return out;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool any_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

WireCall openai_call(const ModelSettings& settings, const ChatRequest& request, const std::string& model,
                     int max_output_tokens) {
  const Flavour flavour = flavour_of(settings);
  WireCall call;
  call.url = joined_url(base_url_of(settings), "/chat/completions");
  call.key_header = flavour.key_header;
  if (call.key_header != "Authorization") call.key_prefix.clear();
  call.body["model"] = model;
  call.body["messages"] = messages_of(request);
  if (max_output_tokens > 0) call.body[flavour.cap] = max_output_tokens;
  if (const auto temperature = temperature_of(settings, request)) call.body["temperature"] = *temperature;
  set_effort(call.body, flavour.effort, effort_of(settings, request));
  call.body["stream"] = true;
  call.body["stream_options"] = {{"include_usage", true}};
  return call;
}

void OpenAiReader::read_event(const Json& event) {
  if (!field(event, "error").is_null() || text_field(event, "object") == "error") {
    fail(event);
    return;
  }
  if (reply_.id.empty()) reply_.id = text_field(event, "id");
  if (std::string model = text_field(event, "model"); !model.empty()) reply_.model = std::move(model);
  read_usage(field(event, "usage"));
  for (const Json& choice : field(event, "choices"))
    if (count_field(choice, "index") == 0) read_choice(choice, "delta");
}

void OpenAiReader::read_document(const Json& document) {
  if (!field(document, "error").is_null() || text_field(document, "object") == "error") {
    fail(document);
    return;
  }
  reply_.id = text_field(document, "id");
  reply_.model = text_field(document, "model");
  read_usage(field(document, "usage"));
  read_choice(element(field(document, "choices"), 0), "message");
  reply_.finished = true;
}

void OpenAiReader::read_choice(const Json& choice, const char* part) {
  const Json& holder = field(choice, part);
  const std::string content = content_text(holder);
  reply_.text += content;
  reply_.refusal += text_field(holder, "refusal");
  const std::size_t reasoning =
      std::max(text_field(holder, "reasoning").size(), text_field(holder, "reasoning_content").size());
  reply_.reasoning_bytes += reasoning;
  const Json& calls = field(holder, "tool_calls");
  reply_.tool_calls = reply_.tool_calls || (calls.is_array() && !calls.empty());
  reply_.tokens = reply_.tokens || !content.empty() || reasoning > 0;
  if (std::string reason = text_field(choice, "finish_reason"); !reason.empty()) {
    reply_.finish_reason = std::move(reason);
    reply_.terminal = true;
  }
}

void OpenAiReader::read_usage(const Json& usage) {
  const long long in = count_field(usage, "prompt_tokens"), out = count_field(usage, "completion_tokens");
  if (in + out == 0) return;  // some servers write zeros for "not counted"
  const Json& in_details = field(usage, "prompt_tokens_details");
  TokenUsage& to = reply_.usage;
  to.in = in;
  to.out = out;
  to.cached =
      std::max(count_field(in_details, "cached_tokens"), count_field(usage, "prompt_cache_hit_tokens"));
  to.cached = std::min(to.cached, in);
  to.written = std::min(count_field(in_details, "cache_write_tokens"), in);
  to.reasoning = std::max(count_field(field(usage, "completion_tokens_details"), "reasoning_tokens"),
                          count_field(usage, "reasoning_tokens"));
  reply_.usage_known = true;
}

ChatOutcome OpenAiReader::ending() const {
  const std::string reason = lower(reply_.finish_reason);
  if (any_of(reason, {"length", "max_tokens"})) return ChatOutcome::truncated;
  if (any_of(reason, {"content_filter", "safety", "recitation", "refusal"})) return ChatOutcome::refused;
  if (any_of(reason, {"insufficient_system_resource", "abort", "error"})) return ChatOutcome::overloaded;
  if (any_of(reason, {"tool_calls", "function_call"}) || reply_.tool_calls) return ChatOutcome::parse_error;
  return ChatOutcome::ok;  // "stop", and what servers call it
}

}  // namespace noctune
