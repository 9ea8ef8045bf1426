#include "base/http_transfer.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "base/clock.hpp"
#include "base/text.hpp"

namespace noctune {
namespace {

constexpr std::size_t header_cap = 1U << 20U;
constexpr long keep_idle_s = 30, keep_interval_s = 15, max_idle_s = 60, max_life_s = 600;

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return std::string(text);
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

HttpFailure failure_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return HttpFailure::none;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return HttpFailure::bad_url;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:  // only connecting has a limit inside libcurl
    case CURLE_SSL_CONNECT_ERROR:   // mostly a connection that died in the handshake
      return HttpFailure::unreachable;
    case CURLE_PEER_FAILED_VERIFICATION:
#if LIBCURL_VERSION_NUM < 0x073e00
    case CURLE_SSL_CACERT:  // a name for the same since then
#endif
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ISSUER_ERROR:
      return HttpFailure::certificate;
    case CURLE_SSL_CACERT_BADFILE:
      return HttpFailure::ca_file;
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return HttpFailure::cut;
    default:
      return HttpFailure::other;
  }
}

}  // namespace

HttpTransfer::HttpTransfer(HttpRequest request, const HttpOptions& options)
    : request_(std::move(request)),
      easy_(curl_easy_init()),
      body_cap_(options.body_cap),
      started_(steady_seconds()),
      last_life_(started_) {
  if (!easy_) return;
  set_up(options);
  set_security(options);
  set_request();
}

void HttpTransfer::set_up(const HttpOptions& options) {
  CURL* easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_PRIVATE, this);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_.data());
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "noctune");
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                   std::max(1L, static_cast<long>(request_.timers.connect_s * 1e3)));
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, keep_idle_s);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, keep_interval_s);
#if LIBCURL_VERSION_NUM >= 0x074100
  curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, max_idle_s);
#endif
#if LIBCURL_VERSION_NUM >= 0x075000
  curl_easy_setopt(easy, CURLOPT_MAXLIFETIME_CONN, max_life_s);
#endif
  curl_easy_setopt(
      easy, CURLOPT_HTTP_VERSION,
      options.http2 ? static_cast<long>(CURL_HTTP_VERSION_2TLS) : static_cast<long>(CURL_HTTP_VERSION_1_1));
  if (options.http2) curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (options.direct) curl_easy_setopt(easy, CURLOPT_PROXY, "");
}

// A redirect is an answer: libcurl would carry a key in a header of its own name to the new host.
void HttpTransfer::set_security(const HttpOptions& options) {
  CURL* easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  const std::string ca = certificate_file(options.ca_file);
  if (!ca.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, ca.c_str());
  // A CA that was chosen is the only one to be trusted.
  if (!options.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
}

void HttpTransfer::set_request() {
  CURL* easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_URL, request_.url.c_str());
  curl_slist* lines = curl_slist_append(nullptr, "Expect:");  // bodies above 1 MB would wait for a 100
  for (const auto& [name, value] : request_.headers)
    lines = curl_slist_append(lines, (name + ": " + value).c_str());
  header_lines_.reset(lines);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lines);
  if (request_.method == "POST") {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request_.body.c_str());
  } else if (request_.method != "GET") {
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &HttpTransfer::on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &HttpTransfer::on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
}

std::size_t HttpTransfer::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<HttpTransfer*>(self)->take_header(std::string_view(data, size * count));
}
std::size_t HttpTransfer::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<HttpTransfer*>(self)->take_body(std::string_view(data, size * count));
}

std::size_t HttpTransfer::take_header(std::string_view line) {
  last_life_ = steady_seconds();
  header_bytes_ += line.size();
  if (header_bytes_ > header_cap) {
    refusal_ = HttpFailure::too_large;
    return 0;
  }
  const std::string text = trimmed(line);
  if (text.starts_with("HTTP/")) {  // also after an interim answer (1xx)
    response_.headers.clear();
    head_complete_ = false;
  } else if (const std::size_t colon = text.find(':'); colon != std::string::npos && !head_complete_) {
    std::string& value = response_.headers[lower(text.substr(0, colon))];
    value += (value.empty() ? "" : ", ") + trimmed(std::string_view(text).substr(colon + 1));
  }
  return line.size();
}

std::size_t HttpTransfer::take_body(std::string_view bytes) {
  last_life_ = steady_seconds();
  body_bytes_ += bytes.size();
  if (body_bytes_ > body_cap_) {
    refusal_ = HttpFailure::too_large;
    return 0;
  }
  if (!request_.sink || finished_ > 0) return bytes.size();
  HttpProgress progress = HttpProgress::refused;
  try {
    if (!head_complete_) {
      head_complete_ = true;
      long status = 0;
      curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
      request_.sink->begin(static_cast<int>(status), response_.headers);
    }
    progress = request_.sink->take(bytes);
  } catch (...) {  // nothing may fly through libcurl's frames
  }
  if (progress == HttpProgress::content) content_ = true;
  if (progress == HttpProgress::finished) finished_ = last_life_;
  if (progress == HttpProgress::refused) refusal_ = HttpFailure::refused_by_sink;
  return refusal_ == HttpFailure::none ? bytes.size() : 0;
}

double HttpTransfer::deadline() const {
  const HttpTimers& timers = request_.timers;
  if (finished_ > 0) return finished_ + timers.grace_s;
  const double silence = content_ ? last_life_ + timers.gap_s : started_ + timers.first_content_s;
  return std::min(silence, started_ + timers.total_s);
}

HttpResponse HttpTransfer::timed_out(double now) {
  const HttpTimers& timers = request_.timers;
  if (finished_ > 0) return given_up(HttpFailure::none, "");
  if (now >= started_ + timers.total_s)
    return given_up(HttpFailure::total, "no end after " + duration_text(timers.total_s));
  if (content_)
    return given_up(HttpFailure::gap, "nothing came for " + duration_text(timers.gap_s) + " amid the answer");
  return given_up(HttpFailure::no_content, "no answer began within " + duration_text(timers.first_content_s));
}

HttpResponse HttpTransfer::given_up(HttpFailure failure, const std::string& error) {
  long status = 0, proxy = 0;
  curl_off_t until_sent_us = 0;
  if (easy_) {
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(easy_.get(), CURLINFO_HTTP_CONNECTCODE, &proxy);
    curl_easy_getinfo(easy_.get(), CURLINFO_PRETRANSFER_TIME_T, &until_sent_us);
  }
  response_.failure = failure;
  response_.error = error;
  response_.status = static_cast<int>(status);
  response_.proxy_status = static_cast<int>(proxy);
  response_.sent = until_sent_us > 0 || status != 0;
  response_.seconds = steady_seconds() - started_;
  return std::move(response_);
}

HttpResponse HttpTransfer::ended(CURLcode code) {
  if (finished_ > 0) return given_up(HttpFailure::none, "");
  std::string error = error_[0] != '\0' ? error_.data() : curl_easy_strerror(code);
  if (refusal_ == HttpFailure::too_large)
    error = "more than " + bytes_text(static_cast<double>(body_cap_)) + " came";
  if (refusal_ == HttpFailure::refused_by_sink) error = "the answer was not worth reading on";
  HttpFailure failure = refusal_ == HttpFailure::none ? failure_of(code) : refusal_;
  HttpResponse out = given_up(failure, code == CURLE_OK ? "" : error);
  if (code != CURLE_OK && out.proxy_status >= 300) {
    out.failure = HttpFailure::proxy_refused;
    out.status = 0;
    out.sent = false;
  }
  return out;
}

}  // namespace noctune
