// HTTP(S) for coroutines: one thread owns libcurl and every connection, the callers' thread only waits.
#pragma once

#include <asio/awaitable.hpp>
#include <memory>
#include <string>
#include <thread>

#include "base/http_types.hpp"

namespace asio {
class io_context;
}

namespace noctune {

struct HttpOptions {
  int connections = 8;       // open at once, to one host; the caller queues what is more
  bool direct = false;       // no proxy, whatever the environment says
  bool http2 = false;        // else 1.1, where one dead connection ends one stream only
  std::string ca_file = {};  // empty: searched, see certificate_file()
  std::size_t body_cap = 64U << 20U;
};

// Make it before other threads where possible (libcurl's global state), and let it go before its io_context.
// Proxies come from the environment, redirects are answers like others, certificates are always verified.
class HttpClient {
 public:
  HttpClient(asio::io_context& io, HttpOptions options);
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  // Any number at once, from the io_context's thread. Never throws for what the world did. Cancelling the
  // awaitable ends the transfer.
  asio::awaitable<HttpResponse> send(HttpRequest request);
  // Ends open and later calls as `stopped`.
  void stop();

 private:
  class Core;
  std::shared_ptr<Core> core_;
  std::thread thread_;
};

// The CA bundle that connections are verified with: the chosen one, $CURL_CA_BUNDLE, $SSL_CERT_FILE,
// libcurl's own if it can be read, else where distributions keep theirs. Empty: libcurl's default is all
// there is.
std::string certificate_file(const std::string& chosen);
// "libcurl 7.88.1, OpenSSL/3.0.19", for facts about the program.
std::string http_library();

// An address for people: without user, password and query.
std::string shown_address(const std::string& url);

}  // namespace noctune
