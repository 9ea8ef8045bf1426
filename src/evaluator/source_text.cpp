// A cursor walks over the text and never sees a joined line end. Raw strings are the exception: in them such
// line ends count, so they are read from the bytes themselves.
#include "evaluator/source_text.hpp"

#include <cctype>
#include <sstream>

namespace noctune {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Scanner {
 public:
  explicit Scanner(const std::string& source) : text_(source) {
    if (text_.compare(0, 3, "\xEF\xBB\xBF") == 0) at_ = 3;  // a byte order mark does not count
    join();
  }

  std::vector<SourcePiece> run() {
    while (!done()) step();
    flush();
    return std::move(pieces_);
  }

 private:
  bool done() const { return at_ >= text_.size(); }
  char here() const { return done() ? '\0' : text_[at_]; }
  char next() const {
    Scanner copy(*this, at_);
    copy.advance();
    return copy.here();
  }
  // A light copy for looking ahead.
  Scanner(const Scanner& other, std::size_t at) : text_(other.text_), at_(at) {}

  void advance() {
    ++at_;
    join();
  }
  // Skips a backslash that ends a line; compilers allow blanks between the two.
  void join() {
    while (at_ < text_.size() && text_[at_] == '\\') {
      std::size_t end = at_ + 1;
      while (end < text_.size() && is_blank(text_[end])) ++end;
      if (end >= text_.size() || text_[end] != '\n') return;
      at_ = end + 1;
    }
  }
  void take() {
    current_ += here();
    advance();
  }

  void step() {
    const char c = here();
    if (c == '/' && next() == '/') {
      line_comment();
    } else if (c == '/' && next() == '*') {
      block_comment();
    } else if (c == '"' || c == '\'') {
      literal(c);
    } else if (is_digit(c) || (c == '.' && is_digit(next()))) {
      number();
    } else if (is_word_character(c)) {
      word();
    } else {
      take();
    }
  }

  void flush(SourcePiece::Kind kind = SourcePiece::Kind::code) {
    if (!current_.empty()) pieces_.push_back({kind, std::move(current_)});
    current_.clear();
  }

  void line_comment() {
    flush();
    while (!done() && here() != '\n') take();
    flush(SourcePiece::Kind::comment);
  }
  void block_comment() {
    flush();
    take();
    take();
    while (!done() && !(here() == '*' && next() == '/')) take();
    for (int i = 0; i < 2 && !done(); ++i) take();
    flush(SourcePiece::Kind::comment);
  }
  void literal(char quote) {
    flush();
    take();
    while (!done() && here() != quote && here() != '\n') {
      if (here() == '\\') take();
      if (!done() && here() != '\n') take();
    }
    if (here() == quote) take();
    flush(SourcePiece::Kind::literal);
  }
  // 1'000'000 holds no character literals.
  void number() {
    while (is_word_character(here()) || here() == '.' || (here() == '\'' && is_word_character(next())))
      take();
  }
  void word() {
    std::string name;
    while (is_word_character(here())) {
      name += here();
      take();
    }
    const bool raw = name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R";
    if (raw && here() == '"') raw_literal();
  }
  void raw_literal() {
    flush();
    const auto open = text_.find('(', at_);
    const std::size_t begin = at_;
    std::size_t end = text_.size();
    if (open != std::string::npos) {
      const std::string close = ")" + text_.substr(begin + 1, open - begin - 1) + "\"";
      const auto found = text_.find(close, open);
      if (found != std::string::npos) end = found + close.size();
    }
    current_ = text_.substr(begin, end - begin);
    at_ = end;
    join();
    flush(SourcePiece::Kind::literal);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::string current_;
  std::vector<SourcePiece> pieces_;
};

std::string trimmed(const std::string& text) {
  std::size_t from = 0, to = text.size();
  while (from < to && is_blank(text[from])) ++from;
  while (to > from && is_blank(text[to - 1])) --to;
  return text.substr(from, to - from);
}

}  // namespace

std::vector<SourcePiece> source_pieces(const std::string& source) {
  return Scanner(source).run();
}

std::string flat_code(const std::vector<SourcePiece>& pieces) {
  std::string out;
  for (const SourcePiece& piece : pieces) {
    if (piece.kind == SourcePiece::Kind::comment) {
      out += ' ';
      continue;
    }
    for (const char c : piece.text) out += piece.kind == SourcePiece::Kind::literal && c == '\n' ? ' ' : c;
  }
  return out;
}

std::vector<Directive> directives(const std::string& flat) {
  std::vector<Directive> out;
  std::istringstream lines(flat);
  std::string line;
  while (std::getline(lines, line)) {
    line = trimmed(line);
    const bool digraph = line.rfind("%:", 0) == 0;
    if (!digraph && line.rfind('#', 0) != 0) continue;
    line = trimmed(line.substr(digraph ? 2 : 1));
    std::size_t end = 0;
    while (end < line.size() && is_word_character(line[end])) ++end;
    out.push_back({line.substr(0, end), trimmed(line.substr(end))});
  }
  return out;
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool has_word(const std::string& text, const std::string& word) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_word_character(text[at - 1]);
    const std::size_t end = at + word.size();
    if (starts && (end == text.size() || !is_word_character(text[end]))) return true;
  }
  return false;
}

}  // namespace noctune
