#include "coordinator/prompts/version.hpp"

#include <algorithm>
#include <array>

#include "coordinator/prompts/entry_check.hpp"
#include "coordinator/prompts/extra_flags.hpp"
#include "coordinator/prompts/found_code.hpp"
#include "coordinator/prompts/mends.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "coordinator/prompts/reply_blocks.hpp"
#include "coordinator/prompts/source_outline.hpp"
#include "evaluator/policy.hpp"
#include "evaluator/source_text.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest_reply = 4 * 1000 * 1000, longest_summary = 600;

bool mentions_left_out_code(const SourcePiece& piece) {
  if (piece.kind != SourcePiece::Kind::comment) return false;
  constexpr std::array phrases = {"rest unchanged", "rest of the code", "rest of the file",
                                  "existing code",  "code unchanged",   "omitted for brevity",
                                  "code here"};
  const std::string text = lower_case(piece.text);
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](const char* phrase) { return text.find(phrase) != std::string::npos; });
}

// The comment or line that stands for code; empty where there is none. Comments of K(0) are no placeholders.
std::string placeholder(const std::string& source, const std::string& mask, const std::string& original) {
  std::vector<std::string> found = placeholders_in(source);
  for (const SourcePiece& piece : source_pieces(source))
    if (mentions_left_out_code(piece)) found.push_back(piece.text);
  for (const std::string& one : found)
    if (original.find(one) == std::string::npos) return one_line(one, 120);
  for (const std::string& line : lines_of(mask))
    if (const std::string bare = trimmed(line); bare == "..." || bare == "\xE2\x80\xA6") return bare;
  return {};
}

std::optional<Error> objection(const std::string& source, const MepSource& mep) {
  const Outline outline = outline_of(source);
  const std::string whole = "give the whole file again, nothing left out";
  if (const std::string found = placeholder(source, outline.mask, mep.original); !found.empty())
    return Error{"a placeholder stands where code should be", found, whole};
  if (outline.open_braces != 0)
    return Error{"the braces do not balance",
                 outline.open_braces > 0 ? std::to_string(outline.open_braces) + " of `{` without `}`"
                                         : "a `}` without its `{`",
                 whole};
  return entry_objection(source, outline, mep);
}

bool same_program(const std::string& source, const std::string& other) {
  return !other.empty() && normalised_source(source) == normalised_source(other);
}

// The value of "name: value" at the start of a line; a list mark or bold type in front does not matter.
std::string field(const std::vector<std::string>& lines, const std::string& name) {
  for (const std::string& line : lines) {
    const auto from = line.find_first_not_of(" *-_#>`");
    if (from == std::string::npos || lower_case(line.substr(from, name.size())) != name) continue;
    const auto colon = line.find_first_not_of(" *_`", from + name.size());
    if (colon == std::string::npos || line[colon] != ':') continue;
    const auto value = line.find_first_not_of(" *_", colon + 1);
    return value == std::string::npos ? std::string() : trimmed(line.substr(value));
  }
  return {};
}

}  // namespace

std::vector<std::string> read_pattern_ids(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  const auto finish = [&] {
    const std::string plain = lower_case(word);
    const bool empty = plain.empty() || plain == "none" || plain == "and" || plain == "no" || plain == "n" ||
                       plain == "a" || plain == "used" || plain.find_first_not_of("-") == std::string::npos;
    const bool numbered = word.size() > 1 && (word[0] == 'P' || word[0] == 'p') &&
                          word.find_first_not_of("0123456789", 1) == std::string::npos;
    if (numbered) word.erase(0, 1);
    if (!empty && out.size() < 20 && word.size() <= 80 &&
        std::find(out.begin(), out.end(), word) == out.end())
      out.push_back(word);
    word.clear();
  };
  for (const char c : text) {
    if (is_word_character(c) || c == '-')
      word += c;
    else
      finish();
  }
  finish();
  return out;
}

Result<WrittenVersion> read_version(const std::string& reply, const MepSource& mep, const std::string& base) {
  const std::string& entry = mep.spec.entry;
  if (reply.size() > longest_reply)
    return fail("the answer is too long", std::to_string(reply.size()) + " bytes", "give one file only");
  const ReplyText read = read_blocks(reply);
  Result<FoundCode> code = find_code(read, entry);
  if (!code) return Failure(code.error());
  if (code->text.size() > longest_source)
    return fail(
        "the source is too long",
        std::to_string(code->text.size()) + " bytes, at most " + std::to_string(longest_source) + " are read",
        "write it without tables and unrolled copies");
  MendedSource mended = mend_source(std::move(code->text), mep.spec);
  if (auto why = objection(mended.source, mep)) return Failure(std::move(*why));
  WrittenVersion out;
  const std::vector<std::string> lines = lines_of(read.outside);
  out.summary = one_line(field(lines, "summary"), longest_summary);
  out.patterns = read_pattern_ids(field(lines, "patterns"));
  ReadFlags flags = read_flags(field(lines, "flags"), mep.spec.backend);
  out.flags = std::move(flags.accepted);
  out.mended = std::move(mended.notes);
  if (!code->note.empty()) out.mended.push_back(code->note);
  for (const std::string& refused : flags.refused) out.mended.push_back("flag left out: " + refused);
  out.source = std::move(mended.source);
  if (out.flags.empty() && (same_program(out.source, base) || same_program(out.source, mep.original)))
    return fail("the answer changes nothing",
                "it is the same program as " +
                    std::string(same_program(out.source, base) ? "the version to improve" : "the original"),
                "make the change that was asked for");
  return out;
}

}  // namespace noctune
