// Types may be unknown: of several names in a row the last but one is the type, what comes before it is taken
// for a macro.
#include "mep/reading/declarators.hpp"

#include <algorithm>

#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

// Reads specifiers and the base type.
class Specifiers {
 public:
  Specifiers(const Tokens& tokens, Span span, Declaration& out)
      : tokens_(tokens), end_(span.end), out_(out) {}

  std::size_t read(std::size_t at) {
    while (at < end_) {
      const std::size_t next = one(at);
      if (next == at) break;
      at = next;
    }
    finish();
    return at;
  }

 private:
  // Behind the specifier at `at`, or `at` where none stands.
  std::size_t one(std::size_t at) {
    const Token& token = tokens_[at];
    if (token.kind == Token::Kind::pragma) return at + 1;
    if (token.text == "[" && tokens_.is(at + 1, "[")) return tokens_.past(at);
    if (token.kind == Token::Kind::text && out_.words.count("extern")) return at + 1;
    if (token.kind != Token::Kind::name) return at;
    if (is_attribute(token.text)) return attribute(at);
    if (is_qualifier(token.text)) {
      out_.is_const = out_.is_const || token.text == "const" || token.text == "__const";
      return at + 1;
    }
    if (is_storage_word(token.text)) {
      out_.words.insert(token.text);
      return at + 1;
    }
    if (is_builtin_type_word(token.text)) return builtin(at);
    return named(at);
  }

  std::size_t attribute(std::size_t at) {
    const bool arguments = tokens_.is(at + 1, "(");
    const std::string word = tokens_[at].text;
    if (word == "decltype" && base_.empty()) {
      base_.push_back({at, tokens_.past(at + 1)});
      return tokens_.past(at + 1);
    }
    out_.words.insert(word);
    if (word == "__launch_bounds__" && arguments)
      out_.launch_bounds = tokens_.text({at + 2, tokens_.close(at + 1)});
    return arguments ? tokens_.past(at + 1) : at + 1;
  }

  std::size_t builtin(std::size_t at) {
    if (!builtin_) base_.clear();  // names before it were macros
    builtin_ = true;
    base_.push_back({at, at + 1});
    return at + 1;
  }

  std::size_t named(std::size_t at) {
    const std::size_t past = past_name(at);
    if (builtin_ || past > end_) return at;
    if (base_.empty()) {
      base_.push_back({at, past});
      return past;
    }
    // A second name is the declared one, unless another name or a star follows it.
    const bool more = past < end_ && (tokens_.is_name(past) || tokens_.is_one_of(past, {"*", "&"})) &&
                      !is_attribute(tokens_[past].text) && !is_qualifier(tokens_[past].text);
    if (!more) return at;
    base_ = {{at, past}};
    return past;
  }

  // Behind "a::b<c>::d" at `at`.
  std::size_t past_name(std::size_t at) const {
    for (;;) {
      ++at;
      if (tokens_.is(at, "<")) {
        const std::size_t angle = tokens_.angle_close(at);
        if (angle == nowhere || angle >= end_) return at;
        at = angle + 1;
      }
      if (!tokens_.is(at, "::") || !tokens_.is_name(at + 1)) return at;
      ++at;
    }
  }

  void finish() {
    for (const Span& part : base_) {
      out_.base += (out_.base.empty() ? "" : " ") + tokens_.type_text(part);
      for (std::size_t i = part.begin; i < part.end; ++i)
        if (tokens_.is_name(i) && !tokens_.is(i - 1, "::") && !is_known_type(tokens_[i].text) &&
            !is_keyword(tokens_[i].text))
          out_.base_names.push_back(tokens_[i].text);
    }
  }

  const Tokens& tokens_;
  std::size_t end_;
  Declaration& out_;
  std::vector<Span> base_;
  bool builtin_ = false;
};

class DeclaratorReader {
 public:
  DeclaratorReader(const Tokens& tokens, Span span, const Declaration& declaration)
      : tokens_(tokens), span_(span), declaration_(declaration) {}

  Declarator read() {
    out_.position = span_.begin;
    std::size_t at = marks(span_.begin);
    if (tokens_.is(at, "(") && is_inner_declarator(at))
      at = inner(at);
    else
      at = name(at);
    at = extents(at);
    initial(at);
    finish();
    return out_;
  }

 private:
  // Stars, ampersands and their qualifiers.
  std::size_t marks(std::size_t at) {
    for (; at < span_.end; ++at) {
      const Token& token = tokens_[at];
      // In "float* RESTR x" the first name is a qualifier by macro.
      const bool qualifier =
          token.kind == Token::Kind::name &&
          (is_qualifier(token.text) || (out_.pointers > 0 && at + 1 < span_.end && tokens_.is_name(at + 1)));
      if (token.text == "*")
        ++out_.pointers;
      else if (token.text == "&" || token.text == "&&")
        out_.reference = true;
      else if (!qualifier && token.text != "...")
        break;
      const bool word = !marks_.empty() && token.kind == Token::Kind::name;
      marks_ += (word ? " " : "") + token.text;
    }
    return at;
  }

  bool is_inner_declarator(std::size_t at) const { return tokens_.is_one_of(at + 1, {"*", "&"}); }

  // "(*name)" in front of extents or parameters.
  std::size_t inner(std::size_t at) {
    const std::size_t close = std::min(tokens_.close(at), span_.end);
    const std::string before = std::move(marks_);
    marks_.clear();
    const std::size_t inside = marks(at + 1);
    if (inside < close) name(inside);
    inner_ = "(" + marks_ + ")";
    marks_ = before;
    out_.pointer_to_array = tokens_.is(close + 1, "[");
    return std::min(close + 1, span_.end);
  }

  std::size_t name(std::size_t at) {
    if (at >= span_.end || !tokens_.is_name(at)) return at;
    out_.name = tokens_[at].text;
    out_.position = at;
    ++at;
    while (tokens_.is(at, "::") && tokens_.is_name(at + 1) && at + 1 < span_.end) {
      out_.name += "::" + tokens_[at + 1].text;
      at += 2;
    }
    return at;
  }

  std::size_t extents(std::size_t at) {
    for (; at < span_.end && tokens_.is(at, "["); at = tokens_.past(at))
      out_.extents.push_back(tokens_.text({at + 1, tokens_.close(at)}));
    return at;
  }

  void initial(std::size_t at) {
    while (at < span_.end && tokens_.is_name(at) && is_attribute(tokens_[at].text))
      at = tokens_.is(at + 1, "(") ? tokens_.past(at + 1) : at + 1;
    if (at >= span_.end) return;
    if (tokens_.is(at, "="))
      out_.initial = {at + 1, span_.end};
    else if (tokens_.is(at, "(") || tokens_.is(at, "{"))
      out_.initial = {at + 1, std::min(tokens_.close(at), span_.end)};
  }

  void finish() {
    out_.type = (declaration_.is_const ? "const " : "") + declaration_.base + marks_;
    if (!inner_.empty()) out_.type += " " + inner_;
    for (const std::string& extent : out_.extents) out_.type += "[" + extent + "]";
  }

  const Tokens& tokens_;
  Span span_;
  const Declaration& declaration_;
  Declarator out_;
  std::string marks_, inner_;
};

}  // namespace

Declaration read_specifiers(const Tokens& tokens, Span span, std::size_t& at) {
  Declaration out;
  at = Specifiers(tokens, span, out).read(span.begin);
  return out;
}

Declaration read_declaration(const Tokens& tokens, Span span) {
  std::size_t at = span.begin;
  Declaration out = read_specifiers(tokens, span, at);
  for (const Span& part : tokens.split({at, span.end}))
    out.declarators.push_back(DeclaratorReader(tokens, part, out).read());
  return out;
}

SourceParam param_of(const Declaration& declaration, bool array_counts_as_pointer) {
  SourceParam param;
  param.base = declaration.base;
  param.const_base = declaration.is_const;
  param.type = (declaration.is_const ? "const " : "") + declaration.base;
  if (declaration.declarators.empty()) return param;
  const Declarator& declarator = declaration.declarators.front();
  param.name = declarator.name;
  param.type = declarator.type;
  param.reference = declarator.reference;
  param.extents = declarator.extents;
  param.pointers = declarator.pointers;
  if (array_counts_as_pointer && !declarator.extents.empty() && !declarator.pointer_to_array)
    ++param.pointers;
  return param;
}

}  // namespace noctune::reading
