// One exchange on one libcurl handle, with timers of our own. Used by base/http.cpp alone, in its thread.
#pragma once

#include <curl/curl.h>

#include <array>
#include <memory>
#include <string>

#include "base/http.hpp"

namespace noctune {

class HttpTransfer {
 public:
  // The handle is ready to be added to a multi handle, or `handle()` is null.
  HttpTransfer(HttpRequest request, const HttpOptions& options);
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  CURL* handle() const { return easy_.get(); }
  // The steady time at which a timer will have run out.
  double deadline() const;
  // What the transfer came to, once libcurl has ended it.
  HttpResponse ended(CURLcode code);
  // What it came to where we end it because deadline() has passed.
  HttpResponse timed_out(double now);
  HttpResponse given_up(HttpFailure failure, const std::string& error);

 private:
  void set_up(const HttpOptions& options);
  void set_security(const HttpOptions& options);
  void set_request();
  std::size_t take_header(std::string_view line);
  std::size_t take_body(std::string_view bytes);
  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);

  struct EasyEnd {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };
  struct ListEnd {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  HttpRequest request_;
  HttpResponse response_;
  std::unique_ptr<curl_slist, ListEnd> header_lines_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::unique_ptr<CURL, EasyEnd> easy_;  // goes first: it points into the others
  std::size_t body_cap_ = 0, body_bytes_ = 0, header_bytes_ = 0;
  bool head_complete_ = false;
  double started_ = 0, last_life_ = 0, finished_ = 0;
  bool content_ = false;
  HttpFailure refusal_ = HttpFailure::none;
};

}  // namespace noctune
