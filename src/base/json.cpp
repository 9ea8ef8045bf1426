#include "base/json.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/files.hpp"

namespace noctune {
namespace {

// Counts lines while the lexer pulls characters, so that SAX events know where they are.
class LineCountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCountingIterator(const char* at, int* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  LineCountingIterator& operator++() {
    if (*at_ == '\n' && line_) ++*line_;
    ++at_;
    return *this;
  }
  LineCountingIterator operator++(int) {
    LineCountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const LineCountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const LineCountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  int* line_;
};

std::string escape_pointer(const std::string& key) {
  std::string out;
  for (char c : key) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

class PositionedBuilder final : public nlohmann::json_sax<OrderedJson> {
 public:
  PositionedBuilder(JsonDocument& document, const int& line) : document_(document), line_(line) {}

  bool null() override { return place(nullptr); }
  bool boolean(bool value) override { return place(value); }
  bool number_integer(number_integer_t value) override { return place(value); }
  bool number_unsigned(number_unsigned_t value) override { return place(value); }
  bool number_float(number_float_t value, const string_t&) override { return place(value); }
  bool string(string_t& value) override { return place(value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(OrderedJson::object()); }
  bool start_array(std::size_t) override { return open(OrderedJson::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    key_ = value;
    if (stack_.back().node->contains(key_)) {
      error_ = fmt_line() + "the key \"" + key_ + "\" appears twice in one object";
      return false;
    }
    document_.lines[stack_.back().pointer + "/" + escape_pointer(key_)] = line_;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& failure) override {
    std::string what = failure.what();
    const auto colon = what.find(": ");
    error_ = fmt_line() + (colon == std::string::npos ? what : what.substr(colon + 2));
    return false;
  }

  const std::string& error() const { return error_; }

 private:
  struct Level {
    OrderedJson* node;
    std::string pointer;
  };

  std::string fmt_line() const { return "line " + std::to_string(line_) + ": "; }

  OrderedJson* insert(OrderedJson value, std::string& pointer) {
    if (stack_.empty()) {
      document_.root = std::move(value);
      pointer = "";
      document_.lines[pointer] = line_;
      return &document_.root;
    }
    Level& parent = stack_.back();
    if (parent.node->is_array()) {
      pointer = parent.pointer + "/" + std::to_string(parent.node->size());
      document_.lines[pointer] = line_;
      parent.node->push_back(std::move(value));
      return &parent.node->back();
    }
    pointer = parent.pointer + "/" + escape_pointer(key_);
    return &((*parent.node)[key_] = std::move(value));
  }
  bool place(OrderedJson value) {
    std::string pointer;
    insert(std::move(value), pointer);
    return true;
  }
  bool open(OrderedJson value) {
    std::string pointer;
    OrderedJson* node = insert(std::move(value), pointer);
    stack_.push_back({node, pointer});
    return true;
  }
  bool close() {
    stack_.pop_back();
    return true;
  }

  JsonDocument& document_;
  const int& line_;
  std::vector<Level> stack_;
  std::string key_;
  std::string error_;
};

std::string type_word(const OrderedJson& value) {
  if (value.is_number_integer()) return "an integer";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "a string";
  if (value.is_boolean()) return "true or false";
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  return "null";
}

}  // namespace

int JsonDocument::line_of(const std::string& pointer) const {
  auto found = lines.find(pointer);
  if (found != lines.end()) return found->second;
  const auto slash = pointer.rfind('/');
  return slash == std::string::npos ? 0 : line_of(pointer.substr(0, slash));
}

Result<JsonDocument> parse_json(std::string_view text, std::string name) {
  JsonDocument document;
  document.name = std::move(name);
  int line = 1;
  PositionedBuilder builder(document, line);
  LineCountingIterator begin(text.data(), &line), end(text.data() + text.size(), nullptr);
  const bool good = OrderedJson::sax_parse(begin, end, &builder, OrderedJson::input_format_t::json,
                                           /*strict=*/true, /*ignore_comments=*/true);
  if (!good)
    return fail(document.name, builder.error(), "the file is JSON; // and /* */ comments are allowed");
  return document;
}

Result<JsonDocument> read_json(const std::string& path) {
  return read_file(path).and_then([&](const std::string& text) { return parse_json(text, path); });
}

Result<void> apply_override(JsonDocument& document, std::string_view assignment) {
  const auto equals = assignment.find('=');
  const std::string wanted(assignment);
  if (equals == std::string_view::npos || equals == 0)
    return fail("--set " + wanted, "it must have the form key=value", "for example --set search.rounds=3");
  const std::string path(assignment.substr(0, equals)), text(assignment.substr(equals + 1));
  OrderedJson value = OrderedJson::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) value = text;
  std::string pointer;
  OrderedJson* node = &document.root;
  std::size_t start = 0;
  while (start <= path.size()) {
    const auto dot = std::min(path.find('.', start), path.size());
    const std::string key = path.substr(start, dot - start);
    start = dot + 1;
    pointer += "/" + escape_pointer(key);
    if (node->is_array()) {
      const bool digits =
          !key.empty() && key.size() < 9 && key.find_first_not_of("0123456789") == std::string::npos;
      const std::size_t index = digits ? std::stoul(key) : node->size();
      if (index >= node->size())
        return fail("--set " + wanted, "\"" + key + "\" is not a position in that list",
                    "positions count from 0, for example hotspots.0.entry=gemm");
      node = &(*node)[index];
    } else if (node->is_object() || node->is_null()) {
      node = &(*node)[key];
    } else {
      return fail("--set " + wanted, "\"" + key + "\" lies inside a value that is not an object");
    }
  }
  *node = std::move(value);
  document.lines.erase(document.lines.lower_bound(pointer + "/"), document.lines.lower_bound(pointer + "0"));
  document.lines[pointer] = 0;
  return {};
}

StrictReader::StrictReader(const JsonDocument& document, std::string pointer)
    : document_(&document), pointer_(std::move(pointer)) {
  static const OrderedJson empty = OrderedJson::object();
  const OrderedJson::json_pointer at(pointer_);
  node_ = document.root.contains(at) || pointer_.empty() ? &document.root.at(at) : &empty;
  if (!node_->is_object()) {
    const auto slash = pointer_.rfind('/');
    const std::string key = slash == std::string::npos ? "the file" : pointer_.substr(slash + 1);
    throw UserError({document.name + ":" + std::to_string(document.line_of(pointer_)) + ": " + key,
                     "expected an object, found " + type_word(*node_)});
  }
}

bool StrictReader::has(const std::string& key) const {
  return node_->contains(key);
}

std::vector<std::string> StrictReader::keys() const {
  std::vector<std::string> out;
  for (const auto& item : node_->items()) out.push_back(item.key());
  return out;
}

const OrderedJson* StrictReader::find(const std::string& key) {
  known_.push_back(key);
  const auto found = node_->find(key);
  return found == node_->end() ? nullptr : &*found;
}

const OrderedJson& StrictReader::raw(const std::string& key) {
  const OrderedJson* value = find(key);
  if (!value) complain(key, "is missing");
  return *value;
}

std::string StrictReader::text(const std::string& key, std::optional<std::string> fallback) {
  const OrderedJson* value = find(key);
  if (!value && fallback) return *fallback;
  if (!value) complain(key, "is missing");
  if (!value->is_string()) complain(key, "expected a string, found " + type_word(*value));
  return value->get<std::string>();
}

double StrictReader::number(const std::string& key, std::optional<double> fallback) {
  const OrderedJson* value = find(key);
  if (!value && fallback) return *fallback;
  if (!value) complain(key, "is missing");
  if (!value->is_number()) complain(key, "expected a number, found " + type_word(*value));
  return value->get<double>();
}

long long StrictReader::integer(const std::string& key, std::optional<long long> fallback) {
  const OrderedJson* value = find(key);
  if (!value && fallback) return *fallback;
  if (!value) complain(key, "is missing");
  if (!value->is_number_integer()) complain(key, "expected an integer, found " + type_word(*value));
  return value->get<long long>();
}

bool StrictReader::boolean(const std::string& key, std::optional<bool> fallback) {
  const OrderedJson* value = find(key);
  if (!value && fallback) return *fallback;
  if (!value) complain(key, "is missing");
  if (!value->is_boolean()) complain(key, "expected true or false, found " + type_word(*value));
  return value->get<bool>();
}

std::vector<std::string> StrictReader::texts(const std::string& key,
                                             std::optional<std::vector<std::string>> fallback) {
  const OrderedJson* value = find(key);
  if (!value && fallback) return *fallback;
  if (!value) complain(key, "is missing");
  if (!value->is_array()) complain(key, "expected a list of strings, found " + type_word(*value));
  for (const auto& item : *value)
    if (!item.is_string()) complain(key, "expected a list of strings, found " + type_word(item) + " in it");
  return value->get<std::vector<std::string>>();
}

StrictReader StrictReader::object(const std::string& key) {
  find(key);
  return StrictReader(*document_, pointer(key));
}

std::vector<StrictReader> StrictReader::objects(const std::string& key) {
  const OrderedJson* value = find(key);
  std::vector<StrictReader> out;
  if (!value) return out;
  if (!value->is_array()) complain(key, "expected a list of objects, found " + type_word(*value));
  for (std::size_t i = 0; i < value->size(); ++i)
    out.emplace_back(*document_, pointer(key) + "/" + std::to_string(i));
  return out;
}

void StrictReader::finish() const {
  for (const auto& item : node_->items()) {
    if (std::find(known_.begin(), known_.end(), item.key()) != known_.end()) continue;
    std::string hint;
    const std::string near = closest(item.key(), known_);
    if (!near.empty()) {
      hint = "did you mean \"" + near + "\"?";
    } else {
      for (const std::string& key : known_) hint += (hint.empty() ? "known keys: " : ", ") + key;
    }
    complain(item.key(), "unknown key", hint);
  }
}

void StrictReader::complain(const std::string& key, const std::string& reason,
                            const std::string& hint) const {
  std::string dotted = pointer_ + "/" + key;
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  const int line = document_->line_of(pointer(key));
  const std::string place = line > 0 ? ":" + std::to_string(line) : node_->contains(key) ? " (--set)" : "";
  throw UserError({document_->name + place + ": " + dotted.substr(1), reason, hint});
}

std::string closest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;
  for (const std::string& candidate : candidates) {
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t substituted = diagonal + (word[i - 1] != candidate[j - 1]);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace noctune
