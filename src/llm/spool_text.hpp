// Requests and replies of a spool as text that people read and write; the format is in docs/spool.md. Text
// read here is untrusted: whatever it holds, the answer is a value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "model/chat.hpp"

namespace noctune {

struct SpooledRequest {
  std::string campaign;
  CallSlot slot;
  ChatRequest request;
};

// "gemm.loop.0.2.1.0.write.<24 digits>": the slot for people, then a digest of campaign, slot and request.
// The same request has the same name in every run.
std::string spool_name(const SpooledRequest& request);
// Whether `name` has the form that spool_name gives.
bool is_spool_name(std::string_view name);
// The slot as part of a file name: "/" becomes ".", what is no letter, digit or one of - _ . + becomes "_".
std::string slot_file_name(const CallSlot& slot);
Result<CallSlot> slot_from(const std::string& slot_text);

std::string request_text(const SpooledRequest& request);
Result<SpooledRequest> request_from(const std::string& text);

// With the header by which it is told from an answer written by hand.
std::string reply_text(const ChatReply& reply);
bool has_reply_header(std::string_view text);
// A text without that header is the answer as a whole, `ok`, by hand.
Result<ChatReply> reply_from(const std::string& text);

// The header that all files of a spool share: lines "key: value" up to an empty line.
using SpoolFields = std::map<std::string, std::string>;
std::string fields_text(const SpoolFields& fields);
struct SpoolHeader {
  SpoolFields fields;
  std::size_t end = 0;  // where the rest of the text begins
};
Result<SpoolHeader> header_from(std::string_view text);
// The field as a whole number, 0 when absent or none.
long long number_in(const SpoolFields& fields, const std::string& key);

}  // namespace noctune
