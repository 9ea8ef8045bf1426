// The key of an endpoint. It leaves this class as a request header only: there is no way to print it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "model/campaign.hpp"

namespace noctune {

class ApiKey {
 public:
  ApiKey() = default;  // none
  // From settings.key_file, else the environment variable (settings.key_env or the provider's usual one),
  // else the file that the variable with _FILE at its end names. Call it before scrub_environment(). An
  // endpoint marked local needs none where none is named.
  static Result<ApiKey> find(const ModelSettings& settings);

  bool empty() const { return secret_.empty(); }
  // For people; empty where all is well. Names a file that others can read.
  const std::string& warning() const { return warning_; }
  // "file /x" or "environment variable X", for messages.
  const std::string& source() const { return source_; }
  // Reads the file again; true where it now holds another key.
  bool reload();
  // Grows with every other key that was read: whoever was refused with an older one may try again.
  int generation() const { return static_cast<int>(earlier_.size()); }

  std::pair<std::string, std::string> header(const std::string& name, const std::string& prefix) const {
    return {name, prefix + secret_};
  }
  // The text with "[key]" wherever this key, or one before a reload, stands.
  std::string redacted(std::string text) const;

 private:
  Result<void> read(const std::string& path);
  Result<void> take(std::string text);

  std::string secret_;
  std::vector<std::string> earlier_;
  std::string file_, source_, warning_;
};

}  // namespace noctune
