// What open model calls cost the thread that decides: 64 streams through the chat client, while a coroutine
// on the io_context asks to be woken every millisecond and notes how late that happens.
// build/bin/llm_benchmark
#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/clock.hpp"
#include "fakes/scripted_server.hpp"
#include "llm/http_chat.hpp"

namespace noctune {
namespace {

constexpr int streams = 64, events_per_reply = 400;
constexpr double measure_s = 5, period_s = 1e-3, event_gap_s = 5e-3;

// A reply of about two seconds, one small event every 5 ms, as models send them.
ServerReply slow_reply() {
  ServerReply out = stream_reply("");
  out.body.clear();
  const std::string event =
      "data: {\"id\":\"c1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"for (int i "
      "\"}}]}\n\n";
  for (int i = 0; i < events_per_reply; ++i) out.body.push_back({event, event_gap_s});
  out.body.push_back({chat_events("end")});
  return out;
}

// How late the timer is served, in seconds, until `ends_at`.
Task<void> watch(double ends_at, std::vector<double>& late) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  while (steady_seconds() < ends_at) {
    const double due = steady_seconds() + period_s;
    timer.expires_after(std::chrono::microseconds(static_cast<int>(period_s * 1e6)));
    co_await timer.async_wait(asio::use_awaitable);
    late.push_back(std::max(0.0, steady_seconds() - due));
  }
}

Task<void> keep_asking(ChatService& chat, double ends_at, int& answered) {
  while (steady_seconds() < ends_at) {
    ChatRequest request;
    request.messages = {{ChatRole::user, std::string(20000, 'x')}};
    CallSlot slot;
    const ChatReply reply = co_await chat.ask(std::move(slot), std::move(request));
    if (reply.outcome == ChatOutcome::ok) ++answered;
    if (reply.outcome == ChatOutcome::stopped) break;
  }
}

void print(const char* what, std::vector<double> late) {
  if (late.empty()) return;
  std::sort(late.begin(), late.end());
  const auto quantile = [&](double q) {
    return 1e6 * late[static_cast<std::size_t>(q * static_cast<double>(late.size() - 1))];
  };
  std::printf("%-24s %6zu wake-ups, late by p50 %.0f us, p99 %.0f us, p99.9 %.0f us, max %.0f us\n", what,
              late.size(), quantile(0.5), quantile(0.99), quantile(0.999), quantile(1));
}

void run() {
  asio::io_context io;
  std::vector<double> quiet, busy;
  asio::co_spawn(io, watch(steady_seconds() + measure_s, quiet), asio::detached);
  io.run();
  print("no requests", std::move(quiet));

  ScriptedServer server([](const ServerRequest&) { return slow_reply(); });
  ModelSettings settings;
  settings.provider = "openai";
  settings.base_url = server.url() + "/v1";
  settings.models = {"m"};
  settings.local = true;
  settings.concurrency = streams;
  const std::unique_ptr<ChatService> chat = make_http_chat(io, settings, ApiKey());
  int answered = 0;
  const double ends_at = steady_seconds() + measure_s;
  io.restart();
  for (int i = 0; i < streams; ++i) asio::co_spawn(io, keep_asking(*chat, ends_at, answered), asio::detached);
  asio::co_spawn(io, watch(ends_at, busy), asio::detached);
  io.run();
  print("64 streams", std::move(busy));
  std::printf("%d replies of %d events each\n", answered, events_per_reply);
}

}  // namespace
}  // namespace noctune

int main() {
  noctune::run();
}
