#include "app/campaign_chat.hpp"

#include "app/chat_endpoint.hpp"
#include "llm/budgeted_chat.hpp"
#include "llm/spool_chat.hpp"

namespace noctune {
namespace {

std::unique_ptr<ChatService> make_spool(asio::io_context& io, const CampaignChatNeeds& needs) {
  SpoolChatSettings how;
  how.campaign = needs.campaign;
  how.exit_when_waiting = needs.settings.on_wait == "exit";
  how.warn = needs.warn;
  return std::make_unique<SpoolChat>(io, value_or_throw(SpoolFolder::open(needs.settings.spool)),
                                     std::move(how));
}

// A request that was sent and has no answer may have been paid; in a spool it still waits for its only one.
Spending spending_of_call(const SpentCall& call, const ModelSettings& settings) {
  Spending out{micros_of(call.cost), call.tokens, call.requests};
  if (settings.provider == "spool") return out;
  const int cap = call.max_output_tokens > 0 ? call.max_output_tokens : settings.max_output_tokens;
  const Spending worst = worst_case(estimated_tokens(static_cast<std::size_t>(call.prompt_bytes)), cap,
                                    settings.models, settings.prices);
  for (int i = 0; i < call.unanswered; ++i) out += worst;
  return out;
}

// The service and the gate before it, as one.
class CampaignChat final : public ChatService {
 public:
  CampaignChat(asio::io_context& io, std::unique_ptr<ChatService> service, const CampaignChatNeeds& needs)
      : service_(std::move(service)), gate_(io, *service_, needs.settings) {
    for (const SpentCall& call : needs.spent)
      gate_.budget().earlier(call.hotspot, spending_of_call(call, needs.settings));
  }

  Task<ChatReply> ask(CallSlot slot, ChatRequest request) override {
    return gate_.ask(std::move(slot), std::move(request));
  }
  std::string describe() const override { return gate_.describe(); }
  void recorded(const CallSlot& slot) override { service_->recorded(slot); }
  void stop() override { gate_.stop(); }

 private:
  std::unique_ptr<ChatService> service_;
  BudgetedChat gate_;
};

}  // namespace

std::unique_ptr<ChatService> make_campaign_chat(asio::io_context& io, CampaignChatNeeds needs, ApiKey key) {
  const std::string& provider = needs.settings.provider;
  if (provider.empty()) return nullptr;
  if (provider == "replay") return make_endpoint(io, needs.settings, std::move(key));  // costs nothing
  std::unique_ptr<ChatService> service =
      provider == "spool" ? make_spool(io, needs) : make_endpoint(io, needs.settings, std::move(key));
  return std::make_unique<CampaignChat>(io, std::move(service), needs);
}

}  // namespace noctune
