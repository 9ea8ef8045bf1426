#include "mep/completion/loop_ranges.hpp"

#include <cctype>

#include "mep/completion/text_words.hpp"

namespace noctune {
namespace {

constexpr int deepest = 64;

// Finds ends of statements. Text that ends early ends every statement.
class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  std::size_t statement(std::size_t at, int depth = 0) const {
    at = skip(at);
    if (at >= text_.size() || depth > deepest) return text_.size();
    if (text_[at] == '{') return closing(at);
    const std::string word = word_at(at);
    if (word == "for" || word == "while" || word == "switch")
      return statement(closing(skip(at + word.size())), depth + 1);
    if (word == "if") return condition(at, depth);
    if (word == "do") return simple(statement(at + 2, depth + 1));
    return simple(at);
  }

 private:
  std::size_t condition(std::size_t at, int depth) const {
    const std::size_t end = statement(closing(skip(at + 2)), depth + 1);
    const std::size_t next = skip(end);
    return word_at(next) == "else" ? statement(next + 4, depth + 1) : end;
  }

  // Up to its semicolon.
  std::size_t simple(std::size_t at) const {
    while (at < text_.size() && text_[at] != ';') {
      if (text_[at] == '(' || text_[at] == '[' || text_[at] == '{')
        at = closing(at);
      else
        at = past_one(at);
    }
    return at < text_.size() ? at + 1 : at;
  }

  // Behind the partner of the bracket at `at`.
  std::size_t closing(std::size_t at) const {
    int open = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == '(' || c == '[' || c == '{') ++open;
      if (c == ')' || c == ']' || c == '}') --open;
      at = past_one(at);
      if (open <= 0) return at;
    }
    return at;
  }

  // One character, string or comment further.
  std::size_t past_one(std::size_t at) const {
    const std::size_t behind = past_comment(at);
    if (behind != at) return behind;
    if (text_[at] != '"' && text_[at] != '\'') return at + 1;
    const char quote = text_[at++];
    while (at < text_.size() && text_[at] != quote && text_[at] != '\n') at += text_[at] == '\\' ? 2 : 1;
    return at + 1;
  }

  std::size_t past_comment(std::size_t at) const {
    if (text_.compare(at, 2, "//") == 0) return line_end(at);
    if (text_.compare(at, 2, "/*") != 0) return at;
    const std::size_t end = text_.find("*/", at + 2);
    return end == std::string::npos ? text_.size() : end + 2;
  }

  std::size_t line_end(std::size_t at) const {
    const std::size_t end = text_.find('\n', at);
    return end == std::string::npos ? text_.size() : end;
  }

  // Blanks, comments and directives.
  std::size_t skip(std::size_t at) const {
    while (at < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at])) != 0)
        ++at;
      else if (text_[at] == '#')
        at = line_end(at);
      else if (const std::size_t behind = past_comment(at); behind != at)
        at = behind;
      else
        break;
    }
    return at;
  }

  std::string word_at(std::size_t at) const {
    std::size_t end = at;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_'))
      ++end;
    return at < text_.size() ? text_.substr(at, end - at) : std::string();
  }

  const std::string& text_;
};

}  // namespace

void extend_to_bodies(std::vector<SourceLoop>& loops, const std::string& text) {
  const Scanner scanner(text);
  for (SourceLoop& loop : loops)
    if (loop.where.begin < text.size()) loop.where.end = scanner.statement(loop.where.begin);
}

std::string with_comments_opened(std::string text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool mark =
        text.compare(i, 2, "//") == 0 || text.compare(i, 2, "/*") == 0 || text.compare(i, 2, "*/") == 0;
    if (mark) text[i] = text[i + 1] = ' ';
    // " * " at the start of a comment's line.
    const std::size_t line = text.rfind('\n', i);
    const std::size_t first = text.find_first_not_of(" \t", line == std::string::npos ? 0 : line + 1);
    if (text[i] == '*' && first == i && text[i + 1] == ' ') text[i] = ' ';
  }
  return text;
}

}  // namespace noctune
