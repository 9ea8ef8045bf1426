#include "llm/exchange.hpp"

#include "base/clock.hpp"
#include "llm/booking.hpp"
#include "llm/price.hpp"

namespace noctune {
namespace {

std::string header(const HttpHeaders& headers, const char* name) {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

// The key joins the request here and nowhere else.
HttpRequest http_request(const ModelSettings& settings, const ApiKey& key, WireCall call,
                         std::shared_ptr<ReplyReader> reader) {
  HttpRequest out;
  out.url = std::move(call.url);
  out.body = call.body.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  out.headers = std::move(call.headers);
  out.headers.emplace_back("Content-Type", "application/json");
  if (!key.empty()) out.headers.push_back(key.header(call.key_header, call.key_prefix));
  out.timers.connect_s = settings.connect_s;
  out.timers.first_content_s = settings.first_token_s;
  out.timers.gap_s = settings.gap_s;
  out.timers.total_s = settings.total_s;
  out.sink = std::move(reader);
  return out;
}

// Ollama cuts long prompts from the front and answers all the same.
void judge_prompt(const ModelSettings& settings, const ChatRequest& request, ChatAttempt& attempt) {
  const WireReply& reply = attempt.reader->reply();
  if (attempt.finding.outcome != ChatOutcome::ok || !prompt_was_cut(reply, request)) return;
  const std::string reason = "the server counted " + std::to_string(reply.usage.in) +
                             " tokens of a prompt of about " + std::to_string(estimated_tokens(request));
  attempt.finding.message = Error{"the server seems to have cut the prompt", reason,
                                  "raise the server's context length, for Ollama by OLLAMA_CONTEXT_LENGTH"}
                                .text();
  if (settings.flavour == "ollama") attempt.finding.outcome = ChatOutcome::context_too_long;
}

}  // namespace

Task<ChatAttempt> exchange(HttpClient& http, const ModelSettings& settings, const ApiKey& key,
                           const ExchangeRequest& wanted, const ParameterFixes& fixes) {
  ChatAttempt out;
  out.reader = std::make_shared<ReplyReader>(settings.provider);
  WireCall call = wire_call(settings, wanted.request, wanted.model, wanted.output_cap);
  apply_fixes(fixes, call.body);
  out.body = call.body;
  out.key_generation = key.generation();
  HttpRequest request = http_request(settings, key, std::move(call), out.reader);
  const HttpResponse response = co_await http.send(std::move(request));
  out.finding = out.reader->finish(response, wall_seconds());
  out.status = response.status;
  for (const char* name : {"x-request-id", "request-id", "apim-request-id"})
    if (out.request_id.empty()) out.request_id = header(response.headers, name);
  judge_prompt(settings, wanted.request, out);
  co_return out;
}

}  // namespace noctune
