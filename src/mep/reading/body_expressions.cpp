// Expressions token by token: every name is looked up where it stands, whatever is around it.
#include <algorithm>

#include "mep/reading/body_reader.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr std::size_t longest_value = 1000;  // tokens

}  // namespace

void BodyReader::expression(Span span) {
  const std::size_t end = std::min(span.end, tokens_.size());
  for (std::size_t at = span.begin; at < end;) {
    const Token& token = tokens_[at];
    if (token.kind == Token::Kind::name) {
      at = std::max(name(at, end), at + 1);
      continue;
    }
    if (token.text == "*" && is_unary(at)) dereference(at, end);
    if (token.text == "[" && at > span.begin && tokens_.is(at - 1, ")")) grouped_subscript(at);
    ++at;
  }
}

// Handles the name at `at`; the token to go on with.
std::size_t BodyReader::name(std::size_t at, std::size_t end) {
  const std::string& text = tokens_[at].text;
  if (at > 0 && tokens_.is_one_of(at - 1, {".", "->"})) {
    if (text == "sync" && tokens_.is(at + 1, "(") && out_.cooperative_groups) out_.barriers = true;
    return at + 1;
  }
  if (text == "sizeof" && tokens_.is(at + 1, "(")) return tokens_.past(at + 1);
  if (tokens_.is(at + 1, "::") && tokens_.is_name(at + 2)) return qualified(at);
  if (launch_at(at)) return at + 1;
  std::size_t open = at + 1;
  if (tokens_.is(open, "<") && tokens_.angle_close(open) != nowhere) open = tokens_.angle_close(open) + 1;
  Binding* binding = scopes_.find(text);
  if (tokens_.is(open, "(") && binding == nullptr && !is_keyword(text) && !is_known_type(text)) {
    call(text, open, {at, tokens_.past(open)});
    return at + 1;
  }
  // A functor, a lambda.
  if (tokens_.is(open, "(") && binding != nullptr && !binding->pointer) note_call(text);
  const bool symbol = binding == nullptr && names_.symbols.count(text) > 0;
  if (binding == nullptr) free_name(at);
  if (binding != nullptr && binding->places.empty() && !binding->record)
    local_use(at, *binding, end);
  else if (binding != nullptr || symbol) {
    const Chain reached = chain(at, false);
    if (reached.element()) {
      const auto given = overrides_.find(at);
      const bool address = at > 0 && tokens_.is(at - 1, "&") && is_unary(at - 1);
      if (!address)
        emit(reached.places, given != overrides_.end() ? given->second : kind_at(at, reached.end),
             {at, reached.end});
    } else if (binding != nullptr && binding->pointer) {
      assign_pointer(*binding, at, end);
    }
  }
  return at + 1;
}

// "a::b::c": a call of it or nothing.
std::size_t BodyReader::qualified(std::size_t at) {
  std::string text = tokens_[at].text;
  std::size_t last = at;
  while (tokens_.is(last + 1, "::") && tokens_.is_name(last + 2)) {
    last += 2;
    text += "::" + tokens_[last].text;
  }
  if (text.rfind("cg::", 0) == 0 || text.rfind("cooperative_groups::", 0) == 0)
    out_.cooperative_groups = true;
  std::size_t open = last + 1;
  if (tokens_.is(open, "<") && tokens_.angle_close(open) != nowhere) open = tokens_.angle_close(open) + 1;
  if (tokens_.is(open, "(")) call(text, open, {at, tokens_.past(open)});
  return last + 1;
}

void BodyReader::free_name(std::size_t at) {
  const std::string& text = tokens_[at].text;
  if (text == "blockDim" || text.rfind("hipBlockDim_", 0) == 0) out_.uses_block_size = true;
  if (is_keyword(text) || is_known_type(text) || is_library_name(text)) return;
  if (seen_names_.insert(text).second) out_.names.push_back(text);
}

void BodyReader::note_call(const std::string& text) {
  if (is_barrier(text)) out_.barriers = true;
  if (is_warp_intrinsic(text)) out_.warp_intrinsics = true;
  if (is_atomic_function(text)) out_.atomics = true;
  if (seen_calls_.insert(text).second) out_.calls.push_back(text);
}

// A plain local: assigned, counted up, or a grid's dimension set.
void BodyReader::local_use(std::size_t at, Binding& binding, std::size_t end) {
  const bool counted =
      tokens_.is_one_of(at + 1, {"++", "--", "+=", "-=", "*=", "/=", "%=", ">>=", "<<=", "&=", "|=", "^="}) ||
      (at > 0 && tokens_.is_one_of(at - 1, {"++", "--"}));
  const bool assigned = tokens_.is(at + 1, "=");
  if (tokens_.is(at + 1, ".") && tokens_.is(at + 3, "=") && tokens_[at + 2].text.size() == 1)
    dims_[tokens_[at].text][tokens_[at + 2].text[0]] =
        tokens_.text({at + 4, tokens_.find({at + 4, std::min(end, at + longest_value)}, {",", ";"})});
  if (!counted && !assigned) return;
  if (binding.pointer && assigned) return assign_pointer(binding, at, end);
  if (binding.local == nowhere || binding.local >= out_.locals.size()) return;
  SourceLocal& local = out_.locals[binding.local];
  if (counted || binding.assigned || binding.loop_variable)
    local.assigned_again = true;
  else
    local.value =
        tokens_.text({at + 2, tokens_.find({at + 2, std::min(end, at + longest_value)}, {",", ";"})});
  binding.assigned = true;
}

// "p = a + i" points p elsewhere, "p += n" moves it.
void BodyReader::assign_pointer(Binding& binding, std::size_t at, std::size_t end) {
  const bool counted = tokens_.is_one_of(at + 1, {"++", "--", "+=", "-="}) ||
                       (at > 0 && tokens_.is_one_of(at - 1, {"++", "--"}));
  if (!counted && !tokens_.is(at + 1, "=")) return;
  // Looked for no further than a value may be long: "a = a = a = ..." must not take quadratic time.
  const Span value{at + 2, tokens_.find({at + 2, std::min(end, at + longest_value)}, {",", ";"})};
  if (binding.local < out_.locals.size() && (counted || binding.assigned))
    out_.locals[binding.local].assigned_again = true;
  if (counted) {
    for (Place& place : binding.places) {
      const bool once = tokens_.is(at + 1, "+=") && static_cast<int>(loops_.size()) == binding.loop_depth &&
                        guards_.empty();
      if (once)
        place.move(tokens_.text(value));
      else
        place.unclear = true;
    }
    return;
  }
  std::vector<Place> places = pointer_value(value, 0);
  const bool again =
      binding.assigned && (!guards_.empty() || static_cast<int>(loops_.size()) > binding.loop_depth);
  if (again) places.insert(places.end(), binding.places.begin(), binding.places.end());
  if (places.size() > 4) places.resize(4);
  if (!places.empty()) binding.places = places;
  if (binding.local < out_.locals.size() && !binding.assigned)
    out_.locals[binding.local].value = tokens_.text(value);
  binding.assigned = true;
}

}  // namespace noctune::reading
