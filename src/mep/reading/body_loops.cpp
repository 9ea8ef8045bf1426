// Loop heads as (variable, from, to, step), with `to` beyond the last value.
#include <algorithm>

#include "mep/reading/body_reader.hpp"

namespace noctune::reading {
namespace {

constexpr std::size_t most_loops = 20000;

std::string flipped(const std::string& mark) {
  if (mark == "<") return ">";
  if (mark == ">") return "<";
  if (mark == "<=") return ">=";
  return mark == ">=" ? "<=" : mark;
}

// `to` of "variable mark bound".
std::string beyond(const std::string& mark, const std::string& bound) {
  if (mark == "<=") return plus(bound, 1);
  return mark == ">=" ? plus(bound, -1) : bound;
}

// The condition "v < n" or "n > v" within a span, the first of several joined by &&.
void read_end(const Tokens& tokens, Span span, SourceLoop& loop) {
  const Span first{span.begin, tokens.find(span, {"&&"})};
  const std::size_t mark = tokens.find(first, {"<", ">", "<=", ">=", "!="});
  if (mark >= first.end) return;
  const std::string left = tokens.text({first.begin, mark}), right = tokens.text({mark + 1, first.end});
  if (left == loop.variable)
    loop.to = beyond(tokens[mark].text, right);
  else if (right == loop.variable)
    loop.to = beyond(flipped(tokens[mark].text), left);
}

void read_step(const Tokens& tokens, Span span, SourceLoop& loop) {
  for (const Span& part : tokens.split(span)) {
    const std::string text = tokens.text(part);
    if (text.find(loop.variable) == std::string::npos) continue;
    if (text == "++" + loop.variable || text == loop.variable + "++")
      loop.step = "1";
    else if (text == "--" + loop.variable || text == loop.variable + "--")
      loop.step = "-1";
    else if (tokens.is(part.begin, loop.variable.c_str()) && part.size() > 2) {
      const std::string mark = tokens[part.begin + 1].text;
      const std::string by = tokens.text({part.begin + 2, part.end});
      const bool again = tokens.is(part.begin + 2, loop.variable.c_str()) && part.size() > 4;
      if (mark == "+=")
        loop.step = by;
      else if (mark == "-=")
        loop.step = "-" + (by.size() > 1 ? "(" + by + ")" : by);
      else if (mark == "=" && again && tokens.is(part.begin + 3, "+"))
        loop.step = tokens.text({part.begin + 4, part.end});
      else if (mark == "=" && again && tokens.is(part.begin + 3, "-"))
        loop.step = "-" + tokens.text({part.begin + 4, part.end});
      else if (mark == "=" && again)
        loop.step = tokens[part.begin + 3].text + "= " + tokens.text({part.begin + 4, part.end});
      else
        loop.step = mark + " " + by;
    } else
      continue;
    return;
  }
}

}  // namespace

std::size_t BodyReader::for_loop(std::size_t at) {
  const Span inside{at + 2, std::min(tokens_.close(at + 1), end_)};
  SourceLoop loop;
  loop.where = tokens_.range({at, at + 1});
  push_loop(loop, at);
  loop_header(inside, loops_.back());
  const std::size_t index = loop_index_.back();
  if (index < out_.loops.size()) {
    loops_.back().depth = out_.loops[index].depth;
    out_.loops[index] = loops_.back();
  }
  return tokens_.past(at + 1);
}

void BodyReader::loop_header(Span span, SourceLoop& loop) {
  const std::size_t first = tokens_.find(span, {";", ":"});
  if (tokens_.is(first, ":") && first < span.end) return range_header(span, first, loop);
  const std::size_t second = tokens_.find({first + 1, span.end}, {";"});
  loop_start({span.begin, first}, loop);
  if (first >= span.end) return;
  loop.condition = tokens_.text({first + 1, second});
  read_end(tokens_, {first + 1, second}, loop);
  expression({first + 1, second});
  if (second >= span.end) return;
  if (!loop.variable.empty()) read_step(tokens_, {second + 1, span.end}, loop);
  expression({second + 1, span.end});
}

void BodyReader::range_header(Span span, std::size_t colon, SourceLoop& loop) {
  loop.condition = tokens_.text(span);
  expression({colon + 1, span.end});
  const Declaration declared = read_declaration(tokens_, {span.begin, colon});
  for (const Declarator& declarator : declared.declarators) declare(declared, declarator, true);
  if (!declared.declarators.empty()) loop.variable = declared.declarators.front().name;
}

void BodyReader::loop_start(Span span, SourceLoop& loop) {
  if (is_declaration(span)) {
    const Declaration declared = read_declaration(tokens_, span);
    for (const Declarator& declarator : declared.declarators) declare(declared, declarator, true);
    if (declared.declarators.empty()) return;
    loop.variable = declared.declarators.front().name;
    loop.from = tokens_.text(declared.declarators.front().initial);
    return;
  }
  const std::size_t equals = tokens_.find(span, {"="});
  const std::size_t comma = tokens_.find(span, {","});
  if (equals < comma && equals == span.begin + 1) {
    loop.variable = tokens_[span.begin].text;
    loop.from = tokens_.text({equals + 1, comma});
    if (Binding* binding = scopes_.find(loop.variable)) binding->loop_variable = true;
  }
  expression(span);
}

std::size_t BodyReader::while_loop(std::size_t at) {
  const Span inside{at + 2, std::min(tokens_.close(at + 1), end_)};
  SourceLoop loop;
  loop.where = tokens_.range({at, at + 1});
  loop.condition = tokens_.text(inside);
  push_loop(loop, at);
  expression(inside);
  return tokens_.past(at + 1);
}

void BodyReader::push_loop(SourceLoop loop, std::size_t at) {
  loop.depth = static_cast<int>(loops_.size());
  loop.where = tokens_.range({at, at + 1});
  Frame frame;
  frame.kind = Frame::Kind::loop;
  frame.loops = true;
  loop_index_.push_back(out_.loops.size() < most_loops ? out_.loops.size() : nowhere);
  if (out_.loops.size() < most_loops) out_.loops.push_back(loop);
  loops_.push_back(std::move(loop));
  push(frame);
}

}  // namespace noctune::reading
