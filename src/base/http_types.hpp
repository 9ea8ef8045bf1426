// What an HTTP exchange is made of: plain data, and the reader that the body is streamed into.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace noctune {

using HttpHeaders = std::map<std::string, std::string>;  // names in lower case; repeated ones joined by ", "

// What a reader makes of the bytes it was given, which decides what the timers do.
enum class HttpProgress {
  life,      // the other side is alive, but has not begun to answer
  content,   // part of the answer
  finished,  // the answer is complete, whatever the connection does next
  refused    // not worth reading on
};

// Where a body goes. Everything is called from the HTTP thread, never at once; what it gathered may be read
// when send() has returned. Exceptions count as `refused`.
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  virtual void begin(int status, const HttpHeaders& headers) = 0;
  virtual HttpProgress take(std::string_view bytes) = 0;
};

// Seconds; all counted by us, since libcurl knows no limit that a silently thinking server would survive.
struct HttpTimers {
  double connect_s = 15;
  double first_content_s = 900;  // from the start to the first `content`
  double gap_s = 180;            // after that, between any two signs of life
  double total_s = 3600;
  double grace_s = 2;  // after `finished`, for the connection to end in order and be used again
};

struct HttpRequest {
  std::string url, method = "POST", body;
  std::vector<std::pair<std::string, std::string>> headers;  // may hold a key: never print them
  HttpTimers timers;
  std::shared_ptr<HttpSink> sink;  // null: the body is dropped
};

enum class HttpFailure {
  none,             // there is a status; the sink knows whether the answer is whole
  bad_url,          //
  unreachable,      // no name, no route, no listener, or connecting took too long
  certificate,      // the other side could not be verified
  ca_file,          // our file of certificates cannot be read
  proxy_refused,    // the proxy would not open a tunnel; proxy_status says how
  no_content,       // first_content_s passed
  gap,              // gap_s passed
  total,            // total_s passed
  cut,              // the connection ended early
  too_large,        // more than body_cap
  refused_by_sink,  //
  stopped,          // stop() or the caller's cancellation
  other
};

struct HttpResponse {
  HttpFailure failure = HttpFailure::other;
  std::string error;     // for people, where failure is not none
  int status = 0;        // 0: no answer came
  int proxy_status = 0;  // of CONNECT, where a proxy answered it
  HttpHeaders headers;
  bool sent = false;  // the request was on its way: it may have been served, and billed
  double seconds = 0;
};

}  // namespace noctune
