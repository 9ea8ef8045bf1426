// Writes the framed report. Anything that cannot be reported ends the process: missing evidence is failure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wire.hpp"

namespace noctune {

// A payload in the making: numbers of 8 bytes, texts with their length, padded to 8.
class Payload {
 public:
  Payload& count(std::uint64_t value) { return raw(&value, sizeof value); }
  Payload& number(double value) { return raw(&value, sizeof value); }
  Payload& flag(bool value) { return count(value ? 1 : 0); }
  Payload& text(const std::string& value);
  const std::vector<char>& bytes() const { return bytes_; }

 private:
  Payload& raw(const void* data, std::size_t size);
  std::vector<char> bytes_;
};

class Report {
 public:
  Report(int fd, std::uint64_t nonce) : fd_(fd), nonce_(nonce) {}
  Report(const Report&) = delete;

  void frame(FrameType type, const Payload& payload, const void* rest = nullptr, std::size_t rest_size = 0);
  // Says why nothing more will come and leaves with the code: 2, or 3 where the peer is gone.
  [[noreturn]] void refuse(Fault fault, const std::string& text);
  // The last frame; then leaves at once, so that no destructor of the plugin runs.
  [[noreturn]] void end(long long leftover_threads, bool arithmetic_changed);
  std::uint64_t nonce() const { return nonce_; }

 private:
  void write_all(const void* data, std::size_t size);

  int fd_;
  std::uint64_t nonce_;
  std::uint64_t sequence_ = 0;
};

}  // namespace noctune
