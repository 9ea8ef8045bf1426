#include "llm/reply_reader.hpp"

#include <algorithm>

#include "llm/classify_words.hpp"
#include "llm/json_field.hpp"

namespace noctune {
namespace {

constexpr std::size_t strange_body_cap = 1U << 20U;
constexpr std::string_view event_stream = "text/event-stream";

// The first bytes of a stream's fields: data, event, id, retry, and of comments.
bool begins_like_events(char c) {
  return c == 'd' || c == 'e' || c == 'i' || c == 'r' || c == ':';
}

}  // namespace

ReplyReader::ReplyReader(const std::string& provider)
    : thinks_aloud_(provider != "anthropic" && provider != "openai-responses"),
      wire_(wire_reader(provider)),
      parser_([this](const SseEvent& event) { on_event(event); }) {}

std::string ReplyReader::text() const {
  const WireReply& reply = wire_->reply();
  return thinks_aloud_ && reply.reasoning_bytes == 0 ? without_reasoning(reply.text) : reply.text;
}

void ReplyReader::begin(int status, const HttpHeaders& headers) {
  success_ = status >= 200 && status < 300;
  const auto type = headers.find("content-type");
  event_stream_ = type != headers.end() && type->second.starts_with(event_stream);
}

ReplyReader::Form ReplyReader::form_of(std::string_view bytes) const {
  if (!success_) return Form::other;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::size_t at = bytes.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos) return Form::unknown;
  if (bytes[at] == '{' || bytes[at] == '[') return Form::document;
  if (bytes[at] == '<') return Form::other;
  return event_stream_ || begins_like_events(bytes[at]) ? Form::events : Form::other;
}

HttpProgress ReplyReader::take(std::string_view bytes) {
  if (form_ == Form::unknown) form_ = form_of(bytes);
  switch (form_) {
    case Form::unknown:  // blank lines: some servers send them to be heard
      return HttpProgress::life;
    case Form::events:
      if (!parser_.feed(bytes)) return HttpProgress::refused;
      if (wire_->reply().finished) return HttpProgress::finished;
      return wire_->reply().tokens ? HttpProgress::content : HttpProgress::life;
    case Form::document:
      body_ += bytes;
      return HttpProgress::content;
    case Form::other:
      break;
  }
  body_ += bytes.substr(0, strange_body_cap - std::min(strange_body_cap, body_.size()));
  return HttpProgress::content;
}

void ReplyReader::on_event(const SseEvent& event) {
  if (wire_->reply().finished) return;
  if (event.data == "[DONE]") {
    wire_->end_marker();
    return;
  }
  const Json json = parsed_reply(event.data);
  if (json.is_discarded())
    unreadable_ = true;
  else
    wire_->read_event(json);
}

Finding ReplyReader::finish(const HttpResponse& response, double now) {
  const HttpFailure failure = response.failure;
  const bool answered =
      response.status != 0 && failure != HttpFailure::proxy_refused && failure != HttpFailure::stopped;
  if (answered && !success_) {
    // An error's body may be cut; its status stands.
    const bool bodiless = body_.empty() && response.status >= 200 && response.status < 300;
    if (!bodiless || failure == HttpFailure::none)
      return classify_answer(response.status, response.headers, body_, now);
  }
  Finding out;
  const bool readable =
      failure == HttpFailure::none || wire_->reply().terminal || !wire_->reply().error.is_null();
  if (answered && readable)
    out = finish_whole(response, now);
  else
    out = classify_failure(response);
  out.paid = wire_->reply().tokens || out.outcome == ChatOutcome::parse_error;
  return out;
}

Finding ReplyReader::finish_whole(const HttpResponse& response, double now) {
  if (form_ == Form::document && wire_->reply().error.is_null())
    return finish_document(response.headers, now);
  if (form_ != Form::events) return classify_answer(response.status, response.headers, body_, now);
  if (!wire_->reply().error.is_null())
    return classify_error(wire_->reply().error, 200, response.headers, now);
  if (unreadable_) return classify_answer(200, {}, "an event that is no JSON", now);
  return classify_reply(wire_->reply(), wire_->ending(), text());
}

Finding ReplyReader::finish_document(const HttpHeaders& headers, double now) {
  const Json json = parsed_reply(body_);
  if (json.is_discarded()) return classify_answer(200, {}, body_, now);
  wire_->read_document(json.is_array() ? element(json, 0) : json);
  if (!wire_->reply().error.is_null()) return classify_error(wire_->reply().error, 200, headers, now);
  if (!wire_->reply().terminal) return classify_answer(200, {}, body_, now);
  return classify_reply(wire_->reply(), wire_->ending(), text());
}

}  // namespace noctune
