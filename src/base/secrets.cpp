#include "base/secrets.hpp"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <algorithm>

extern char** environ;

namespace noctune {
namespace {

using Names = std::vector<std::string_view>;

const Names& secret_words() {
  static const Names words{"KEY",     "KEYS",       "APIKEY",      "TOKEN",    "TOKENS",     "SECRET",
                           "SECRETS", "PASS",       "PASSWD",      "PASSWORD", "PASSPHRASE", "PWD",
                           "AUTH",    "CREDENTIAL", "CREDENTIALS", "COOKIE",   "ASKPASS",    "LICENSEKEY",
                           "BEARER",  "JWT",        "PAT"};
  return words;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

bool needed_by_launcher(std::string_view name) {
  return name.starts_with("PMI_") || name.starts_with("PMIX_");  // PMI_SHARED_SECRET, for example
}

// The kernel shows the bytes that the process started with, so unsetenv alone would hide nothing.
void overwrite(char* entry, std::size_t name_length) {
  char* value = entry + name_length + 1;
  ::explicit_bzero(value, ::strlen(value));
}

}  // namespace

bool is_proxy(std::string_view name) {
  return upper(name).ends_with("_PROXY");
}

bool may_hold_secret(std::string_view name, std::string_view value) {
  const std::string shouted = upper(name);
  if (shouted == "PWD" || shouted == "OLDPWD") return false;  // the shell's folders, not passwords
  for (std::string_view end : {"KEY", "TOKEN", "SECRET", "PASSWORD"})
    if (shouted.ends_with(end)) return true;
  std::size_t start = 0;
  while (start <= shouted.size()) {
    const std::size_t stop = std::min(shouted.find('_', start), shouted.size());
    const std::string_view word = std::string_view(shouted).substr(start, stop - start);
    if (std::find(secret_words().begin(), secret_words().end(), word) != secret_words().end()) return true;
    start = stop + 1;
  }
  return value.starts_with("sk-") || value.starts_with("ghp_") || value.starts_with("hf_");
}

std::vector<std::string> scrub_environment(const std::vector<std::string>& also) {
  std::vector<std::string> gone;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    const std::string_view name = entry.substr(0, equals);
    const bool named = std::find(also.begin(), also.end(), name) != also.end();
    const bool spared =
        needed_by_launcher(name) || is_proxy(name) || !may_hold_secret(name, entry.substr(equals + 1));
    if (spared && !named) continue;
    gone.emplace_back(name);
    overwrite(*at, equals);
  }
  for (const std::string& name : gone) ::unsetenv(name.c_str());
  ::unsetenv("SSLKEYLOGFILE");
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  return gone;
}

}  // namespace noctune
