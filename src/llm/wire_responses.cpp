#include "llm/wire_responses.hpp"

#include <algorithm>

#include "llm/json_field.hpp"

namespace noctune {

WireCall responses_call(const ModelSettings& settings, const ChatRequest& request, const std::string& model,
                        int max_output_tokens) {
  WireCall call;
  call.url = joined_url(base_url_of(settings), "/responses");
  if (settings.flavour == "azure") {
    call.key_header = "api-key";
    call.key_prefix.clear();
  }
  OrderedJson input = OrderedJson::array();
  for (const ChatMessage& message : turns(request))
    input.push_back({{"role", to_text(message.role)}, {"content", message.content}});
  call.body["model"] = model;
  if (std::string system = system_text(request); !system.empty())
    call.body["instructions"] = std::move(system);
  call.body["input"] = std::move(input);
  if (max_output_tokens > 0) call.body["max_output_tokens"] = max_output_tokens;
  if (const auto temperature = temperature_of(settings, request)) call.body["temperature"] = *temperature;
  if (const std::string& effort = effort_of(settings, request); !effort.empty())
    call.body["reasoning"] = {{"effort", effort}};
  call.body["store"] = false;
  call.body["stream"] = true;
  return call;
}

void ResponsesReader::read_event(const Json& event) {
  const std::string type = text_field(event, "type");
  const Json& response = field(event, "response");
  if (type == "error" || (type.empty() && !field(event, "error").is_null())) {
    fail(event);
  } else if (type == "response.completed" || type == "response.incomplete" || type == "response.failed") {
    read_document(response);
  } else if (type == "response.output_text.delta" || type == "response.refusal.delta") {
    (type == "response.refusal.delta" ? reply_.refusal : reply_.text) += text_field(event, "delta");
    reply_.tokens = true;
  } else if (type.starts_with("response.reasoning")) {
    reply_.reasoning_bytes += text_field(event, "delta").size();
    reply_.tokens = true;
  } else if (response.is_object()) {
    reply_.id = text_field(response, "id");
    reply_.model = text_field(response, "model");
  }
}

void ResponsesReader::read_document(const Json& document) {
  if (!field(document, "error").is_null()) {
    fail(document);
    return;
  }
  reply_.id = text_field(document, "id");
  if (std::string model = text_field(document, "model"); !model.empty()) reply_.model = std::move(model);
  read_usage(field(document, "usage"));
  read_output(field(document, "output"));
  reply_.finish_reason = text_field(document, "status");
  if (reply_.finish_reason == "incomplete")
    reply_.finish_reason = text_field(field(document, "incomplete_details"), "reason");
  reply_.terminal = !reply_.finish_reason.empty() && reply_.finish_reason != "in_progress" &&
                    reply_.finish_reason != "queued";
  reply_.finished = true;
}

void ResponsesReader::read_output(const Json& output) {
  std::string text, refusal;
  for (const Json& item : output) {
    if (text_field(item, "type") == "function_call") reply_.tool_calls = true;
    if (text_field(item, "type") != "message") continue;
    for (const Json& part : field(item, "content")) {
      if (text_field(part, "type") == "output_text") text += text_field(part, "text");
      if (text_field(part, "type") == "refusal") refusal += text_field(part, "refusal");
    }
  }
  // The final document repeats what the deltas said; servers that leave it out there are believed too.
  if (!text.empty()) reply_.text = std::move(text);
  if (!refusal.empty()) reply_.refusal = std::move(refusal);
}

void ResponsesReader::read_usage(const Json& usage) {
  const long long in = count_field(usage, "input_tokens"), out = count_field(usage, "output_tokens");
  if (in + out == 0) return;
  const Json& details = field(usage, "input_tokens_details");
  reply_.usage.in = in;
  reply_.usage.out = out;
  reply_.usage.cached = std::min(count_field(details, "cached_tokens"), in);
  reply_.usage.written = std::min(count_field(details, "cache_write_tokens"), in);
  reply_.usage.reasoning = count_field(field(usage, "output_tokens_details"), "reasoning_tokens");
  reply_.usage_known = true;
}

ChatOutcome ResponsesReader::ending() const {
  const std::string& reason = reply_.finish_reason;
  if (reason == "max_output_tokens") return ChatOutcome::truncated;
  if (reason == "content_filter") return ChatOutcome::refused;
  if (reason == "failed" || reason == "cancelled") return ChatOutcome::overloaded;
  if (reason != "completed") return ChatOutcome::truncated;  // incomplete for a reason we do not know
  return reply_.tool_calls ? ChatOutcome::parse_error : ChatOutcome::ok;
}

}  // namespace noctune
