// Reads an answer while it arrives, in the HTTP thread: a stream of events, one JSON document from servers
// that do not stream, or whatever else comes in their place.
#pragma once

#include <memory>
#include <string>

#include "base/http_types.hpp"
#include "llm/classify.hpp"
#include "llm/sse.hpp"
#include "llm/wire.hpp"

namespace noctune {

class ReplyReader final : public HttpSink {
 public:
  explicit ReplyReader(const std::string& provider);

  void begin(int status, const HttpHeaders& headers) override;
  HttpProgress take(std::string_view bytes) override;

  // What the exchange came to; once, after its end. `now` in seconds since the epoch.
  Finding finish(const HttpResponse& response, double now);
  // The answer less reasoning, valid UTF-8.
  std::string text() const;
  const WireReply& reply() const { return wire_->reply(); }

 private:
  enum class Form { unknown, events, document, other };

  Form form_of(std::string_view bytes) const;
  void on_event(const SseEvent& event);
  Finding finish_document(const HttpHeaders& headers, double now);
  Finding finish_whole(const HttpResponse& response, double now);

  bool thinks_aloud_;  // reasoning may stand in the text
  std::unique_ptr<WireReader> wire_;
  SseParser parser_;
  Form form_ = Form::unknown;
  bool success_ = false, event_stream_ = false, unreadable_ = false;
  std::string body_;  // a document, or the beginning of anything but events
};

}  // namespace noctune
