#include "base/http.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>

#include "base/async.hpp"
#include "base/clock.hpp"
#include "base/files.hpp"
#include "fakes/run_all.hpp"
#include "fakes/scripted_server.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;

const bool own_environment = (forget_network_variables(), true);

// Keeps what comes. "content" begins the answer, "<end>" completes it, "<bad>" is refused.
class Keeper final : public HttpSink {
 public:
  void begin(int status, const HttpHeaders& headers) override {
    begun = status;
    seen = headers;
  }
  HttpProgress take(std::string_view bytes) override {
    text += bytes;
    if (text.find("<bad>") != std::string::npos) return HttpProgress::refused;
    if (text.find("<throw>") != std::string::npos) throw std::runtime_error("thrown");
    if (text.find("<end>") != std::string::npos) return HttpProgress::finished;
    return text.find("content") != std::string::npos ? HttpProgress::content : HttpProgress::life;
  }
  int begun = 0;
  HttpHeaders seen;
  std::string text;
};

class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

struct Fetched {
  HttpResponse response;
  std::string text;
  int begun = 0;
};

Task<void> fetch_into(HttpClient& client, HttpRequest request, Fetched& out) {
  const auto keeper = std::make_shared<Keeper>();
  request.sink = keeper;
  out.response = co_await client.send(std::move(request));
  out.text = keeper->text;
  out.begun = keeper->begun;
}

Fetched fetch(HttpRequest request, HttpOptions options = {}) {
  asio::io_context io;
  HttpClient client(io, std::move(options));
  Fetched out;
  run_all(io, fetch_into(client, std::move(request), out));
  return out;
}

HttpRequest request_to(const std::string& url) {
  HttpRequest out;
  out.url = url + "/v1/x";
  out.body = "asked";
  return out;
}

ServerReply text_reply(const std::string& text) {
  ServerReply out;
  out.headers.emplace_back("X-Name", "Value");
  out.body.push_back({text});
  return out;
}

TEST(HttpTest, SendsARequestAndStreamsTheAnswer) {
  ScriptedServer server([](const ServerRequest&) { return text_reply("content"); });
  HttpRequest request = request_to(server.url());
  request.headers.emplace_back("X-Mine", "1");
  const Fetched got = fetch(std::move(request));
  EXPECT_EQ(got.response.failure, HttpFailure::none) << got.response.error;
  EXPECT_EQ(got.response.status, 200);
  EXPECT_EQ(got.begun, 200);
  EXPECT_EQ(got.text, "content");
  EXPECT_EQ(got.response.headers.at("x-name"), "Value");
  EXPECT_TRUE(got.response.sent);
  const std::vector<ServerRequest> seen = server.requests();
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].method, "POST");
  EXPECT_EQ(seen[0].target, "/v1/x");
  EXPECT_EQ(seen[0].body, "asked");
  EXPECT_EQ(seen[0].headers.at("x-mine"), "1");
  EXPECT_EQ(seen[0].headers.count("expect"), 0U);
}

TEST(HttpTest, KeepsConnectionsForLaterRequests) {
  ScriptedServer server([](const ServerRequest&) { return text_reply("content<end>"); });
  asio::io_context io;
  HttpClient client(io, {});
  Fetched first, second;
  run_all(io, fetch_into(client, request_to(server.url()), first));
  run_all(io, fetch_into(client, request_to(server.url()), second));
  ASSERT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(server.requests()[1].connection, 0);
}

TEST(HttpTest, ErrorsHaveBodiesAndRedirectsAreAnswers) {
  ScriptedServer server([](const ServerRequest& r) {
    ServerReply out = text_reply("why");
    out.status = r.number == 0 ? 429 : 302;
    out.headers.emplace_back("Location", "http://127.0.0.1:1/");
    return out;
  });
  EXPECT_EQ(fetch(request_to(server.url())).text, "why");
  const Fetched moved = fetch(request_to(server.url()));
  EXPECT_EQ(moved.response.status, 302);
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(HttpTest, ACutBodyIsAFailure) {
  for (const auto framing : {ServerReply::Framing::chunked, ServerReply::Framing::length})
    for (const auto end : {ServerReply::End::close, ServerReply::End::reset}) {
      ScriptedServer server([&](const ServerRequest&) {
        ServerReply out = text_reply("content");
        out.framing = framing;
        out.end = end;
        return out;
      });
      const Fetched got = fetch(request_to(server.url()));
      EXPECT_EQ(got.response.failure, HttpFailure::cut) << got.response.error;
      EXPECT_TRUE(got.response.sent);
    }
}

TEST(HttpTest, AnAnswerThatIsCompleteNeedsNoProperEnd) {
  ScriptedServer server([](const ServerRequest&) {
    ServerReply out = text_reply("content<end>");
    out.end = ServerReply::End::hang;
    return out;
  });
  HttpRequest request = request_to(server.url());
  request.timers.grace_s = 0.05;
  const Fetched got = fetch(std::move(request));
  EXPECT_EQ(got.response.failure, HttpFailure::none);
  EXPECT_LT(got.response.seconds, 2);
}

TEST(HttpTest, NobodyListensWhereNobodyListens) {
  std::string url;
  {
    url = ScriptedServer([](const ServerRequest&) { return text_reply(""); }).url();
  }
  const Fetched got = fetch(request_to(url));
  EXPECT_EQ(got.response.failure, HttpFailure::unreachable);
  EXPECT_FALSE(got.response.sent);
  EXPECT_EQ(fetch(request_to("ftp://127.0.0.1")).response.failure, HttpFailure::bad_url);
}

TEST(HttpTest, SignsOfLifeAreNoContent) {
  ScriptedServer server([](const ServerRequest&) {
    ServerReply out;
    for (int i = 0; i < 200; ++i) out.body.push_back({"alive\n", 0.02});
    return out;
  });
  HttpRequest request = request_to(server.url());
  request.timers.first_content_s = 0.2;
  const Fetched got = fetch(std::move(request));
  EXPECT_EQ(got.response.failure, HttpFailure::no_content);
  EXPECT_TRUE(got.response.sent);
}

TEST(HttpTest, SignsOfLifeKeepAnAnswerThatHasBegun) {
  ScriptedServer server([](const ServerRequest&) {
    ServerReply out = text_reply("content");
    for (int i = 0; i < 30; ++i) out.body.push_back({":\n", 0.02});
    out.body.push_back({"<end>"});
    return out;
  });
  HttpRequest request = request_to(server.url());
  request.timers.gap_s = 0.3;  // of 0.6 s in all
  EXPECT_EQ(fetch(std::move(request)).response.failure, HttpFailure::none);
}

TEST(HttpTest, SilenceEndsAtTheGapAndEverythingAtTheTotal) {
  ScriptedServer server([](const ServerRequest& r) {
    ServerReply out = text_reply("content");
    if (r.number == 1)
      for (int i = 0; i < 300; ++i) out.body.push_back({"more", 0.01});
    out.end = ServerReply::End::hang;
    return out;
  });
  HttpRequest request = request_to(server.url());
  request.timers.gap_s = 0.15;
  request.timers.total_s = 0.4;
  const Fetched silent = fetch(request);
  EXPECT_EQ(silent.response.failure, HttpFailure::gap);
  EXPECT_LT(silent.response.seconds, 0.39);
  EXPECT_EQ(fetch(request).response.failure, HttpFailure::total);
}

TEST(HttpTest, WhatTheReaderRefusesOrThrowsAtEndsTheTransfer) {
  for (const char* text : {"<bad>", "<throw>"}) {
    ScriptedServer server([&](const ServerRequest&) { return text_reply(text); });
    EXPECT_EQ(fetch(request_to(server.url())).response.failure, HttpFailure::refused_by_sink);
  }
}

TEST(HttpTest, BodiesAreCapped) {
  ScriptedServer server([](const ServerRequest&) { return text_reply(std::string(1 << 20, 'x')); });
  HttpOptions options;
  options.body_cap = 1000;
  EXPECT_EQ(fetch(request_to(server.url()), options).response.failure, HttpFailure::too_large);
}

TEST(HttpTest, StopEndsOpenAndLaterCalls) {
  ScriptedServer server([](const ServerRequest&) {
    ServerReply out;
    out.end = ServerReply::End::hang;
    return out;
  });
  asio::io_context io;
  HttpClient client(io, {});
  Fetched open, later;
  asio::co_spawn(io, fetch_into(client, request_to(server.url()), open), asio::detached);
  asio::steady_timer timer(io, std::chrono::milliseconds(50));
  timer.async_wait([&](asio::error_code) { client.stop(); });
  io.run();
  EXPECT_EQ(open.response.failure, HttpFailure::stopped);
  run_all(io, fetch_into(client, request_to(server.url()), later));
  EXPECT_EQ(later.response.failure, HttpFailure::stopped);
}

TEST(HttpTest, ACallThatIsThrownAwayHarmsNobody) {
  ScriptedServer server([](const ServerRequest&) {
    ServerReply out;
    out.end = ServerReply::End::hang;
    return out;
  });
  Fetched never;
  asio::io_context io;
  HttpClient client(io, {});
  asio::co_spawn(io, fetch_into(client, request_to(server.url()), never), asio::detached);
  for (int i = 0; i < 5; ++i) io.poll();
  EXPECT_EQ(never.begun, 0);
}

TEST(HttpTest, CancellingEndsTheTransfer) {
  ScriptedServer server([](const ServerRequest& r) {
    ServerReply out = text_reply("content");
    if (r.number == 0) out.end = ServerReply::End::hang;
    return out;
  });
  asio::io_context io;
  HttpOptions options;
  options.connections = 1;  // the second can begin only when the first has gone
  HttpClient client(io, options);
  Fetched cut, next;
  asio::cancellation_signal cancel;
  bool thrown = false;
  asio::co_spawn(
      io, fetch_into(client, request_to(server.url()), cut),
      asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr e) { thrown = e != nullptr; }));
  asio::steady_timer timer(io, std::chrono::milliseconds(50));
  timer.async_wait([&](asio::error_code) { cancel.emit(asio::cancellation_type::terminal); });
  io.run();
  EXPECT_TRUE(thrown);
  run_all(io, fetch_into(client, request_to(server.url()), next));
  EXPECT_EQ(next.text, "content");
}

TEST(HttpTest, AskedForHttp2TakesWhatTheServerSpeaks) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("tls"));
  const TlsFiles files = make_certificates(folder.path());
  ScriptedServer server([](const ServerRequest&) { return text_reply("content"); }, &files);
  HttpOptions options;
  options.ca_file = files.ca;
  options.http2 = true;
  EXPECT_EQ(fetch(request_to(server.url()), options).text, "content");
}

TEST(HttpTest, TlsIsVerified) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("tls"));
  const TlsFiles files = make_certificates(folder.path());
  ScriptedServer server([](const ServerRequest&) { return text_reply("content"); }, &files);
  HttpOptions right;
  right.ca_file = files.ca;
  EXPECT_EQ(fetch(request_to(server.url()), right).text, "content");
  const Fetched untrusted = fetch(request_to(server.url()));
  EXPECT_EQ(untrusted.response.failure, HttpFailure::certificate) << untrusted.response.error;
  EXPECT_EQ(untrusted.text, "");
  HttpOptions missing;
  missing.ca_file = "/nowhere/ca.pem";
  EXPECT_EQ(fetch(request_to(server.url()), missing).response.failure, HttpFailure::ca_file);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(HttpTest, CertificatesAreNamedByTheUsualVariables) {
  const Variable lower("SSL_CERT_FILE", "/b.pem");
  EXPECT_EQ(certificate_file(""), "/b.pem");
  const Variable upper("CURL_CA_BUNDLE", "/a.pem");
  EXPECT_EQ(certificate_file(""), "/a.pem");
  EXPECT_EQ(certificate_file("/mine.pem"), "/mine.pem");
}

TEST(HttpTest, ProxiesComeFromTheEnvironmentUnlessDirect) {
  ScriptedServer proxy([](const ServerRequest&) { return text_reply("content by proxy"); });
  ScriptedServer server([](const ServerRequest&) { return text_reply("content"); });
  const Variable variable("http_proxy", proxy.url());
  EXPECT_EQ(fetch(request_to(server.url())).text, "content by proxy");
  EXPECT_THAT(proxy.requests().at(0).target, HasSubstr(server.url()));
  HttpOptions direct;
  direct.direct = true;
  EXPECT_EQ(fetch(request_to(server.url()), direct).text, "content");
  EXPECT_EQ(proxy.requests().size(), 1U);
}

TEST(HttpTest, TlsGoesThroughAProxysTunnel) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("tls"));
  const TlsFiles files = make_certificates(folder.path());
  ScriptedServer proxy([](const ServerRequest&) { return text_reply("never"); });
  ScriptedServer server([](const ServerRequest&) { return text_reply("content"); }, &files);
  const Variable variable("https_proxy", proxy.url());
  HttpOptions options;
  options.ca_file = files.ca;
  EXPECT_EQ(fetch(request_to(server.url()), options).text, "content");
  EXPECT_EQ(proxy.tunnels(), 1);
  const Fetched refused = fetch(request_to("https://127.0.0.1:1"), options);  // the proxy answers 502
  EXPECT_EQ(refused.response.failure, HttpFailure::proxy_refused);
  EXPECT_EQ(refused.response.proxy_status, 502);
  EXPECT_FALSE(refused.response.sent);
}

TEST(HttpTest, ManyAtOnceOverOneThread) {
  ScriptedServer server([](const ServerRequest& r) {
    ServerReply out;
    out.body.push_back({"content " + r.body, 0.05});
    return out;
  });
  asio::io_context io;
  HttpOptions options;
  options.connections = 40;
  HttpClient client(io, options);
  std::vector<Fetched> got(40);
  for (std::size_t i = 0; i < got.size(); ++i) {
    HttpRequest request = request_to(server.url());
    request.body = std::to_string(i);
    asio::co_spawn(io, fetch_into(client, std::move(request), got[i]), asio::detached);
  }
  const Stopwatch watch;
  io.run();
  EXPECT_LT(watch.seconds(), 1.5);  // 2 s one after the other
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i].text, "content " + std::to_string(i));
}

}  // namespace
}  // namespace noctune
