#include "app/chat_endpoint.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "llm/replay_chat.hpp"

namespace noctune {
namespace {

std::unique_ptr<ChatService> make_replay(const ModelSettings& settings) {
  std::error_code wrong;
  if (!std::filesystem::is_directory(settings.replay, wrong))
    throw UserError({"cannot answer from the folder \"" + settings.replay + "\"", "there is no such folder",
                     "it holds one file for each slot, as docs/spool.md says"});
  return std::make_unique<ReplayChat>(std::filesystem::path(settings.replay));
}

}  // namespace

std::unique_ptr<ChatService> make_endpoint(asio::io_context& /*io*/, const ModelSettings& settings) {
  if (settings.provider == "replay") return make_replay(settings);
  if (settings.provider == "spool")
    throw UserError({"a relay cannot answer through a spool", "model.provider is \"spool\"",
                     "name the endpoint's own provider, for example --set model.provider=openai"});
  if (settings.provider.empty())
    throw UserError({"nothing is named that could answer", "model.provider is missing",
                     "name a provider in the config's model section, or a folder of answers with --replay"});
  throw UserError({"the provider \"" + settings.provider + "\" is not available in this version", "",
                   "available providers: replay"});
}

}  // namespace noctune
