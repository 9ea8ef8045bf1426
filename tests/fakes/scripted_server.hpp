// An HTTP/1.1 server on loopback that answers as a script says, with every fault a network has. It runs in a
// thread of its own; the script is called there, one request at a time. It can speak TLS, and it is a proxy
// as well: CONNECT opens a tunnel, and a request for a whole address is answered by the script like any
// other.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace noctune {

struct ServerRequest {
  std::string method, target, body;
  std::map<std::string, std::string> headers;  // names in lower case
  double at_s = 0;                             // steady seconds of its arrival
  int number = 0;                              // of this server's requests, from 0
  int connection = 0;                          // that carried it, from 0
};

struct ServerReply {
  struct Chunk {
    std::string bytes;
    double pause_s = 0;  // before it
  };
  enum class Framing { chunked, length, until_close };
  enum class End {
    proper,
    close,  // without the end that the framing promised
    reset,  // RST
    hang    // nothing more comes until the client goes
  };

  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<Chunk> body;
  Framing framing = Framing::chunked;
  End end = End::proper;
  bool silent = false;  // not even a status line
};

// The common replies.
ServerReply json_reply(const std::string& body, int status = 200,
                       std::vector<std::pair<std::string, std::string>> headers = {});
ServerReply page_reply(int status);  // HTML, as portals and proxies send it
// A stream of events from its text, in one piece.
ServerReply stream_reply(const std::string& events);
// Chat completions: an answer in three events with usage and [DONE].
std::string chat_events(const std::string& answer);

// Where a server's certificate, its key, and the CA that signed it are.
struct TlsFiles {
  std::string certificate, key, ca;
};
// Makes a CA and a certificate for 127.0.0.1 and localhost in a folder; needs the openssl command.
TlsFiles make_certificates(const std::string& folder);

// Removes proxies and CA bundles from the environment, so that a developer's own do not reach the tests.
void forget_network_variables();

class ScriptedServer {
 public:
  using Script = std::function<ServerReply(const ServerRequest&)>;

  explicit ScriptedServer(Script script, const TlsFiles* tls = nullptr);
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;
  ~ScriptedServer();

  std::string url() const;  // "http://127.0.0.1:PORT"
  std::vector<ServerRequest> requests() const;
  int tunnels() const;  // opened by CONNECT

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace noctune
