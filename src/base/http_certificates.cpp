// libcurl's built-in path is that of the machine it was built on, and the library, unlike the tool, does not
// read the usual variables.
#include <curl/curl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "base/http.hpp"

namespace noctune {
namespace {

constexpr std::array known_places = {"/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu
                                     "/etc/pki/tls/certs/ca-bundle.crt",                   // RHEL and its kin
                                     "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  //
                                     "/etc/ssl/ca-bundle.pem",                             // SUSE
                                     "/etc/ssl/cert.pem"};

bool readable(const char* path) {
  return path != nullptr && ::access(path, R_OK) == 0;
}

std::string built_in() {
#if LIBCURL_VERSION_NUM >= 0x075400
  std::string out;
  if (CURL* easy = curl_easy_init()) {
    char* path = nullptr;
    if (curl_easy_getinfo(easy, CURLINFO_CAINFO, &path) == CURLE_OK && readable(path)) out = path;
    curl_easy_cleanup(easy);
  }
  return out;
#else
  return {};
#endif
}

}  // namespace

std::string certificate_file(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  for (const char* name : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"})
    if (const char* path = std::getenv(name); path != nullptr && *path != '\0') return path;
  if (std::string path = built_in(); !path.empty()) return path;
  for (const char* path : known_places)
    if (readable(path)) return path;
  return {};
}

std::string http_library() {
  const curl_version_info_data* facts = curl_version_info(CURLVERSION_NOW);
  std::string out = "libcurl " + std::string(facts->version);
  if (facts->ssl_version != nullptr) out += ", " + std::string(facts->ssl_version);
  return out;
}

}  // namespace noctune
