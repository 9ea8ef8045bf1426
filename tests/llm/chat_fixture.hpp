// A chat service against a scripted server, with waits short enough for tests.
#pragma once

#include <gmock/gmock.h>

#include <deque>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "fakes/run_all.hpp"
#include "fakes/scripted_server.hpp"
#include "llm/http_chat.hpp"

namespace noctune {

class ChatFixture : public testing::Test {
 protected:
  ChatFixture() {
    forget_network_variables();
    settings.provider = "openai";
    settings.models = {"m-1"};
    settings.key_file = folder.path() / "key";
    settings.prices.models["m-1"] = {1, 0.5, 2};
    settings.max_output_tokens = 1000;
    settings.connect_s = 2;
    settings.first_token_s = 2;
    settings.gap_s = 1;
    settings.total_s = 10;
    settings.retry_s = 5;
    options.retry.base_s = 0.02;
    options.retry.cap_s = 0.05;
    write_key("sk-canary-1234");
    request.messages = {{ChatRole::system, "rules"}, {ChatRole::user, "a question of some length"}};
  }

  void write_key(const std::string& key) {
    value_or_throw(write_file(settings.key_file, key));
    std::filesystem::permissions(settings.key_file, std::filesystem::perms(0600));
  }
  // Answers in this order; the last one for ever.
  void script(std::deque<ServerReply> replies) {
    script([replies](const ServerRequest&) mutable {
      ServerReply out = replies.front();
      if (replies.size() > 1) replies.pop_front();
      return out;
    });
  }
  void script(ScriptedServer::Script next) {
    server = std::make_unique<ScriptedServer>(std::move(next));
    settings.base_url = server->url() + "/v1";
  }
  std::unique_ptr<ChatService> service() {
    return make_http_chat(io, settings, value_or_throw(ApiKey::find(settings)), options);
  }
  ChatReply ask() {
    const auto chat = service();
    return ask(*chat);
  }
  ChatReply ask(ChatService& chat) {
    ChatReply out;
    run_all(io, ask_into(chat, request, out));
    EXPECT_EQ(out.message.find("canary"), std::string::npos) << "the key in a message";
    return out;
  }
  std::vector<ChatReply> ask_together(std::size_t count) {
    const auto chat = service();
    std::vector<ChatReply> out(count);
    for (ChatReply& reply : out) asio::co_spawn(io, ask_into(*chat, request, reply), asio::detached);
    io.run();
    return out;
  }
  static Task<void> ask_into(ChatService& chat, ChatRequest wanted, ChatReply& out) {
    CallSlot slot;
    out = co_await chat.ask(std::move(slot), std::move(wanted));
  }
  std::string body(std::size_t number) const { return server->requests().at(number).body; }
  std::size_t sent() const { return server->requests().size(); }

  ScratchFolder folder = value_or_throw(ScratchFolder::make("chat"));
  ModelSettings settings;
  HttpChatOptions options;
  ChatRequest request;
  asio::io_context io;
  std::unique_ptr<ScriptedServer> server;
};

inline ServerReply good_reply(const std::string& answer = "fine") {
  return stream_reply(chat_events(answer));
}
inline ServerReply error_reply(int status, const std::string& code,
                               std::vector<std::pair<std::string, std::string>> headers = {}) {
  return json_reply("{\"error\":{\"message\":\"about " + code + "\",\"code\":\"" + code + "\"}}", status,
                    std::move(headers));
}

}  // namespace noctune
