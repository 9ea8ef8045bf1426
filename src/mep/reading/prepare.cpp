// One pass over the bytes: comments become blanks, directives are obeyed line by line.
#include "mep/reading/prepare.hpp"

#include <algorithm>
#include <cctype>

#include "mep/reading/conditions.hpp"
#include "mep/reading/tokens.hpp"

namespace noctune::reading {
namespace {

constexpr std::size_t most_macros = 20000;
constexpr std::size_t longest_kept = 1 << 18;  // bytes of a branch that is brought back

// One #if with what belongs to it.
struct Group {
  bool outer_active = true, active = true;
  bool taken = false;           // a branch was
  bool only_undefined = false;  // none held, all asked for definitions
  std::size_t first_begin = 0, first_end = 0;
};

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

class Preparer {
 public:
  Preparer(const std::string& source, const std::map<std::string, std::string>& defines, bool keep_first)
      : source_(source), keep_first_(keep_first) {
    out_.text = source;
    for (const auto& [name, value] : defines) {
      out_.macros[name].value = value;
      current_[name].value = value;
      given_.insert(name);
    }
  }

  Prepared run() {
    bool line_start = true;
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '\n')
        line_start = true, ++line_, ++at_;
      else if (starts("//") || starts("/*"))
        comment();
      else if (line_start && c == '#')
        directive();
      else {
        line_start = line_start && std::isspace(static_cast<unsigned char>(c));
        if ((c == '"' || c == '\'') && active())
          literal();
        else
          keep_or_blank();
      }
    }
    return std::move(out_);
  }

 private:
  bool starts(const char* mark) const { return source_.compare(at_, 2, mark) == 0; }
  bool active() const { return groups_.empty() || groups_.back().active; }

  void keep_or_blank() {
    if (!active()) out_.text[at_] = ' ';
    ++at_;
  }

  void blank(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (out_.text[i] != '\n') out_.text[i] = ' ';
  }

  void literal() {
    const char quote = source_[at_];
    // 1'000'000 is a number and no character.
    const bool separator =
        quote == '\'' && at_ > 0 && std::isalnum(static_cast<unsigned char>(source_[at_ - 1]));
    std::size_t end = at_ + 1;
    while (!separator && end < source_.size() && source_[end] != quote && source_[end] != '\n')
      end += source_[end] == '\\' && end + 1 < source_.size() ? 2 : 1;
    const bool closed = !separator && end < source_.size() && source_[end] == quote;
    at_ = closed ? end + 1 : at_ + 1;
  }

  void comment() {
    const bool line_comment = starts("//");
    const std::size_t begin = at_, text_begin = at_ + 2;
    std::size_t end = source_.find(line_comment ? "\n" : "*/", text_begin);
    const std::size_t text_end = std::min(end, source_.size());
    end = end == std::string::npos ? source_.size() : line_comment ? end : end + 2;
    add_comment({source_.substr(text_begin, text_end - text_begin), {begin, end, line_}}, line_comment);
    blank(begin, end);
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(begin),
                                         source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  void add_comment(Comment comment, bool line_comment) {
    const bool follows =
        line_comment && last_was_line_ && !out_.comments.empty() &&
        source_.find_first_not_of(" \t\r\n", out_.comments.back().where.end) == comment.where.begin;
    last_was_line_ = line_comment;
    if (!follows) {
      out_.comments.push_back(std::move(comment));
      return;
    }
    out_.comments.back().text += "\n" + comment.text;
    out_.comments.back().where.end = comment.where.end;
  }

  // The logical line at at_, without comments; at_ is behind it afterwards.
  std::string logical_line() {
    std::string text;
    while (at_ < source_.size() && source_[at_] != '\n') {
      if (starts("//")) break;
      if (starts("/*")) {
        const std::size_t end = source_.find("*/", at_ + 2);
        at_ = end == std::string::npos ? source_.size() : end + 2;
        text += ' ';
      } else if (source_[at_] == '\\' && continues()) {
        at_ = source_.find('\n', at_) + 1;
        text += ' ';
      } else {
        text += source_[at_++];
      }
    }
    return text;
  }

  bool continues() const {
    const std::size_t next = source_.find_first_not_of(" \t\r", at_ + 1);
    return next != std::string::npos && source_[next] == '\n';
  }

  void directive() {
    const std::size_t begin = at_;
    const int line = line_;
    const std::string text = logical_line();
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(begin),
                                         source_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
    const std::size_t word = text.find_first_not_of("# \t");
    std::size_t word_end = word == std::string::npos ? text.size() : word;
    while (word_end < text.size() && std::isalpha(static_cast<unsigned char>(text[word_end]))) ++word_end;
    const std::string name = word == std::string::npos ? "" : text.substr(word, word_end - word);
    const std::string rest = trimmed(text.substr(word_end));
    if (name == "pragma" && active()) {
      // Its continuation lines and comments would read as code.
      blank(begin, at_);
      std::copy(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), at_ - begin)),
                out_.text.begin() + static_cast<std::ptrdiff_t>(begin));
      return;
    }
    blank(begin, at_);
    if (conditional(name, rest)) return;
    if (!active()) return;
    if (name == "define") define(rest, {begin, at_, line});
    if (name == "undef" && given_.count(rest) == 0) current_.erase(rest);
    if (name == "include" && !rest.empty()) out_.includes.push_back(rest);
  }

  bool conditional(const std::string& name, const std::string& rest) {
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      Group group;
      group.outer_active = active();
      group.only_undefined = true;
      groups_.push_back(group);
      branch(name, rest);
    } else if (name == "elif" || name == "else" || name == "elifdef") {
      if (groups_.empty()) return true;
      end_branch();
      branch(name, rest);
    } else if (name == "endif") {
      if (groups_.empty()) return true;
      end_branch();
      keep_first_of(groups_.back());
      groups_.pop_back();
    } else {
      return false;
    }
    return true;
  }

  void branch(const std::string& name, const std::string& rest) {
    Group& group = groups_.back();
    bool holds = name == "else";
    const std::string first = rest.substr(0, rest.find_first_of(" \t"));
    if (name == "ifdef" || name == "elifdef") holds = is_defined(first, current_);
    if (name == "ifndef") holds = !is_defined(first, current_);
    // What nobody decides is taken: the first branch wins.
    if (name == "if" || name == "elif") holds = condition_holds(rest, current_).value_or(true);
    if (rest == "0" || name == "ifndef" || name == "else") group.only_undefined = false;
    group.active = group.outer_active && !group.taken && holds;
    group.taken = group.taken || holds;
    if (group.first_begin == 0) group.first_begin = at_;
  }

  void end_branch() {
    Group& group = groups_.back();
    if (group.first_end == 0) group.first_end = out_.text.rfind('\n', at_ == 0 ? 0 : at_ - 1);
  }

  // Brings the text of a first branch back, less its own directives.
  void keep_first_of(const Group& group) {
    if (!keep_first_ || group.taken || !group.only_undefined || !group.outer_active) return;
    if (group.first_end == std::string::npos || group.first_end <= group.first_begin) return;
    if (group.first_end - group.first_begin > longest_kept) return;
    const std::string kept = source_.substr(group.first_begin, group.first_end - group.first_begin);
    const std::string inner = Preparer(kept, {}, false).run().text;
    out_.text.replace(group.first_begin, kept.size(), inner);
  }

  void define(const std::string& rest, const TextRange& where) {
    std::size_t name_end = 0;
    while (name_end < rest.size() &&
           (std::isalnum(static_cast<unsigned char>(rest[name_end])) || rest[name_end] == '_'))
      ++name_end;
    const std::string name = rest.substr(0, name_end);
    if (name.empty() || out_.listed.size() >= most_macros) return;
    Macro macro;
    std::size_t value = name_end;
    if (name_end < rest.size() && rest[name_end] == '(') {
      macro.function_like = true;
      value = std::min(rest.find(')', name_end), rest.size() - 1) + 1;
      read_params(rest.substr(name_end + 1, value - name_end - 2), macro);
    }
    macro.value = trimmed(rest.substr(value));
    out_.listed.push_back({name, macro.value, macro.function_like, where});
    // Values that the build supplies win over those of the source.
    if (given_.count(name) == 0) out_.macros[name] = current_[name] = macro;
  }

  static void read_params(const std::string& text, Macro& macro) {
    for (const Token& token : lex(text)) {
      if (token.text == "...") macro.variadic = true;
      if (token.kind == Token::Kind::name) macro.params.push_back(token.text);
    }
  }

  const std::string& source_;
  const bool keep_first_;
  Prepared out_;
  std::vector<Group> groups_;
  Macros current_;  // less those undefined since
  std::set<std::string> given_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool last_was_line_ = false;
};

}  // namespace

Prepared prepare(const std::string& source, const std::map<std::string, std::string>& defines,
                 bool keep_first_of_undefined) {
  return Preparer(source, defines, keep_first_of_undefined).run();
}

}  // namespace noctune::reading
