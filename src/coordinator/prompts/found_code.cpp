#include "coordinator/prompts/found_code.hpp"

#include <algorithm>
#include <utility>

#include "coordinator/prompts/plain_text.hpp"
#include "coordinator/prompts/reply_json.hpp"
#include "coordinator/prompts/source_outline.hpp"
#include "evaluator/source_text.hpp"

namespace noctune {
namespace {

bool is_sentinel(const std::string& line, const std::string& entry) {
  const std::string bare = trimmed(line);
  return bare.rfind("//", 0) == 0 && trimmed(bare.substr(2)).rfind("noctune:", 0) == 0 &&
         has_word(bare, entry);
}

bool has_sentinel(const std::string& text, const std::string& entry) {
  if (text.find("noctune:") == std::string::npos) return false;
  const auto lines = lines_of(text);
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return is_sentinel(line, entry); });
}

bool is_diff(const ReplyBlock& block) {
  if (block.language == "diff" || block.language == "patch") return true;
  const auto lines = lines_of(block.content);
  const auto starts = [&](const char* with) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.rfind(with, 0) == 0; });
  };
  return (starts("@@ ") && (starts("+") || starts("-"))) || (starts("<<<<<<<") && starts(">>>>>>>"));
}

// How sure it is that this block is the answer.
struct Rank {
  bool sentinel = false, defines = false, language = false;
  int value() const { return 4 * (sentinel && defines) + 2 * (sentinel || defines) + language; }
};

Rank rank_of(const ReplyBlock& block, const std::string& entry) {
  Rank out;
  out.sentinel = has_sentinel(block.content, entry);
  out.defines = block.content.size() <= longest_source && has_word(block.content, entry) &&
                outline_of(block.content).definition(entry) != nullptr;
  out.language = block.language.empty() || is_code_language(block.language);
  return out;
}

// Sentinel and entry, then the language, then length; of those that define the entry equally well, the last
// complete one.
const ReplyBlock* choose_block(const std::vector<ReplyBlock>& blocks, const std::string& entry) {
  const ReplyBlock* best = nullptr;
  Rank best_rank;
  for (const ReplyBlock& block : blocks) {
    const Rank rank = rank_of(block, entry);
    bool better = !best || rank.value() > best_rank.value();
    if (best && rank.value() == best_rank.value())
      better = rank.defines ? block.closed || !best->closed
                            : std::pair(block.closed, block.content.size()) >=
                                  std::pair(best->closed, best->content.size());
    if (!better) continue;
    best = &block;
    best_rank = rank;
  }
  return best;
}

// {"code": "..."}: not what was asked for, but whole.
std::string code_in_json(const std::string& text, const std::string& entry) {
  if (text.size() > 2 * longest_source) return {};
  const Json json = first_json(text);
  if (!json.is_object()) return {};
  for (const auto& [key, value] : json.items())
    if (value.is_string() && outline_of(value.get_ref<const std::string&>()).definition(entry)) return value;
  return {};
}

// An answer without fences that is code from its sentinel on.
std::string code_without_fence(const std::string& outside, const std::string& entry) {
  std::string out;
  for (const std::string& line : lines_of(outside)) {
    const std::string word = lower_case(line.substr(0, line.find(':')));
    const bool head = word == "summary" || word == "flags" || word == "patterns" || trimmed(line).empty();
    if (out.empty() && !is_sentinel(line, entry)) {
      if (!head) return {};
      continue;
    }
    out += line + '\n';
  }
  return out;
}

}  // namespace

Result<FoundCode> find_code(const ReplyText& reply, const std::string& entry) {
  const std::string wanted =
      "give the whole file in one fenced block whose first line is `// noctune: " + entry + "`";
  const ReplyBlock* block = choose_block(reply.blocks, entry);
  const bool defines = block && rank_of(*block, entry).defines;
  if (!defines) {
    for (const ReplyBlock& one : reply.blocks)
      if (const std::string code = code_in_json(one.content, entry); !code.empty())
        return FoundCode{code, "code was taken out of JSON"};
    if (const std::string code = code_in_json(reply.outside, entry); !code.empty())
      return FoundCode{code, "code was taken out of JSON"};
    if (const std::string code = code_without_fence(reply.outside, entry); !code.empty())
      return FoundCode{code, "the code stood in no fenced block"};
  }
  if (!block) return fail("the answer holds no code", "there is no fenced block in it", wanted);
  if (!defines && is_diff(*block))
    return fail("the answer holds a diff", "changes cannot be applied here", wanted);
  if (!block->closed)
    return fail("the code is cut off", "its fenced block is never closed",
                wanted + ", and keep it short enough to be finished");
  if (!rank_of(*block, entry).language && !defines)
    return fail("the answer holds no C++ code",
                "its block is marked \"" + one_line(block->language, 40) + "\"", wanted);
  return FoundCode{block->content, ""};
}

}  // namespace noctune
