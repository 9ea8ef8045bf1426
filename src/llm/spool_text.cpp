#include "llm/spool_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <vector>

#include "base/digest.hpp"
#include "base/utf8.hpp"
#include "model/chat_json.hpp"

// Keys and values are on one line each: in values a backslash, a line feed and a carriage return are written
// as \\, \n and \r. Messages are introduced with their length in bytes, so nothing they hold can end them.

namespace noctune {
namespace {

constexpr std::size_t digest_digits = 24, longest_slot = 120, most_header_bytes = 65536, most_messages = 1000;
constexpr const char* request_mark = "noctune-request: 1\n";
constexpr const char* reply_mark = "noctune-reply: 1\n";

std::string escaped(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\\') out += "\\\\";
    if (c == '\n') out += "\\n";
    if (c == '\r') out += "\\r";
    if (c != '\\' && c != '\n' && c != '\r') out += c;
  }
  return out;
}

std::string unescaped(std::string_view value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size()) {
      const char next = value[++i];
      out += next == 'n' ? '\n' : next == 'r' ? '\r' : next;
    } else {
      out += value[i];
    }
  }
  return out;
}

template <class Number>
std::optional<Number> number_from(std::string_view text) {
  Number out{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc() || end != text.data() + text.size()) return {};
  return out;
}

std::string number_text(double value) {
  char out[64];
  const auto [end, problem] = std::to_chars(out, out + sizeof out, value);
  return problem == std::errc() ? std::string(out, end) : "0";
}

std::string line(const char* key, const std::string& value) {
  return std::string(key) + ": " + escaped(value) + "\n";
}

std::string text_in(const SpoolFields& fields, const std::string& key) {
  const auto found = fields.find(key);
  return found == fields.end() ? "" : found->second;
}

double real_in(const SpoolFields& fields, const std::string& key) {
  const double value = number_from<double>(text_in(fields, key)).value_or(0);
  return value >= 0 && value < 1e12 ? value : 0;  // neither NaN nor what no call costs
}

std::string message_line(const ChatMessage& message) {
  return std::string("=== ") + to_text(message.role) + ", " + std::to_string(message.content.size()) +
         " bytes ===\n";
}

// "=== user, 812 bytes ===" as role and length.
std::optional<std::pair<std::string, std::size_t>> message_start(std::string_view text) {
  constexpr std::string_view opening = "=== ", closing = " bytes ===";
  if (!text.starts_with(opening) || !text.ends_with(closing)) return {};
  text = text.substr(opening.size(), text.size() - opening.size() - closing.size());
  const auto comma = text.find(", ");
  if (comma == std::string_view::npos) return {};
  const auto length = number_from<std::size_t>(text.substr(comma + 2));
  if (!length) return {};
  return std::pair{std::string(text.substr(0, comma)), *length};
}

Result<std::vector<ChatMessage>> messages_from(std::string_view text) {
  std::vector<ChatMessage> out;
  while (text != "=== end ===\n") {
    const auto end = text.find('\n');
    const auto start = message_start(text.substr(0, end));
    if (!start || end == std::string_view::npos || out.size() == most_messages)
      return fail("message " + std::to_string(out.size() + 1) + " does not begin with its line",
                  "\"=== ROLE, N bytes ===\" or \"=== end ===\" was expected");
    text.remove_prefix(end + 1);
    if (start->second >= text.size() || text[start->second] != '\n')
      return fail("message " + std::to_string(out.size() + 1) + " is not " + std::to_string(start->second) +
                  " bytes long");
    if (start->first != "system" && start->first != "user" && start->first != "assistant")
      return fail("no role is called \"" + start->first + "\"");
    out.push_back({chat_role_from(start->first), std::string(text.substr(0, start->second))});
    text.remove_prefix(start->second + 1);
  }
  if (out.empty()) return fail("the request has no messages");
  return out;
}

std::string canonical(const SpooledRequest& r) {
  return r.campaign + "\n" + slot_text(r.slot) + "\n" +
         to_json(r.request).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string slot_file_name(const CallSlot& slot) {
  std::string out = slot_text(slot);
  for (char& c : out) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.' || c == '+';
    if (!plain) c = c == '/' ? '.' : '_';
  }
  if (out.starts_with('.')) out[0] = '_';
  return out;
}

std::string spool_name(const SpooledRequest& request) {
  return slot_file_name(request.slot).substr(0, longest_slot) + "." +
         sha256(canonical(request)).substr(0, digest_digits);
}

bool is_spool_name(std::string_view name) {
  if (name.size() < digest_digits + 2 || name.size() > longest_slot + 1 + digest_digits) return false;
  if (name.front() == '.' || name[name.size() - digest_digits - 1] != '.') return false;
  const std::string_view digest = name.substr(name.size() - digest_digits);
  return digest.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<CallSlot> slot_from(const std::string& text) {
  std::vector<std::string> parts;  // from the end: a hotspot's name may hold anything
  std::size_t end = text.size();
  while (parts.size() < 6) {
    const auto slash = end == 0 ? std::string::npos : text.rfind('/', end - 1);
    if (slash == std::string::npos) return fail("\"" + text + "\" is no slot of a model call");
    parts.push_back(text.substr(slash + 1, end - slash - 1));
    end = slash;
  }
  CallSlot out;
  out.hotspot = text.substr(0, end);
  out.arm = parts[5];
  out.purpose = parts[0];
  int* const numbers[] = {&out.repair, &out.sample, &out.round, &out.replicate};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto number = number_from<int>(parts[i + 1]);
    if (!number) return fail("\"" + text + "\" is no slot of a model call", parts[i + 1] + " is no number");
    *numbers[i] = *number;
  }
  return out;
}

std::string fields_text(const SpoolFields& fields) {
  std::string out;
  for (const auto& [key, value] : fields) out += line(key.c_str(), value);
  return out + "\n";
}

Result<SpoolHeader> header_from(std::string_view text) {
  SpoolHeader out;
  while (out.end < text.size()) {
    const auto newline = text.find('\n', out.end);
    if (newline == std::string_view::npos || newline > most_header_bytes) break;
    std::string_view one = text.substr(out.end, newline - out.end);
    out.end = newline + 1;
    if (one.ends_with('\r')) one.remove_suffix(1);
    if (one.empty()) return out;
    const auto colon = one.find(':');
    if (colon == std::string_view::npos)
      return fail("the header has a line without a key", "\"key: value\" was expected");
    std::string_view value = one.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    out.fields[std::string(one.substr(0, colon))] = unescaped(value);
  }
  return fail("the header does not end", "an empty line was expected");
}

long long number_in(const SpoolFields& fields, const std::string& key) {
  const long long value = number_from<long long>(text_in(fields, key)).value_or(0);
  return value >= 0 && value < 1'000'000'000'000 ? value : 0;
}

std::string request_text(const SpooledRequest& r) {
  const std::string name = spool_name(r);
  std::string out = request_mark;
  out += line("slot", slot_text(r.slot));
  out += line("campaign", r.campaign);
  out += line("template", r.request.prompt_template);
  out += line("model", r.request.model);
  out += line("max_output_tokens", std::to_string(r.request.max_output_tokens));
  if (r.request.temperature) out += line("temperature", number_text(*r.request.temperature));
  if (!r.request.effort.empty()) out += line("effort", r.request.effort);
  out += line("stable_prefix", std::to_string(r.request.stable_prefix));
  out += line("to answer", "write the model's answer, as it is, to a new file in tmp/, then move it to rsp/" +
                               name + ".txt");
  out += "\n";
  for (const ChatMessage& message : r.request.messages) out += message_line(message) + message.content + "\n";
  return out + "=== end ===\n";
}

Result<SpooledRequest> request_from(const std::string& text) {
  if (!text.starts_with(request_mark))
    return fail("this is no request", "it does not begin with \"noctune-request: 1\"");
  Result<SpoolHeader> header = header_from(text);
  if (!header) return Failure(header.error());
  const SpoolFields& fields = header->fields;
  SpooledRequest out;
  Result<CallSlot> slot = slot_from(text_in(fields, "slot"));
  if (!slot) return Failure(slot.error());
  out.slot = std::move(*slot);
  out.campaign = text_in(fields, "campaign");
  out.request.prompt_template = text_in(fields, "template");
  out.request.model = text_in(fields, "model");
  out.request.max_output_tokens =
      static_cast<int>(std::min(number_in(fields, "max_output_tokens"), 100'000'000LL));
  if (fields.contains("temperature")) out.request.temperature = real_in(fields, "temperature");
  out.request.effort = text_in(fields, "effort");
  out.request.stable_prefix = static_cast<std::size_t>(number_in(fields, "stable_prefix"));
  Result<std::vector<ChatMessage>> messages = messages_from(std::string_view(text).substr(header->end));
  if (!messages) return Failure(messages.error());
  out.request.messages = std::move(*messages);
  return out;
}

std::string reply_text(const ChatReply& r) {
  std::string out = reply_mark;
  out += line("outcome", to_text(r.outcome));
  if (!r.message.empty()) out += line("message", r.message);
  if (!r.param.empty()) out += line("param", r.param);
  out += line("provider", r.provider);
  out += line("model_asked", r.model_asked);
  out += line("model_served", r.model_served);
  out += line("parameters", r.parameters);
  out += line("finish_reason", r.finish_reason);
  out += line("request_id", r.request_id);
  out += line("tokens_in", std::to_string(r.usage.in));
  out += line("tokens_cached", std::to_string(r.usage.cached));
  out += line("tokens_written", std::to_string(r.usage.written));
  out += line("tokens_out", std::to_string(r.usage.out));
  out += line("tokens_reasoning", std::to_string(r.usage.reasoning));
  out += line("tokens_estimated", r.usage.estimated ? "yes" : "no");
  out += line("cost", number_text(r.cost));
  out += line("seconds", number_text(r.seconds));
  out += line("attempts", std::to_string(r.attempts));
  out += line("text_bytes", std::to_string(r.text.size()));
  return out + "\n" + r.text;
}

bool has_reply_header(std::string_view text) {
  return text.starts_with(reply_mark) || text.starts_with("noctune-reply: 1\r\n");
}

namespace {

Result<ChatReply> headed_reply_from(const std::string& text) {
  const Result<SpoolHeader> header = header_from(text);
  if (!header) return Failure(header.error());
  const SpoolFields& fields = header->fields;
  ChatReply out;
  try {
    out.outcome = chat_outcome_from(text_in(fields, "outcome"));
  } catch (const std::exception& unknown) {
    return fail("the reply has no outcome", unknown.what());
  }
  out.text = text.substr(header->end);
  if (fields.contains("text_bytes") &&
      number_in(fields, "text_bytes") != static_cast<long long>(out.text.size()))
    return fail("the reply is not whole", "its header says " + text_in(fields, "text_bytes") +
                                              " bytes of text, it has " + std::to_string(out.text.size()));
  out.message = repaired_utf8(text_in(fields, "message"));
  out.param = repaired_utf8(text_in(fields, "param"));
  out.provider = repaired_utf8(text_in(fields, "provider"));
  out.model_asked = repaired_utf8(text_in(fields, "model_asked"));
  out.model_served = repaired_utf8(text_in(fields, "model_served"));
  out.parameters = repaired_utf8(text_in(fields, "parameters"));
  out.finish_reason = repaired_utf8(text_in(fields, "finish_reason"));
  out.request_id = repaired_utf8(text_in(fields, "request_id"));
  out.usage = {number_in(fields, "tokens_in"),        number_in(fields, "tokens_cached"),
               number_in(fields, "tokens_written"),   number_in(fields, "tokens_out"),
               number_in(fields, "tokens_reasoning"), text_in(fields, "tokens_estimated") == "yes"};
  out.cost = real_in(fields, "cost");
  out.seconds = real_in(fields, "seconds");
  out.attempts = static_cast<int>(std::min(number_in(fields, "attempts"), 1'000'000LL));
  return out;
}

ChatReply hand_written(const std::string& text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  ChatReply out;
  out.text = text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
  const bool blank = out.text.find_first_not_of(" \t\r\n") == std::string::npos;
  out.outcome = blank ? ChatOutcome::empty : ChatOutcome::ok;
  out.provider = "hand";
  return out;
}

}  // namespace

Result<ChatReply> reply_from(const std::string& text) {
  if (!has_reply_header(text)) {
    ChatReply out = hand_written(text);
    out.text = repaired_utf8(out.text);
    return out;
  }
  Result<ChatReply> out = headed_reply_from(text);
  if (out) out->text = repaired_utf8(out->text);
  return out;
}

}  // namespace noctune
