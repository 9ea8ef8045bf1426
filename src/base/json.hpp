// JSON with comments, read strictly: every value remembers its line, and every object says which keys it
// knows.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace noctune {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

// A parsed text with the line of every value, by JSON pointer ("/search/trim"). Key order is kept.
struct JsonDocument {
  std::string name;  // shown in messages, usually the path
  OrderedJson root;
  std::map<std::string, int> lines;

  int line_of(const std::string& pointer) const;
};

Result<JsonDocument> parse_json(std::string_view text, std::string name);
Result<JsonDocument> read_json(const std::string& path);

// Sets the value at a dotted path ("search.rounds=3"); the right side is JSON, or else taken as a string.
Result<void> apply_override(JsonDocument& document, std::string_view assignment);

// Reads one object and complains about what it does not understand. Errors name the file, line and key.
// Call finish() when every known key has been asked for; it throws on keys nobody asked about.
class StrictReader {
 public:
  StrictReader(const JsonDocument& document, std::string pointer);

  bool has(const std::string& key) const;
  std::vector<std::string> keys() const;
  const OrderedJson& node() const { return *node_; }
  // The raw value, marked as known.
  const OrderedJson& raw(const std::string& key);

  std::string text(const std::string& key, std::optional<std::string> fallback = {});
  double number(const std::string& key, std::optional<double> fallback = {});
  long long integer(const std::string& key, std::optional<long long> fallback = {});
  bool boolean(const std::string& key, std::optional<bool> fallback = {});
  std::vector<std::string> texts(const std::string& key,
                                 std::optional<std::vector<std::string>> fallback = {});
  // A reader on a nested object; an absent key reads as an empty object.
  StrictReader object(const std::string& key);
  // Readers on the objects of an array.
  std::vector<StrictReader> objects(const std::string& key);

  void finish() const;
  [[noreturn]] void complain(const std::string& key, const std::string& reason,
                             const std::string& hint = {}) const;
  std::string pointer(const std::string& key) const { return pointer_ + "/" + key; }
  const JsonDocument& document() const { return *document_; }
  const std::string& where() const { return pointer_; }

 private:
  const OrderedJson* find(const std::string& key);

  const JsonDocument* document_;
  std::string pointer_;
  const OrderedJson* node_;
  std::vector<std::string> known_;
};

// The closest of the candidates, for "did you mean"; empty when nothing is close.
std::string closest(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace noctune
