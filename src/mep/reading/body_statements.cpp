// Statements one after the other, with a stack of what is open around them instead of recursion: nesting of
// any depth costs no more than its length.
#include <algorithm>

#include "mep/reading/body_reader.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr std::size_t most_guards = 2000;
constexpr std::size_t longest_guard = 400;

}  // namespace

// Reads the statement at `at`, or its head where others follow in it; the token to go on with.
std::size_t BodyReader::statement(std::size_t at) {
  const Token& token = tokens_[at];
  if (token.kind == Token::Kind::pragma) {
    pragma(at);
    return at + 1;
  }
  if (token.text == "{") {
    Frame frame;
    frame.close = tokens_.close(at);
    push(frame);
    return at + 1;
  }
  if (token.text == "}") return close_block(at);
  if (token.text == ";") return finish(at + 1);
  const std::size_t next = token.kind == Token::Kind::name ? control(at) : at;
  return next != at ? next : simple(at);
}

std::size_t BodyReader::control(std::size_t at) {
  const std::string& word = tokens_[at].text;
  const bool bracket = tokens_.is(at + 1, "(");
  if (word == "for" && bracket) return for_loop(at);
  if (word == "while" && bracket) return while_loop(at);
  if (word == "if") return condition(at);
  if (word == "do" || word == "else" || word == "try") {
    if (word != "do") return at + 1;
    push_loop({}, at);
    frames_.back().kind = Frame::Kind::do_loop;
    return at + 1;
  }
  if ((word == "switch" || word == "catch") && bracket) {
    if (word == "switch") expression({at + 2, tokens_.close(at + 1)});
    Frame frame;
    frame.kind = Frame::Kind::other;
    push(frame);
    return tokens_.past(at + 1);
  }
  return jump(at);
}

// Labels, jumps and what declares nothing that matters.
std::size_t BodyReader::jump(std::size_t at) {
  const std::string& word = tokens_[at].text;
  if (word == "case" || word == "default") {
    const std::size_t colon = tokens_.find({at, end_}, {":", ";"});
    expression({at + 1, colon});
    return colon + 1;
  }
  if (word == "return" || word == "goto" || word == "break" || word == "continue" || word == "throw") {
    const std::size_t stop = statement_end(at + 1);
    if (word == "return" || word == "throw") expression({at + 1, stop});
    return finish(tokens_.is(stop, ";") ? stop + 1 : stop);
  }
  if (word == "using" || word == "typedef" || word == "static_assert" || word == "asm" || word == "__asm__") {
    const std::size_t stop = statement_end(at + 1);
    if (word == "typedef" && tokens_.is_name(stop - 1)) scopes_.declare(tokens_[stop - 1].text, {});
    if (word == "using" && tokens_.is(at + 2, "=")) scopes_.declare(tokens_[at + 1].text, {});
    return finish(tokens_.is(stop, ";") ? stop + 1 : stop);
  }
  if (tokens_.is(at + 1, ":") && !is_keyword(word)) return at + 2;
  return at;
}

std::size_t BodyReader::condition(std::size_t at) {
  if (tokens_.is(at + 1, "constexpr")) ++at;
  if (!tokens_.is(at + 1, "(")) return at + 1;
  const Span inside{at + 2, tokens_.close(at + 1)};
  const std::size_t next = tokens_.past(at + 1);
  if (is_declaration(inside))
    declaration(inside, false);
  else
    expression(inside);
  Frame frame;
  frame.kind = Frame::Kind::condition;
  frame.guard = tokens_.text(inside).substr(0, longest_guard);
  frame.guards = true;
  add_guard(returns_at_once(next) ? "!(" + frame.guard + ")" : frame.guard);
  push(frame);
  return next;
}

bool BodyReader::returns_at_once(std::size_t at) const {
  if (tokens_.is(at, "{")) ++at;
  return tokens_.is_one_of(at, {"return", "continue"});
}

void BodyReader::add_guard(const std::string& text) {
  if (out_.guards.size() >= most_guards) return;
  if (std::find(out_.guards.begin(), out_.guards.end(), text) == out_.guards.end())
    out_.guards.push_back(text);
}

std::size_t BodyReader::simple(std::size_t at) {
  const std::size_t stop = statement_end(at);
  if (is_declaration({at, stop}))
    declaration({at, stop}, false);
  else
    expression({at, stop});
  if (atomic_ > 0) --atomic_;
  return finish(tokens_.is(stop, ";") ? stop + 1 : stop);
}

// The ';' of the statement at `at`; in prose and broken code also where another statement starts.
std::size_t BodyReader::statement_end(std::size_t at) const {
  for (std::size_t i = at; i < end_; i = tokens_.past(i)) {
    if (tokens_.is_one_of(i, {";", "}"}) || tokens_[i].kind == Token::Kind::pragma) return i;
    const bool starts = i > at && (tokens_.is_one_of(i, {"for", "while", "if"})
                                       ? tokens_.is(i + 1, "(")
                                       : tokens_.is(i, "do") && tokens_.is(i + 1, "{"));
    if (starts) return i;
  }
  return end_;
}

// A statement has ended before `next`: so have the conditions and loops of which it was the body.
std::size_t BodyReader::finish(std::size_t next) {
  while (!frames_.empty()) {
    const Frame::Kind kind = frames_.back().kind;
    if (kind == Frame::Kind::block) break;
    if (kind == Frame::Kind::do_loop) {
      next = finish_do(next);
      continue;
    }
    const std::string guard = frames_.back().guard;
    pop();
    if (kind != Frame::Kind::condition || !tokens_.is(next, "else")) continue;
    Frame frame;
    frame.kind = Frame::Kind::otherwise;
    frame.guard = "!(" + guard + ")";
    frame.guards = true;
    push(frame);
    return next + 1;
  }
  return next;
}

// The "while (...);" behind the body of a do.
std::size_t BodyReader::finish_do(std::size_t next) {
  if (tokens_.is(next, "while") && tokens_.is(next + 1, "(")) {
    const Span inside{next + 2, tokens_.close(next + 1)};
    expression(inside);
    const std::string text = tokens_.text(inside);
    const std::size_t index = loop_index_.back();
    if (index < out_.loops.size()) out_.loops[index].condition = text;
    for (SourceLaunch& launch : launches)
      for (SourceLoop& loop : launch.loops)
        if (loop.where.begin == loops_.back().where.begin && loop.condition.empty()) loop.condition = text;
    next = tokens_.past(next + 1);
    next += tokens_.is(next, ";");
  }
  pop();
  return next;
}

std::size_t BodyReader::close_block(std::size_t at) {
  const bool open = std::any_of(frames_.rbegin(), frames_.rend(), [&](const Frame& frame) {
    return frame.kind == Frame::Kind::block && frame.close == at;
  });
  if (!open) return at + 1;
  while (frames_.back().kind != Frame::Kind::block || frames_.back().close != at) pop();
  pop();
  return finish(at + 1);
}

void BodyReader::pragma(std::size_t at) {
  const std::string& text = tokens_[at].text;
  if (text.find("omp") == std::string::npos) return;
  out_.has_pragma_omp = true;
  const bool update = text.find(" read") == std::string::npos && text.find(" write") == std::string::npos;
  if (text.find("atomic") != std::string::npos && update) {
    atomic_ = 1;
    out_.atomics = true;
  }
  if (text.find("barrier") != std::string::npos) out_.barriers = true;
}

void BodyReader::push(Frame frame) {
  scopes_.enter();
  if (frame.guards) guards_.push_back(frame.guard);
  frames_.push_back(std::move(frame));
}

void BodyReader::pop() {
  scopes_.leave();
  if (frames_.back().guards) guards_.pop_back();
  if (frames_.back().loops) {
    loops_.pop_back();
    loop_index_.pop_back();
  }
  frames_.pop_back();
}

}  // namespace noctune::reading
