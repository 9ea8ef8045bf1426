#include "app/model_check.hpp"

#include <cstdlib>
#include <filesystem>

#include "base/async.hpp"
#include "base/http.hpp"
#include "llm/api_key.hpp"
#include "llm/spool_folder.hpp"
#include "llm/wire.hpp"

namespace noctune {
namespace {

constexpr double patience_s = 10;

std::string proxy_text(const ModelSettings& settings) {
  if (settings.local) return "none: the endpoint is marked local";
  const bool plain = base_url_of(settings).starts_with("http://");
  std::vector<const char*> names = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
  if (plain) names = {"http_proxy", "all_proxy", "ALL_PROXY"};
  for (const char* name : names)
    if (const char* value = std::getenv(name); value && *value) return shown_address(value) + " from " + name;
  return "none set";
}

HttpResponse knock(const ModelSettings& settings) {
  asio::io_context io;
  HttpOptions options;
  options.direct = settings.local;
  options.ca_file = settings.ca_file;
  HttpClient client(io, options);
  HttpResponse out;
  auto main = [&]() -> Task<void> {
    HttpRequest request;
    request.method = "GET";
    request.url = base_url_of(settings) + "/models";
    request.timers.connect_s = request.timers.first_content_s = request.timers.total_s = patience_s;
    request.timers.grace_s = 0;
    out = co_await client.send(std::move(request));
  };
  asio::co_spawn(io, main(), asio::detached);
  io.run();
  return out;
}

// A server that knows us not says 401 or 404: it is there. What lies between says something else.
ModelFinding reached(const ModelSettings& settings) {
  const HttpResponse response = knock(settings);
  const std::string url = base_url_of(settings);
  if (response.status == 0)
    return {false, "endpoint", url + ": " + (response.error.empty() ? "no answer" : response.error)};
  const bool portal = response.status / 100 == 3 || response.status == 407;
  if (portal || response.status >= 500)
    return {false, "endpoint",
            url + " answers with status " + std::to_string(response.status) +
                (portal ? ": a portal or proxy stands in between" : ": it is not well at present")};
  return {true, "endpoint",
          url + " answers (status " + std::to_string(response.status) + " without a key), " + http_library()};
}

void check_endpoint(const ModelSettings& settings, std::vector<ModelFinding>& out) {
  const Result<ApiKey> key = ApiKey::find(settings);
  if (!key)
    out.push_back({false, "key", key.error().text()});
  else if (!key->warning().empty())
    out.push_back({false, "key", key->warning()});
  else
    out.push_back({true, "key", key->empty() ? "none needed" : "from " + key->source()});
  out.push_back({true, "proxy", proxy_text(settings)});
  out.push_back(reached(settings));
}

}  // namespace

std::vector<ModelFinding> check_model(const ModelSettings& settings) {
  std::vector<ModelFinding> out;
  if (settings.provider.empty()) return out;
  std::string models;
  for (const std::string& model : settings.models)
    models += (models.empty() ? ", model " : ", then ") + model;
  out.push_back({true, "model", settings.provider + models});
  std::error_code wrong;
  if (settings.provider == "replay") {
    const bool there = std::filesystem::exists(settings.replay, wrong);
    out.push_back({there, "replay", settings.replay + (there ? "" : " does not exist")});
  } else if (settings.provider == "spool") {
    const Result<SpoolFolder> spool = SpoolFolder::open(settings.spool);
    out.push_back({spool.has_value(), "spool", spool ? settings.spool : spool.error().text()});
  } else {
    check_endpoint(settings, out);
  }
  return out;
}

}  // namespace noctune
