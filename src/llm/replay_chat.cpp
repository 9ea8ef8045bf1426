#include "llm/replay_chat.hpp"

#include "base/files.hpp"
#include "llm/spool_text.hpp"

namespace noctune {
namespace {

constexpr std::uintmax_t largest_file = 64U << 20U;

ChatReply without_answer(ChatOutcome outcome, std::string message) {
  ChatReply reply;
  reply.outcome = outcome;
  reply.message = std::move(message);
  reply.provider = "replay";
  return reply;
}

}  // namespace

ReplayChat::ReplayChat(std::filesystem::path folder)
    : folder_(std::move(folder)), source_("the folder " + folder_.string()) {}

ReplayChat::ReplayChat(std::map<std::string, ChatReply> replies, std::string source)
    : replies_(std::move(replies)), source_(std::move(source)) {}

Task<ChatReply> ReplayChat::ask(CallSlot slot, ChatRequest /*request*/) {
  if (stopped_) co_return without_answer(ChatOutcome::stopped, "the run is being stopped");
  co_return folder_.empty() ? from_map(slot) : from_folder(slot);
}

std::string ReplayChat::describe() const {
  return "replay of " + source_;
}

ChatReply ReplayChat::from_folder(const CallSlot& slot) const {
  const std::filesystem::path path = folder_ / (slot_file_name(slot) + ".md");
  std::error_code wrong;
  if (!std::filesystem::is_regular_file(path, wrong))
    return without_answer(ChatOutcome::empty, "no answer for the slot " + slot_text(slot) +
                                                  ": there is no file " + path.string());
  if (std::filesystem::file_size(path, wrong) > largest_file || wrong)
    return without_answer(ChatOutcome::parse_error, path.string() + " is longer than 64 MiB");
  const Result<std::string> text = read_file(path);
  if (!text) return without_answer(ChatOutcome::parse_error, text.error().text());
  Result<ChatReply> reply = reply_from(*text);
  if (!reply) return without_answer(ChatOutcome::parse_error, path.string() + ": " + reply.error().text());
  if (reply->provider == "hand") reply->provider = "replay";
  return std::move(*reply);
}

ChatReply ReplayChat::from_map(const CallSlot& slot) const {
  const auto found = replies_.find(slot_text(slot));
  if (found != replies_.end()) return found->second;
  return without_answer(ChatOutcome::empty, "no answer for the slot " + slot_text(slot) + " in " + source_);
}

}  // namespace noctune
