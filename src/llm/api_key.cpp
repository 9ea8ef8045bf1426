#include "llm/api_key.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/files.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest_key = 64U << 10U;

std::string usual_variable(const ModelSettings& settings) {
  if (!settings.key_env.empty()) return settings.key_env;
  return settings.provider == "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY";
}

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : value;
}

std::string trimmed(std::string text) {
  const auto space = [](unsigned char c) { return std::isspace(c) != 0; };
  text.erase(std::find_if_not(text.rbegin(), text.rend(), space).base(), text.end());
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), space));
  return text;
}

}  // namespace

Result<ApiKey> ApiKey::find(const ModelSettings& settings) {
  ApiKey key;
  const std::string name = usual_variable(settings);
  const std::string file = settings.key_file.empty() ? variable(name + "_FILE") : settings.key_file;
  const std::string value = settings.key_file.empty() ? variable(name) : std::string();
  if (!value.empty()) {
    key.source_ = "environment variable " + name;
    if (auto taken = key.take(value); !taken) return tl::unexpected(taken.error());
  } else if (!file.empty()) {
    if (auto read = key.read(file); !read) return tl::unexpected(read.error());
  } else if (!settings.local || !settings.key_env.empty()) {
    return fail("no key for the model", "neither " + name + " nor " + name + "_FILE is set",
                "set one, or name a file of mode 0600 in model.key_file");
  }
  return key;
}

Result<void> ApiKey::read(const std::string& path) {
  file_ = path;
  source_ = "file " + path;
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0 && (facts.st_mode & 077U) != 0)
    warning_ = Error{"the key in \"" + path + "\" is open to others", "its mode lets other users in",
                     "chmod 600 \"" + path + "\""}
                   .text();
  Result<std::string> text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  return take(std::move(*text));
}

Result<void> ApiKey::take(std::string text) {
  text = trimmed(std::move(text));
  const auto plain = [](unsigned char c) { return c > 0x20 && c < 0x7f; };
  if (text.empty()) return fail("no key for the model", "the " + source_ + " is empty");
  if (text.size() > longest_key || !std::all_of(text.begin(), text.end(), plain))
    return fail("no key for the model", "the " + source_ + " holds more than one word",
                "a key is one line of plain characters");
  if (!secret_.empty() && secret_ != text) earlier_.push_back(secret_);
  secret_ = std::move(text);
  return {};
}

bool ApiKey::reload() {
  if (file_.empty()) return false;
  const std::string before = secret_;
  return read(file_).has_value() && secret_ != before;
}

std::string ApiKey::redacted(std::string text) const {
  const auto hide = [&](const std::string& secret) {
    if (secret.empty()) return;
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at))
      text.replace(at, secret.size(), "[key]");
  };
  hide(secret_);
  for (const std::string& secret : earlier_) hide(secret);
  return text;
}

}  // namespace noctune
