#include "fakes/scripted_server.hpp"

#include <asio/connect.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read.hpp>
#include <asio/read_until.hpp>
#include <asio/ssl.hpp>
#include <asio/streambuf.hpp>
#include <asio/write.hpp>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "base/async.hpp"
#include "base/clock.hpp"

namespace noctune {
namespace {

using asio::ip::tcp;
using TlsStream = asio::ssl::stream<tcp::socket>;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The head of a request, without its body.
ServerRequest parsed_head(const std::string& head) {
  ServerRequest out;
  const std::size_t first = head.find("\r\n");
  const std::string line = head.substr(0, first);
  const std::size_t a = line.find(' '), b = line.rfind(' ');
  out.method = line.substr(0, a);
  out.target = line.substr(a + 1, b - a - 1);
  for (std::size_t at = first + 2; at < head.size();) {
    const std::size_t end = head.find("\r\n", at);
    const std::size_t colon = head.find(':', at);
    if (end == std::string::npos || colon == std::string::npos || colon > end) break;
    const std::size_t value = std::min(head.find_first_not_of(' ', colon + 1), end);
    out.headers[lower(head.substr(at, colon - at))] = head.substr(value, end - value);
    at = end + 2;
  }
  return out;
}

std::string hexadecimal(std::size_t number) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%zx", number);
  return text.data();
}

std::string head_of(const ServerReply& reply) {
  std::string out = "HTTP/1.1 " + std::to_string(reply.status) + " Scripted\r\n";
  for (const auto& [name, value] : reply.headers) out += name + ": " + value + "\r\n";
  std::size_t length = 0;
  for (const ServerReply::Chunk& chunk : reply.body) length += chunk.bytes.size();
  // A connection that will be cut promises more than comes.
  if (reply.end != ServerReply::End::proper) length += 100;
  if (reply.framing == ServerReply::Framing::chunked) out += "Transfer-Encoding: chunked\r\n";
  if (reply.framing == ServerReply::Framing::length)
    out += "Content-Length: " + std::to_string(length) + "\r\n";
  if (reply.framing == ServerReply::Framing::until_close) out += "Connection: close\r\n";
  return out + "\r\n";
}

tcp::socket& socket_of(tcp::socket& stream) {
  return stream;
}
tcp::socket& socket_of(TlsStream& stream) {
  return stream.next_layer();
}

Task<void> pump(tcp::socket& from, tcp::socket& to) {
  std::array<char, 16384> block{};
  asio::error_code error;
  for (;;) {
    const std::size_t got =
        co_await from.async_read_some(asio::buffer(block), asio::redirect_error(asio::use_awaitable, error));
    if (error) break;
    const auto piece = asio::buffer(block.data(), got);
    co_await asio::async_write(to, piece, asio::redirect_error(asio::use_awaitable, error));
    if (error) break;
  }
  to.shutdown(tcp::socket::shutdown_send, error);
}

}  // namespace

class ScriptedServer::Inside {
 public:
  Inside(Script script, const TlsFiles* tls)
      : script_(std::move(script)), acceptor_(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    if (tls != nullptr) {
      context_.emplace(asio::ssl::context::tls_server);
      context_->use_certificate_chain_file(tls->certificate);
      context_->use_private_key_file(tls->key, asio::ssl::context::pem);
    }
    asio::co_spawn(io_, accept(), asio::detached);
    thread_ = std::thread([this] { io_.run(); });
  }
  ~Inside() {
    io_.stop();
    thread_.join();
  }

  std::string url() const {
    return (context_ ? "https" : "http") + std::string("://127.0.0.1:") +
           std::to_string(acceptor_.local_endpoint().port());
  }
  std::vector<ServerRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  int tunnels() const { return tunnels_; }

 private:
  Task<void> accept();
  Task<void> serve_tls(tcp::socket socket, int connection);
  Task<void> serve_plain(tcp::socket socket, int connection);
  template <class Stream>
  Task<void> serve(Stream& stream, int connection);
  template <class Stream>
  Task<std::optional<ServerRequest>> read(Stream& stream, asio::streambuf& buffer);
  template <class Stream>
  Task<bool> answer(Stream& stream, const ServerReply& reply);
  Task<void> tunnel(tcp::socket& client, const std::string& target);
  Task<void> tunnel(TlsStream&, const std::string&) { co_return; }
  ServerReply ask_script(ServerRequest& request);

  Script script_;
  asio::io_context io_;
  tcp::acceptor acceptor_;
  std::optional<asio::ssl::context> context_;
  mutable std::mutex mutex_;
  std::vector<ServerRequest> requests_;
  std::atomic<int> tunnels_{0};
  std::thread thread_;
};

Task<void> ScriptedServer::Inside::accept() {
  for (int connection = 0;; ++connection) {
    asio::error_code error;
    tcp::socket socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (error) continue;
    socket.set_option(tcp::no_delay(true), error);
    if (context_)
      asio::co_spawn(io_, serve_tls(std::move(socket), connection), asio::detached);
    else
      asio::co_spawn(io_, serve_plain(std::move(socket), connection), asio::detached);
  }
}

Task<void> ScriptedServer::Inside::serve_plain(tcp::socket socket, int connection) {
  co_await serve(socket, connection);
}

Task<void> ScriptedServer::Inside::serve_tls(tcp::socket socket, int connection) {
  TlsStream stream(std::move(socket), *context_);
  asio::error_code error;
  co_await stream.async_handshake(TlsStream::server, asio::redirect_error(asio::use_awaitable, error));
  if (!error) co_await serve(stream, connection);
}

template <class Stream>
Task<void> ScriptedServer::Inside::serve(Stream& stream, int connection) {
  asio::streambuf buffer;
  for (;;) {
    std::optional<ServerRequest> request = co_await read(stream, buffer);
    if (!request) co_return;
    if (request->method == "CONNECT") {
      co_await tunnel(stream, request->target);
      co_return;
    }
    request->connection = connection;
    const ServerReply reply = ask_script(*request);
    const bool kept = co_await answer(stream, reply);
    if (!kept) co_return;
  }
}

template <class Stream>
Task<std::optional<ServerRequest>> ScriptedServer::Inside::read(Stream& stream, asio::streambuf& buffer) {
  asio::error_code error;
  const std::size_t length = co_await asio::async_read_until(
      stream, buffer, "\r\n\r\n", asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return std::nullopt;
  const auto* const data = static_cast<const char*>(buffer.data().data());
  ServerRequest out = parsed_head(std::string(data, length));
  buffer.consume(length);
  const auto wanted = static_cast<std::size_t>(std::atoll(out.headers["content-length"].c_str()));
  if (buffer.size() < wanted)
    co_await asio::async_read(stream, buffer, asio::transfer_exactly(wanted - buffer.size()),
                              asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return std::nullopt;
  out.body.assign(static_cast<const char*>(buffer.data().data()), wanted);
  buffer.consume(wanted);
  co_return out;
}

ServerReply ScriptedServer::Inside::ask_script(ServerRequest& request) {
  const std::lock_guard lock(mutex_);
  request.at_s = steady_seconds();
  request.number = static_cast<int>(requests_.size());
  requests_.push_back(request);
  return script_(request);
}

// False when the connection is not to be used again.
template <class Stream>
Task<bool> ScriptedServer::Inside::answer(Stream& stream, const ServerReply& reply) {
  asio::error_code error;
  const bool chunked = reply.framing == ServerReply::Framing::chunked;
  std::string pending = reply.silent ? std::string() : head_of(reply);
  for (const ServerReply::Chunk& chunk : reply.body) {
    if (chunk.pause_s > 0) {
      co_await asio::async_write(stream, asio::buffer(pending),
                                 asio::redirect_error(asio::use_awaitable, error));
      pending.clear();
      co_await sleep_for(chunk.pause_s);
    }
    if (chunk.bytes.empty()) continue;
    pending += chunked ? hexadecimal(chunk.bytes.size()) + "\r\n" + chunk.bytes + "\r\n" : chunk.bytes;
  }
  const bool proper = reply.end == ServerReply::End::proper;
  if (chunked && proper) pending += "0\r\n\r\n";
  co_await asio::async_write(stream, asio::buffer(pending), asio::redirect_error(asio::use_awaitable, error));
  if (reply.end == ServerReply::End::hang) {
    std::array<char, 64> block{};
    while (!error)
      co_await stream.async_read_some(asio::buffer(block), asio::redirect_error(asio::use_awaitable, error));
  }
  if (reply.end == ServerReply::End::reset)
    socket_of(stream).set_option(asio::socket_base::linger(true, 0), error);
  co_return !error && proper && reply.framing != ServerReply::Framing::until_close;
}

Task<void> ScriptedServer::Inside::tunnel(tcp::socket& client, const std::string& target) {
  const auto port = static_cast<unsigned short>(std::atoi(target.substr(target.rfind(':') + 1).c_str()));
  tcp::socket server(io_);
  asio::error_code error;
  const tcp::endpoint there(asio::ip::address_v4::loopback(), port);
  co_await server.async_connect(there, asio::redirect_error(asio::use_awaitable, error));
  const std::string said = error ? "HTTP/1.1 502 Bad Gateway\r\n\r\n" : "HTTP/1.1 200 Connected\r\n\r\n";
  const bool reached = !error;
  co_await asio::async_write(client, asio::buffer(said), asio::redirect_error(asio::use_awaitable, error));
  if (error || !reached) co_return;
  ++tunnels_;
  int open = 2;
  Signal ended(io_);
  const auto on_end = [&](std::exception_ptr) {
    --open;
    ended.notify();
  };
  asio::co_spawn(io_, pump(client, server), on_end);
  asio::co_spawn(io_, pump(server, client), on_end);
  while (open > 0) co_await ended.wait();
}

void forget_network_variables() {
  for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
                           "NO_PROXY", "CURL_CA_BUNDLE", "SSL_CERT_FILE"})
    ::unsetenv(name);
}

ScriptedServer::ScriptedServer(Script script, const TlsFiles* tls)
    : inside_(std::make_unique<Inside>(std::move(script), tls)) {}
ScriptedServer::~ScriptedServer() = default;
std::string ScriptedServer::url() const {
  return inside_->url();
}
std::vector<ServerRequest> ScriptedServer::requests() const {
  return inside_->requests();
}
int ScriptedServer::tunnels() const {
  return inside_->tunnels();
}

ServerReply json_reply(const std::string& body, int status,
                       std::vector<std::pair<std::string, std::string>> headers) {
  ServerReply out;
  out.status = status;
  out.headers = std::move(headers);
  out.headers.emplace_back("Content-Type", "application/json");
  out.body.push_back({body});
  out.framing = ServerReply::Framing::length;
  return out;
}

ServerReply page_reply(int status) {
  ServerReply out;
  out.status = status;
  out.headers.emplace_back("Content-Type", "text/html; charset=utf-8");
  out.body.push_back({"<!DOCTYPE html>\n<html><title>Some gateway</title></html>\n"});
  out.framing = ServerReply::Framing::length;
  return out;
}

ServerReply stream_reply(const std::string& events) {
  ServerReply out;
  out.headers.emplace_back("Content-Type", "text/event-stream");
  out.body.push_back({events});
  return out;
}

std::string chat_events(const std::string& answer) {
  std::string quoted;
  for (const char c : answer) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return "data: {\"id\":\"c1\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\","
         "\"content\":\"" +
         quoted +
         "\"},\"finish_reason\":null}]}\n\n"
         "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
         "data: "
         "{\"choices\":[],\"usage\":{\"prompt_tokens\":30,\"completion_tokens\":10,\"total_tokens\":40}}\n\n"
         "data: [DONE]\n\n";
}

TlsFiles make_certificates(const std::string& folder) {
  const TlsFiles files{folder + "/server.pem", folder + "/server.key", folder + "/ca.pem"};
  const std::string key = " -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ";
  const std::string script =
      "cd '" + folder + "' && exec >/dev/null 2>&1 && openssl req -x509 -days 2 -subj /CN=noctune-test-ca" +
      key + "-keyout ca.key -out ca.pem && openssl req -subj /CN=localhost" + key +
      "-keyout server.key -out server.csr && "
      "printf 'subjectAltName=IP:127.0.0.1,DNS:localhost\\n' > names && "
      "openssl x509 -req -days 2 -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial "
      "-extfile names -out server.pem";
  if (std::system(script.c_str()) != 0) throw std::runtime_error("openssl made no certificates");
  return files;
}

}  // namespace noctune
