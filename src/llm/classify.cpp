#include "llm/classify.hpp"

#include <time.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/error.hpp"
#include "base/process_types.hpp"
#include "llm/classify_words.hpp"
#include "llm/json_field.hpp"

namespace noctune {
namespace {

constexpr std::size_t excerpt_length = 200;
constexpr double longest_wait_s = 30 * 86400.0;

std::string header(const HttpHeaders& headers, const char* name) {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

std::optional<double> number(const std::string& text) {
  double out = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stop != end || !(out >= 0)) return {};
  return out;
}

std::optional<double> seconds_until(const std::string& http_date, double now) {
  tm parts{};
  if (strptime(http_date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts) == nullptr) return {};
  return std::max(0.0, static_cast<double>(timegm(&parts)) - now);
}

char first_letter(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  const std::size_t at = body.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : body[at];
}

Finding finding(ChatOutcome outcome, const std::string& reason) {
  Finding out;
  out.outcome = outcome;
  if (outcome == ChatOutcome::ok) return out;
  out.message = Error{problem_of(outcome), reason, remedy_of(outcome)}.text();
  return out;
}

void add_advice(Finding& to, int status, const HttpHeaders& headers, double now) {
  to.retry_after_s = retry_after(headers, now);
  const std::string should = header(headers, "x-should-retry");
  if (should == "true" || should == "false") to.should_retry = should == "true";
  // A gateway gave up on a server that may still be working for us, at our cost.
  to.ambiguous = status == 504 || status == 524;
}

// A page where JSON was due. What a busy server's front door says is worth waiting for; the rest is somebody
// else's: a portal, a firewall, a proxy.
Finding classify_page(int status, bool html, std::string_view body) {
  const std::string reason = "status " + std::to_string(status) + (html ? " with a web page" : "") +
                             (body.empty() ? " and an empty body" : ": " + excerpt(body));
  if (status == 200 && body.empty()) return finding(ChatOutcome::transport, reason);
  if (status == 200 && !html) return finding(ChatOutcome::parse_error, reason);
  if (status >= 500 || status == 429) return finding(outcome_of_status(status), reason);
  const bool key_refused = status == 401 || (status == 403 && body.empty());
  if ((html && status != 413) || (status == 403 && !key_refused))
    return finding(ChatOutcome::interference, reason);
  return finding(outcome_of_status(status), reason);
}

}  // namespace

std::optional<double> retry_after(const HttpHeaders& headers, double now) {
  std::optional<double> out = number(header(headers, "retry-after-ms"));
  if (out) {
    *out *= 1e-3;
  } else {
    const std::string text = header(headers, "retry-after");
    out = number(text);
    if (!out) out = seconds_until(text, now);
  }
  if (out) *out = std::min(*out, longest_wait_s);
  return out;
}

std::string excerpt(std::string_view body) {
  const std::string clean = printable(std::string(body.substr(0, 8 * excerpt_length)));
  std::string out;
  for (std::size_t i = 0; i < clean.size() && out.size() < excerpt_length; ++i) {
    const bool space = std::isspace(static_cast<unsigned char>(clean[i])) != 0;
    if (!space)
      out += clean[i];
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0U) == 0x80U) out.pop_back();
  if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0U) out.pop_back();
  return out;
}

Finding classify_answer(int status, const HttpHeaders& headers, std::string_view body, double now) {
  Finding out;
  const char first = first_letter(body);
  const Json json = first == '{' || first == '[' ? parsed_reply(body) : Json();
  if (status >= 300 && status < 400) {
    out = finding(ChatOutcome::interference, "status " + std::to_string(status) + " sends us to \"" +
                                                 excerpt(header(headers, "location")) + "\"");
  } else if (status == 407) {
    out = finding(ChatOutcome::interference, "status 407: the proxy wants a user name and password");
  } else if (json.is_structured() && error_words(json).found) {
    return classify_error(json, status, headers, now);
  } else {
    const bool html = first == '<' || header(headers, "content-type").starts_with("text/html");
    out = classify_page(status, html, first == '\0' ? std::string_view() : body);
  }
  add_advice(out, status, headers, now);
  return out;
}

Finding classify_error(const Json& error, int status, const HttpHeaders& headers, double now) {
  const ErrorWords words = error_words(error);
  const bool waits = retry_after(headers, now).has_value();
  std::string reason = status == 200 ? "an error inside its answer" : "status " + std::to_string(status);
  for (const std::string& word : {words.code, words.type, words.detail_code})
    if (!word.empty()) reason += ", " + excerpt(word);
  if (!words.message.empty()) reason += ": " + excerpt(words.message);
  Finding out = finding(outcome_of(words, status, waits), reason);
  if (out.outcome == ChatOutcome::bad_request) out.param = excerpt(words.param);
  add_advice(out, status, headers, now);
  return out;
}

Finding classify_failure(const HttpResponse& response) {
  Finding out;
  const std::string reason = excerpt(response.error);
  switch (response.failure) {
    case HttpFailure::none:
      return out;
    case HttpFailure::stopped:
      out.outcome = ChatOutcome::stopped;
      out.message = "the run is being stopped";
      return out;
    case HttpFailure::bad_url:
      return finding(ChatOutcome::bad_request, "model.base_url is no address: " + reason);
    case HttpFailure::certificate:
      out = finding(ChatOutcome::interference, "the certificate shown to us cannot be trusted: " + reason);
      out.message += "; where the site inspects TLS, name its certificate in model.ca_file or SSL_CERT_FILE";
      return out;
    case HttpFailure::ca_file:
      out = finding(ChatOutcome::interference, "the file of trusted certificates cannot be read: " + reason);
      out.message = Error{"the provider cannot be verified", "the file of trusted certificates: " + reason,
                          "set model.ca_file, CURL_CA_BUNDLE or SSL_CERT_FILE to a readable PEM file"}
                        .text();
      return out;
    case HttpFailure::proxy_refused:
      return finding(
          response.proxy_status >= 500 ? ChatOutcome::transport : ChatOutcome::interference,
          "the proxy would not connect us (status " + std::to_string(response.proxy_status) + "): " + reason);
    case HttpFailure::too_large:
    case HttpFailure::refused_by_sink:
      return finding(ChatOutcome::parse_error, reason);
    default:
      out = finding(ChatOutcome::transport, reason);
      // A connection that died early may be tried again freely; one that fell silent was probably being
      // served.
      out.ambiguous =
          response.sent && (response.failure == HttpFailure::no_content ||
                            response.failure == HttpFailure::gap || response.failure == HttpFailure::total);
      return out;
  }
}

Finding classify_reply(const WireReply& reply, ChatOutcome ending, const std::string& text) {
  if (!reply.terminal) return finding(ChatOutcome::transport, "the answer ended before its last part");
  const std::string reason = "it ended with \"" + excerpt(reply.finish_reason) + "\"";
  switch (ending) {
    case ChatOutcome::ok:
      break;
    case ChatOutcome::refused:
      return finding(ending, reply.refusal.empty() ? reason : reason + ", " + excerpt(reply.refusal));
    case ChatOutcome::parse_error:
      return finding(ending, "it asks for tools, and was given none");
    case ChatOutcome::truncated:
      return finding(ending, is_blank(text) && reply.usage.reasoning > 0
                                 ? reason + ", all of it spent on thinking"
                                 : reason);
    default:
      return finding(ending, reason);
  }
  if (!is_blank(text)) return {};
  if (!reply.refusal.empty()) return finding(ChatOutcome::refused, excerpt(reply.refusal));
  return finding(ChatOutcome::empty, reason);
}

}  // namespace noctune
