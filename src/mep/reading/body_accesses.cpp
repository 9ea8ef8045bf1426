// Reads and writes: what stands around an element decides which it is.
#include <algorithm>

#include "mep/reading/body_reader.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr std::size_t most_accesses = 20000;

}  // namespace

// Whether '*' or '&' at `at` has no left operand.
bool BodyReader::is_unary(std::size_t at) const {
  if (at == 0) return true;
  const Token& before = tokens_[at - 1];
  if (before.kind == Token::Kind::name) return is_keyword(before.text) && before.text != "this";
  if (before.kind == Token::Kind::number || before.kind == Token::Kind::text) return false;
  if (before.text == "]") return false;
  return before.text != ")" || is_cast(tokens_.open(at - 1));
}

SourceAccess::Kind BodyReader::kind_at(std::size_t begin, std::size_t end) const {
  for (int around = 0; around < 4; ++around) {
    if (begin > 0 && tokens_.is_one_of(begin - 1, {"++", "--"})) return Kind::update;
    if (tokens_.is(end, "=")) return Kind::write;
    if (tokens_.is_one_of(end, {"++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}))
      return Kind::update;
    const bool grouped = begin > 0 && tokens_.is(begin - 1, "(") && tokens_.close(begin - 1) == end &&
                         (begin < 2 || !tokens_.is_name(begin - 2));
    if (!grouped) break;
    --begin;
    ++end;
    while (tokens_.is_one_of(end, {".", "->"}) && tokens_.is_name(end + 1)) end += 2;
  }
  return Kind::read;
}

// '*' with a pointer behind it: "*p", "*(p + i)", "*p++", "*(float4*)(p + i)".
void BodyReader::dereference(std::size_t at, std::size_t end) {
  std::size_t begin = at + 1, stop = begin;
  while (tokens_.is(stop, "(") && is_cast(stop)) stop = tokens_.past(stop);
  if (tokens_.is(stop, "("))
    stop = tokens_.past(stop);
  else if (tokens_.is_one_of(stop, {"reinterpret_cast", "static_cast"})) {
    const std::size_t angle = tokens_.is(stop + 1, "<") ? tokens_.angle_close(stop + 1) : nowhere;
    if (angle == nowhere) return;
    stop = tokens_.past(angle + 1);
  } else {
    stop += tokens_.is(stop, "&");
    if (!tokens_.is_name(stop)) return;
    const Chain reached = chain(stop, true);
    if (!reached.found) return;
    stop = reached.end;
  }
  if (stop > end) return;
  std::vector<Place> places = pointer_value({begin, stop}, 0);
  for (Place& place : places)
    if (place.dims == 1) place.subscript("0");
  const bool steps = tokens_.is_one_of(stop, {"++", "--"});
  if (!places.empty() && places.front().dims == 0) {
    std::size_t outside = stop;
    if (tokens_.is(stop, ")") && at > 0 && tokens_.open(stop) == at - 1 && tokens_.is(stop + 1, ".")) {
      for (Place& place : places) place.member = tokens_[stop + 2].text;
      outside = stop + 3;
      emit(places, kind_at(at - 1, outside), {at, stop});
      return;
    }
    emit(places, kind_at(at, steps ? stop + 1 : stop), {at, stop});
  }
}

// "(...)[i]": "((float4*)a)[i]", "(a + n)[i]", "reinterpret_cast<float4*>(a)[i]".
void BodyReader::grouped_subscript(std::size_t at) {
  const std::size_t open = tokens_.open(at - 1);
  if (open == nowhere) return;
  std::size_t begin = open;
  if (open > 0 && tokens_.is(open - 1, ">") && tokens_.angle_open(open - 1) != nowhere)
    begin = tokens_.angle_open(open - 1) - 1;
  else if (open > 0 && tokens_.is_name(open - 1) && !is_keyword(tokens_[open - 1].text))
    return;
  std::vector<Place> places = pointer_value({begin, at}, 0);
  std::size_t end = at;
  while (!places.empty() && places.front().dims > 0 && tokens_.is(end, "[")) {
    const std::string index = tokens_.text({end + 1, tokens_.close(end)});
    for (Place& place : places) place.subscript(index);
    end = tokens_.past(end);
  }
  if (places.empty() || places.front().dims > 0) return;
  if (tokens_.is_one_of(end, {".", "->"}) && tokens_.is_name(end + 1)) {
    for (Place& place : places) place.member = tokens_[end + 1].text;
    end += 2;
  }
  emit(places, kind_at(begin, end), {begin, end});
}

void BodyReader::emit(const std::vector<Place>& places, Kind kind, Span where, const std::string& callee) {
  for (const Place& place : places) {
    if (out_.accesses.size() >= most_accesses || place.array.empty()) return;
    SourceAccess access;
    access.kind = atomic_ > 0 && kind != Kind::read ? Kind::atomic : kind;
    access.array = place.array;
    access.index = place.index();
    access.member = place.member;
    access.where = tokens_.range(where);
    access.loop_depth = static_cast<int>(loops_.size());
    access.guard = guards_.empty() ? "" : guards_.back();
    access.callee = callee;
    out_.accesses.push_back(std::move(access));
  }
}

}  // namespace noctune::reading
