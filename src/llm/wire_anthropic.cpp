#include "llm/wire_anthropic.hpp"

#include "llm/json_field.hpp"

namespace noctune {
namespace {

constexpr int default_cap = 32000;  // the field is required

OrderedJson text_block(const std::string& text, bool cached) {
  OrderedJson out = {{"type", "text"}, {"text", text}};
  if (cached) out["cache_control"] = {{"type", "ephemeral"}};
  return out;
}

// Never within a character.
std::size_t character_start(const std::string& text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at;
}

OrderedJson blocks(const std::string& content, std::size_t stable) {
  OrderedJson out = OrderedJson::array();
  const std::size_t cut = stable < content.size() ? character_start(content, stable) : content.size();
  const std::string head = content.substr(0, cut), tail = content.substr(cut);
  if (stable == 0 || is_blank(head) || is_blank(tail)) {  // blank blocks are refused
    out.push_back(text_block(content, stable > 0 && !is_blank(head)));
  } else {
    out.push_back(text_block(head, true));
    out.push_back(text_block(tail, false));
  }
  return out;
}

OrderedJson messages_of(const ChatRequest& request) {
  OrderedJson out = OrderedJson::array();
  std::size_t stable = request.stable_prefix;
  for (const ChatMessage& message : turns(request)) {
    const bool user = message.role == ChatRole::user;
    out.push_back({{"role", to_text(message.role)}, {"content", blocks(message.content, user ? stable : 0)}});
    if (user) stable = 0;
  }
  return out;
}

}  // namespace

WireCall anthropic_call(const ModelSettings& settings, const ChatRequest& request, const std::string& model,
                        int max_output_tokens) {
  WireCall call;
  std::string base = base_url_of(settings);
  while (base.ends_with('/')) base.pop_back();
  call.url = joined_url(base, base.ends_with("/v1") ? "/messages" : "/v1/messages");
  call.headers = {{"anthropic-version", "2023-06-01"}};
  call.key_header = "x-api-key";
  call.key_prefix.clear();
  call.body["model"] = model;
  call.body["max_tokens"] = max_output_tokens > 0 ? max_output_tokens : default_cap;
  if (const std::string system = system_text(request); !system.empty())
    call.body["system"] = OrderedJson::array({text_block(system, true)});
  call.body["messages"] = messages_of(request);
  if (const auto temperature = temperature_of(settings, request)) call.body["temperature"] = *temperature;
  if (const std::string& effort = effort_of(settings, request); effort == "none") {
    call.body["thinking"] = {{"type", "disabled"}};
  } else if (!effort.empty()) {
    call.body["thinking"] = {{"type", "adaptive"}};
    call.body["output_config"] = {{"effort", effort}};
  }
  call.body["stream"] = true;
  return call;
}

void AnthropicReader::read_event(const Json& event) {
  const std::string type = text_field(event, "type");
  if (type == "error") {
    fail(event);
  } else if (type == "message_start") {
    const Json& message = field(event, "message");
    reply_.id = text_field(message, "id");
    reply_.model = text_field(message, "model");
    read_usage(field(message, "usage"));
  } else if (type == "content_block_start") {
    read_block(field(event, "content_block"));
  } else if (type == "content_block_delta") {
    read_delta(field(event, "delta"));
  } else if (type == "message_delta") {
    read_stop(field(event, "delta"));
    read_usage(field(event, "usage"));
    // Only this event has the final count; until then output tokens are unknown.
    reply_.usage_known = is_count(field(event, "usage"), "output_tokens");
  } else if (type == "message_stop") {
    reply_.terminal = reply_.finished = true;
  }
}

void AnthropicReader::read_document(const Json& document) {
  if (text_field(document, "type") == "error" || !field(document, "error").is_null()) {
    fail(document);
    return;
  }
  reply_.id = text_field(document, "id");
  reply_.model = text_field(document, "model");
  for (const Json& block : field(document, "content")) read_block(block);
  read_stop(document);
  read_usage(field(document, "usage"));
  reply_.usage_known = reply_.usage.in + reply_.usage.out > 0;
  reply_.terminal = !reply_.finish_reason.empty();
  reply_.finished = true;
}

void AnthropicReader::read_block(const Json& block) {
  const std::string type = text_field(block, "type");
  if (type == "text") reply_.text += text_field(block, "text");
  if (type == "tool_use") reply_.tool_calls = true;
  reply_.reasoning_bytes += text_field(block, "thinking").size();
  reply_.tokens = true;
}

void AnthropicReader::read_delta(const Json& delta) {
  if (text_field(delta, "type") == "text_delta") reply_.text += text_field(delta, "text");
  reply_.reasoning_bytes += text_field(delta, "thinking").size();
  reply_.tokens = true;
}

void AnthropicReader::read_stop(const Json& holder) {
  if (std::string reason = text_field(holder, "stop_reason"); !reason.empty())
    reply_.finish_reason = std::move(reason);
  if (const std::string category = text_field(field(holder, "stop_details"), "category"); !category.empty())
    reply_.refusal = "category " + category;
}

// Events give the fields that have changed. The whole prompt is what was new, written and read.
void AnthropicReader::read_usage(const Json& usage) {
  if (is_count(usage, "input_tokens")) fresh_ = count_field(usage, "input_tokens");
  if (is_count(usage, "cache_creation_input_tokens"))
    written_ = count_field(usage, "cache_creation_input_tokens");
  if (is_count(usage, "cache_read_input_tokens")) read_ = count_field(usage, "cache_read_input_tokens");
  if (is_count(usage, "output_tokens")) reply_.usage.out = count_field(usage, "output_tokens");
  reply_.usage.in = fresh_ + written_ + read_;
  reply_.usage.cached = read_;
  reply_.usage.written = written_;
}

ChatOutcome AnthropicReader::ending() const {
  const std::string& reason = reply_.finish_reason;
  if (reason == "max_tokens") return ChatOutcome::truncated;
  if (reason == "refusal") return ChatOutcome::refused;
  if (reason == "model_context_window_exceeded") return ChatOutcome::context_too_long;
  if (reason == "tool_use" || reason == "pause_turn" || reply_.tool_calls) return ChatOutcome::parse_error;
  return ChatOutcome::ok;
}

}  // namespace noctune
