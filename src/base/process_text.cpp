// Outcomes in words, and untrusted output as text that is safe to store, print and send on.
#include <array>
#include <cstdio>
#include <cstring>

#include "base/process_types.hpp"

namespace noctune {
namespace {

std::string formatted(const char* format, double value) {
  char out[64];
  std::snprintf(out, sizeof out, format, value);
  return out;
}

std::string signal_words(int signal) {
  const char* name = ::strsignal(signal);
  return "signal " + std::to_string(signal) + (name ? " (" + std::string(name) + ")" : "");
}

std::string end_words(const ChildOutcome& outcome) {
  using End = ChildOutcome::End;
  switch (outcome.end) {
    case End::exited:
      return outcome.exit_code == 0 ? "exited with 0"
                                    : "exited with code " + std::to_string(outcome.exit_code);
    case End::signalled:
      return "was killed by " + signal_words(outcome.signal);
    case End::deadline:
      return "was stopped at its deadline";
    case End::memory:
      return "used more memory than allowed (" +
             formatted("%.0f MiB", static_cast<double>(outcome.peak_bytes) / 1048576.0) + ") and was killed";
    case End::output_limit:
      return "wrote more output than allowed and was killed";
    case End::cancelled:
      return "was cancelled";
    case End::not_started:
      return "could not be started";
    case End::helper_lost:
      return "was lost with the sandbox helper";
  }
  return "ended in an unknown way";
}

struct Decoded {
  unsigned code = 0;
  std::size_t length = 0;  // 0: not valid UTF-8 here
};

Decoded decode_utf8(const std::string& bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 && first < 0xf5   ? 4
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xc2 && first < 0xe0 ? 2
                                                             : 0;
  if (length == 0 || at + length > bytes.size()) return {};
  unsigned code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  static constexpr std::array<unsigned, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < smallest[length] || surrogate || code > 0x10ffff ? Decoded{} : Decoded{code, length};
}

// Control characters, and those that reorder or hide text around them.
bool deceptive(unsigned code) {
  if (code == '\n' || code == '\t') return false;
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
         (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
         (code >= 0xe0000 && code < 0xe0080);
}

}  // namespace

std::string describe(const ChildOutcome& outcome) {
  std::string out = end_words(outcome);
  const bool ran =
      outcome.end != ChildOutcome::End::not_started && outcome.end != ChildOutcome::End::helper_lost;
  if (ran) out += " after " + formatted(outcome.seconds < 10 ? "%.2f s" : "%.0f s", outcome.seconds);
  if (outcome.left_processes) out += ", leaving processes behind";
  if (!outcome.reason.empty()) out += ": " + outcome.reason;
  return out;
}

std::string printable(const std::string& bytes) {
  std::string out;
  out.reserve(bytes.size());
  char escape[16];
  for (std::size_t at = 0; at < bytes.size();) {
    const Decoded next = decode_utf8(bytes, at);
    if (next.length > 0 && !deceptive(next.code)) {
      out.append(bytes, at, next.length);
    } else if (next.code == '\r' && at + 1 < bytes.size() && bytes[at + 1] == '\n') {
      // a line end of another system: only its line feed stays
    } else if (next.length > 1) {
      std::snprintf(escape, sizeof escape, "\\u{%x}", next.code);
      out += escape;
    } else {
      std::snprintf(escape, sizeof escape, "\\x%02x",
                    static_cast<unsigned>(static_cast<unsigned char>(bytes[at])));
      out += escape;
    }
    at += next.length > 0 ? next.length : 1;
  }
  return out;
}

}  // namespace noctune
