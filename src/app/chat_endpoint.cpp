#include "app/chat_endpoint.hpp"

#include <cstdio>
#include <filesystem>

#include "base/error.hpp"
#include "base/secrets.hpp"
#include "llm/http_chat.hpp"
#include "llm/replay_chat.hpp"
#include "store/recorded_replies.hpp"

namespace noctune {
namespace {

bool speaks_http(const ModelSettings& settings) {
  return settings.provider == "openai" || settings.provider == "openai-responses" ||
         settings.provider == "anthropic";
}

std::unique_ptr<ChatService> make_replay(const ModelSettings& settings) {
  std::error_code wrong;
  if (std::filesystem::is_directory(settings.replay, wrong))
    return std::make_unique<ReplayChat>(std::filesystem::path(settings.replay));
  if (!std::filesystem::exists(settings.replay, wrong))
    throw UserError({"cannot answer from \"" + settings.replay + "\"", "there is no such file or folder",
                     "name a results file, or a folder with one file for each slot, as docs/spool.md says"});
  return std::make_unique<ReplayChat>(value_or_throw(recorded_replies(settings.replay)), settings.replay);
}

}  // namespace

ApiKey take_key(const ModelSettings& settings) {
  ApiKey key;
  if (speaks_http(settings)) key = value_or_throw(ApiKey::find(settings));
  scrub_environment({settings.key_env});
  if (!key.warning().empty()) std::fprintf(stderr, "noctune: %s\n", key.warning().c_str());
  return key;
}

std::unique_ptr<ChatService> make_endpoint(asio::io_context& io, const ModelSettings& settings, ApiKey key) {
  if (speaks_http(settings)) return make_http_chat(io, settings, std::move(key));
  if (settings.provider == "replay") return make_replay(settings);
  if (settings.provider == "spool")
    throw UserError({"a relay cannot answer through a spool", "model.provider is \"spool\"",
                     "name the endpoint's own provider, for example --set model.provider=openai"});
  throw UserError({"nothing is named that could answer", "model.provider is missing",
                   "name a provider in the config's model section, or a folder of answers with --replay"});
}

}  // namespace noctune
