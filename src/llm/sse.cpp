#include "llm/sse.hpp"

namespace noctune {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

bool SseParser::feed(std::string_view bytes) {
  while (!bytes.empty() && !overflown_) {
    if (after_cr_ && bytes.front() == '\n') bytes.remove_prefix(1);  // of a CRLF, perhaps split
    after_cr_ = false;
    const std::size_t end = bytes.find_first_of("\r\n");
    line_ += bytes.substr(0, end);
    if (line_.size() + event_.data.size() > cap_) overflown_ = true;
    if (end == std::string_view::npos || overflown_) break;
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    end_line();
  }
  return !overflown_;
}

void SseParser::end_line() {
  std::string_view line = line_;
  if (at_start_ && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  at_start_ = false;
  if (line.empty()) {
    dispatch();
  } else {
    const std::size_t colon = line.find(':');
    const std::string_view field = line.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "event") event_.name = value;
    if (field == "data") {
      if (has_data_) event_.data += '\n';
      event_.data += value;
      has_data_ = true;
    }
  }
  line_.clear();
}

void SseParser::dispatch() {
  const SseEvent event = std::move(event_);
  const bool complete = has_data_;
  event_ = {};
  has_data_ = false;
  if (complete) on_event_(event);
}

}  // namespace noctune
