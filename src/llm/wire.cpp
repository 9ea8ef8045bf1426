#include "llm/wire.hpp"

#include <algorithm>

#include "llm/wire_anthropic.hpp"
#include "llm/wire_openai.hpp"
#include "llm/wire_responses.hpp"

namespace noctune {

WireCall wire_call(const ModelSettings& settings, const ChatRequest& request, const std::string& model,
                   int max_output_tokens) {
  if (settings.provider == "anthropic") return anthropic_call(settings, request, model, max_output_tokens);
  if (settings.provider == "openai-responses")
    return responses_call(settings, request, model, max_output_tokens);
  return openai_call(settings, request, model, max_output_tokens);
}

std::unique_ptr<WireReader> wire_reader(const std::string& provider) {
  if (provider == "anthropic") return std::make_unique<AnthropicReader>();
  if (provider == "openai-responses") return std::make_unique<ResponsesReader>();
  return std::make_unique<OpenAiReader>();
}

std::string base_url_of(const ModelSettings& settings) {
  if (!settings.base_url.empty()) return settings.base_url;
  return settings.provider == "anthropic" ? "https://api.anthropic.com" : "https://api.openai.com/v1";
}

std::string joined_url(const std::string& base, const std::string& path) {
  const std::size_t query = std::min(base.find('?'), base.size());
  std::string front = base.substr(0, query);
  while (front.ends_with('/')) front.pop_back();
  return front + path + base.substr(query);
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

std::string system_text(const ChatRequest& request) {
  std::string out;
  for (const ChatMessage& message : request.messages)
    if (message.role == ChatRole::system && !is_blank(message.content))
      out += (out.empty() ? "" : "\n\n") + message.content;
  return out;
}

std::vector<ChatMessage> turns(const ChatRequest& request) {
  std::vector<ChatMessage> out;
  for (const ChatMessage& message : request.messages)
    if (message.role != ChatRole::system && !is_blank(message.content)) out.push_back(message);
  return out;
}

std::optional<double> temperature_of(const ModelSettings& settings, const ChatRequest& request) {
  return request.temperature ? request.temperature : settings.temperature;
}

const std::string& effort_of(const ModelSettings& settings, const ChatRequest& request) {
  return request.effort.empty() ? settings.effort : request.effort;
}

std::string without_reasoning(const std::string& text) {
  constexpr std::string_view close = "</think>";
  std::size_t from = 0;
  if (const std::size_t last = text.rfind(close); last != std::string::npos)
    from = last + close.size();  // templates often write the opening tag into the prompt
  else if (const std::size_t start = text.find_first_not_of(" \t\r\n");
           start != std::string::npos && text.compare(start, 7, "<think>") == 0)
    return {};
  if (from > 0) from = std::min(text.find_first_not_of("\r\n", from), text.size());
  return text.substr(from);
}

std::string parameters_of(const OrderedJson& body) {
  OrderedJson kept = OrderedJson::object();
  for (const auto& [key, value] : body.items())
    if (key != "messages" && key != "system" && key != "input" && key != "instructions") kept[key] = value;
  return kept.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace noctune
