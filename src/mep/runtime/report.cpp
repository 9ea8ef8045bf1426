#include "report.hpp"

#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace noctune {

Payload& Payload::raw(const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  bytes_.insert(bytes_.end(), at, at + size);
  return *this;
}

Payload& Payload::text(const std::string& value) {
  count(value.size());
  raw(value.data(), value.size());
  bytes_.resize(padded(bytes_.size()), '\0');
  return *this;
}

void Report::write_all(const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t wrote = ::write(fd_, at, size < (1u << 30) ? size : (1u << 30));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      std::fprintf(stderr, "driver: the report cannot be written: %s\n", std::strerror(errno));
      ::_exit(2);
    }
    at += wrote;
    size -= static_cast<std::size_t>(wrote);
  }
}

void Report::frame(FrameType type, const Payload& payload, const void* rest, std::size_t rest_size) {
  const std::vector<char>& head = payload.bytes();
  FrameHeader header{frame_magic, static_cast<std::uint32_t>(type), sequence_, head.size() + rest_size, 0};
  header.tag = frame_tag(header, nonce_, head.data(), head.size(), rest, rest_size);
  ++sequence_;  // only now: reading `rest` may have faulted, and that is reported by a frame of its own
  write_all(&header, sizeof header);
  write_all(head.data(), head.size());
  write_all(rest, rest_size);
  const char zeros[8] = {};
  write_all(zeros, padded(rest_size) - rest_size);
}

void Report::refuse(Fault fault, const std::string& text) {
  std::fprintf(stderr, "driver: %s\n", text.c_str());
  frame(FrameType::error, Payload().count(static_cast<std::uint64_t>(fault)).text(text));
  ::_exit(fault == Fault::peer ? 3 : 2);
}

void Report::end(long long leftover_threads, bool arithmetic_changed) {
  Payload payload;
  payload.count(sequence_).count(static_cast<std::uint64_t>(leftover_threads)).flag(arithmetic_changed);
  frame(FrameType::end, payload);
  ::_exit(0);
}

}  // namespace noctune
