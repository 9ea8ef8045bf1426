// Server-sent events from bytes in any pieces.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace noctune {

struct SseEvent {
  std::string name;  // of `event:`; empty where the stream names none
  std::string data;  // lines joined by LF; bytes as they came
};

// Lines end with LF, CRLF or CR; comments and unknown fields are skipped; an event without data is none, and
// what the stream's end leaves unfinished is dropped, as the standard has it.
class SseParser {
 public:
  using OnEvent = std::function<void(const SseEvent&)>;
  static constexpr std::size_t default_cap = 8U << 20U;

  explicit SseParser(OnEvent on_event, std::size_t event_cap = default_cap)
      : on_event_(std::move(on_event)), cap_(event_cap) {}

  // False once a line or an event is larger than the cap; nothing more is read then.
  bool feed(std::string_view bytes);

 private:
  void end_line();
  void dispatch();

  OnEvent on_event_;
  std::size_t cap_;
  std::string line_;
  SseEvent event_;
  bool has_data_ = false, after_cr_ = false, at_start_ = true, overflown_ = false;
};

}  // namespace noctune
