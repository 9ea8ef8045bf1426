#include "coordinator/prompts/source_outline.hpp"

#include "coordinator/prompts/code_mask.hpp"
#include "evaluator/source_text.hpp"

namespace noctune {
namespace {

class Reader {
 public:
  Reader(const std::string& source, Outline& out) : source_(source), out_(out), mask_(out.mask) {}

  void run() {
    start(0);
    for (std::size_t at = 0; at < mask_.size(); ++at) {
      const char c = mask_[at];
      if (c == '{')
        opened(at);
      else if (c == '}')
        closed(at);
      else if (inside_ == 0)
        outer(at, c);
    }
    out_.open_braces = lost_ < 0 ? lost_ : inside_ + static_cast<int>(scopes_.size());
  }

 private:
  struct Scope {
    bool c_linkage = false, hidden = false;
  };

  void start(std::size_t at) {
    begin_ = at;
    open_ = close_ = 0;
    name_.clear();
    depth_ = 0;
    initialised_ = false;
  }

  // Between functions: parentheses of a possible parameter list, ends of statements.
  void outer(std::size_t at, char c) {
    if (c == '(') {
      if (depth_++ == 0 && !initialised_) candidate(at);
    } else if (c == '[') {  // attributes hold parentheses as well
      ++depth_;
    } else if (c == ')' || c == ']') {
      if (depth_ > 0 && --depth_ == 0 && c == ')' && open_ != 0 && close_ == 0) close_ = at;
    } else if (c == '=' && depth_ == 0) {
      initialised_ = initialised_ || open_ == 0;
    } else if (c == ';' && depth_ == 0) {
      add(OutlineItem::Kind::statement, at + 1);
      start(at + 1);
    }
  }

  // The word before '(' names the function, unless it is an attribute or the like. The last one counts:
  // macros may stand in front.
  void candidate(std::size_t at) {
    std::size_t end = at;
    while (end > begin_ && is_space(mask_[end - 1])) --end;
    std::size_t from = end;
    while (from > begin_ && is_word_character(mask_[from - 1])) --from;
    const std::string word = mask_.substr(from, end - from);
    if (word.empty() || word == "__attribute__" || word == "__declspec" || word == "alignas" ||
        word == "asm" || word == "decltype" || word == "noexcept" || word == "_Pragma")
      return;
    open_ = at;
    close_ = 0;
    name_ = word;
  }

  void opened(std::size_t at) {
    if (inside_ > 0) {
      ++inside_;
      return;
    }
    const std::string head = mask_.substr(begin_, at - begin_);
    const bool linkage = head.find("extern") != std::string::npos && open_ == 0 &&
                         source_.substr(begin_, at - begin_).find("\"C\"") != std::string::npos;
    const bool space = has_word(head, "namespace") && open_ == 0;
    if ((linkage || space) && scopes_.size() < 64) {
      scopes_.push_back({linkage || (!scopes_.empty() && scopes_.back().c_linkage),
                         (space && is_unnamed(head)) || (!scopes_.empty() && scopes_.back().hidden)});
      start(at + 1);
      return;
    }
    ++inside_;
  }

  static bool is_unnamed(const std::string& head) {
    const auto at = head.find("namespace");
    return head.find_first_not_of(" \t\n", at + 9) == std::string::npos;
  }

  void closed(std::size_t at) {
    if (inside_ > 1) {
      --inside_;
    } else if (inside_ == 1) {
      inside_ = 0;
      if (close_ == 0) return;  // a class or an initialiser: its statement ends with ';'
      add(OutlineItem::Kind::function, at + 1);
      start(at + 1);
    } else if (!scopes_.empty()) {
      scopes_.pop_back();
      start(at + 1);
    } else {
      --lost_;
      start(at + 1);
    }
  }

  void add(OutlineItem::Kind kind, std::size_t end) {
    OutlineItem item;
    item.kind = kind;
    item.begin = begin_;
    while (item.begin < end && is_space(mask_[item.begin])) ++item.begin;
    item.end = end;
    if (close_ != 0) {
      item.name = name_;
      item.open = open_;
      item.close = close_;
    }
    const std::string head = source_.substr(item.begin, (close_ != 0 ? open_ : end) - item.begin);
    item.c_linkage =
        (!scopes_.empty() && scopes_.back().c_linkage) || head.find("\"C\"") != std::string::npos;
    item.hidden = !scopes_.empty() && scopes_.back().hidden;
    out_.items.push_back(std::move(item));
  }

  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

  const std::string& source_;
  Outline& out_;
  const std::string& mask_;
  std::vector<Scope> scopes_;
  std::string name_;
  std::size_t begin_ = 0, open_ = 0, close_ = 0;
  int depth_ = 0, inside_ = 0, lost_ = 0;
  bool initialised_ = false;
};

}  // namespace

const OutlineItem* Outline::definition(const std::string& name) const {
  for (const OutlineItem& item : items)
    if (item.kind == OutlineItem::Kind::function && item.name == name && !item.hidden) return &item;
  return nullptr;
}

Outline outline_of(const std::string& source) {
  Outline out;
  out.mask = code_mask(source);
  Reader(source, out).run();
  return out;
}

}  // namespace noctune
