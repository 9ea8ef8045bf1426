// A spool in a scratch folder, requests for it and a look at its files.
#pragma once

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "fakes/fake_chat.hpp"
#include "fakes/run_all.hpp"
#include "llm/relay.hpp"
#include "llm/spool_chat.hpp"

namespace noctune {

inline CallSlot slot_at(int round, const std::string& hotspot = "gemm") {
  return {hotspot, "loop", 0, round, 0, 0, "write"};
}

inline ChatRequest request_of(const std::string& content) {
  ChatRequest request;
  request.messages = {{ChatRole::system, "You write kernels."}, {ChatRole::user, content}};
  request.prompt_template = "write/1";
  request.max_output_tokens = 1000;
  return request;
}

class SpoolTest : public testing::Test {
 public:  // coroutines of the tests are no members
  SpoolTest() : scratch_(value_or_throw(ScratchFolder::make("spool"))), spool_(open()) {}

  SpoolFolder open() const { return value_or_throw(SpoolFolder::open(scratch_.path() / "s")); }
  SpoolChatSettings chat_settings() {
    SpoolChatSettings out;
    out.campaign = "c1";
    out.poll_s = 0.005;
    out.grace_s = 0.02;
    out.warn = [this](const std::string& text) { warnings_.push_back(text); };
    return out;
  }
  RelaySettings relay_settings() {
    RelaySettings out;
    out.poll_s = 0.005;
    out.beat_s = 0.02;
    out.stale_s = 0.2;
    out.model.models = {"fake-1"};
    out.on_note = [this](const std::string& text) { notes_.push_back(text); };
    return out;
  }
  std::string name_of(int round, const std::string& content) const {
    return spool_name({"c1", slot_at(round), request_of(content)});
  }
  void put(int round, const std::string& content) {
    const SpooledRequest asked{"c1", slot_at(round), request_of(content)};
    value_or_throw(spool_.put(SpoolPlace::req, spool_name(asked) + ".txt", request_text(asked)));
  }
  ChatReply reply_to(const std::string& name) const {
    return value_or_throw(reply_from(value_or_throw(spool_.read(SpoolPlace::rsp, name + ".txt"))));
  }
  RelayTotals run_once(ChatService& service, RelaySettings settings) {
    settings.once = true;
    Relay relay(io_, open(), service, std::move(settings));
    RelayTotals totals;
    run_all(io_, into(relay.run(), totals));
    return totals;
  }
  template <class T>
  static Task<void> into(Task<T> task, T& out) {
    out = co_await std::move(task);
  }

  ScratchFolder scratch_;
  asio::io_context io_;
  SpoolFolder spool_;
  std::vector<std::string> warnings_, notes_;
};

}  // namespace noctune
