// Of #if ... #else ... #endif the first branch counts, of "#if 0" the second: braces then balance as they do
// for the compiler, whichever branch it takes.
#include "coordinator/prompts/code_mask.hpp"

#include <vector>

#include "coordinator/prompts/plain_text.hpp"

namespace noctune {
namespace {

class Masker {
 public:
  explicit Masker(const std::string& source) : in_(source), out_(source) {}

  std::string run() {
    while (at_ < in_.size()) step();
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0'; }

  void hide() {
    if (out_[at_] != '\n') out_[at_] = ' ';
    ++at_;
  }
  void pass() {
    if (dead() && in_[at_] != '\n') out_[at_] = ' ';
    if (in_[at_] == '\n')
      fresh_line_ = true;
    else if (in_[at_] != ' ' && in_[at_] != '\t')
      fresh_line_ = false;
    ++at_;
  }

  void step() {
    const char c = in_[at_];
    if (c == '/' && peek(1) == '/')
      line_comment();
    else if (c == '/' && peek(1) == '*')
      block_comment();
    else if (c == '#' && fresh_line_)
      directive();
    else if (c == '"')
      is_raw() ? raw_literal() : literal('"');
    else if (c == '\'' && !separates_digits())
      literal('\'');
    else
      pass();
  }

  void line_comment() {
    while (at_ < in_.size() && in_[at_] != '\n') {
      if (in_[at_] == '\\' && peek(1) == '\n') hide();
      hide();
    }
  }
  void block_comment() {
    hide();
    hide();
    while (at_ < in_.size() && !(in_[at_] == '*' && peek(1) == '/')) hide();
    for (int i = 0; i < 2 && at_ < in_.size(); ++i) hide();
  }
  void directive() {
    const std::size_t begin = at_;
    while (at_ < in_.size() && in_[at_] != '\n') {
      if (in_[at_] == '/' && peek(1) == '*') {
        block_comment();
        continue;
      }
      if (in_[at_] == '\\' && peek(1) == '\n') hide();
      hide();
    }
    branch(trimmed(in_.substr(begin + 1, at_ - begin - 1)));
  }
  void branch(const std::string& line) {
    const std::string word = line.substr(0, line.find_first_of(" \t(!<\"/"));
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      const bool zero =
          word == "if" && trimmed(line.substr(2)).rfind('0', 0) == 0 && trimmed(line.substr(2)).size() == 1;
      branches_.push_back(zero ? Branch::waiting : Branch::taken);
    } else if ((word == "else" || word == "elif") && !branches_.empty()) {
      branches_.back() = branches_.back() == Branch::waiting ? Branch::taken : Branch::over;
    } else if (word == "endif" && !branches_.empty()) {
      branches_.pop_back();
    }
  }
  bool dead() const {
    for (const Branch branch : branches_)
      if (branch != Branch::taken) return true;
    return false;
  }

  void literal(char quote) {
    pass();
    while (at_ < in_.size() && in_[at_] != quote && in_[at_] != '\n') {
      if (in_[at_] == '\\' && at_ + 1 < in_.size()) hide();
      hide();
    }
    if (at_ < in_.size() && in_[at_] == quote) pass();
  }
  bool is_raw() const {
    return at_ > 0 && in_[at_ - 1] == 'R' &&
           (at_ < 2 || !is_word(in_[at_ - 2]) || in_[at_ - 2] == 'u' || in_[at_ - 2] == 'U' ||
            in_[at_ - 2] == 'L' || in_[at_ - 2] == '8');
  }
  void raw_literal() {
    const auto open = in_.find('(', at_);
    std::size_t end = in_.size();
    if (open != std::string::npos && open - at_ <= 17) {
      const std::string close = ")" + in_.substr(at_ + 1, open - at_ - 1) + "\"";
      if (const auto found = in_.find(close, open); found != std::string::npos) end = found + close.size();
    }
    while (at_ < end) hide();
  }
  bool separates_digits() const {
    return at_ > 0 && is_word(in_[at_ - 1]) && is_word(peek(1)) && after_digit();
  }
  bool after_digit() const {
    std::size_t from = at_;
    while (from > 0 && (is_word(in_[from - 1]) || in_[from - 1] == '\'')) --from;
    return in_[from] >= '0' && in_[from] <= '9';
  }
  static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  enum class Branch { taken, waiting, over };
  const std::string& in_;
  std::string out_;
  std::size_t at_ = 0;
  bool fresh_line_ = true;
  std::vector<Branch> branches_;
};

}  // namespace

std::string code_mask(const std::string& source) {
  return Masker(source).run();
}

}  // namespace noctune
