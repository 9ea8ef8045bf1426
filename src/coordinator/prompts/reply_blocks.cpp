#include "coordinator/prompts/reply_blocks.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "coordinator/prompts/plain_text.hpp"

namespace noctune {
namespace {

constexpr std::size_t most_blocks = 200;
constexpr int deepest = 20;  // blocks that are opened again, in all

struct Fence {
  char mark = '`';
  std::size_t length = 0;
  std::string info;
};

std::optional<Fence> fence_of(const std::string& line) {
  const auto start = line.find_first_not_of(' ');
  if (start == std::string::npos || start > 3 || (line[start] != '`' && line[start] != '~')) return {};
  Fence out;
  out.mark = line[start];
  const auto end = line.find_first_not_of(out.mark, start);
  out.length = (end == std::string::npos ? line.size() : end) - start;
  out.info = end == std::string::npos ? "" : trimmed(line.substr(end));
  // ```inline code``` is no fence.
  if (out.length < 3 || (out.mark == '`' && out.info.find('`') != std::string::npos)) return {};
  return out;
}

std::string language_of(const std::string& info) {
  std::string word = lower_case(info.substr(0, info.find_first_of(" \t,{:")));
  while (!word.empty() && word[0] == '.') word.erase(0, 1);
  return word;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  std::string out;
  std::size_t at = 0;
  for (auto found = text.find(from); found != std::string::npos; found = text.find(from, at)) {
    out.append(text, at, found - at).append(to);
    at = found + from.size();
  }
  if (at > 0) text = out.append(text, at, std::string::npos);
}

// Byte order marks and characters without width go; blanks of every width become a plain one.
std::string plain_blanks(std::string text) {
  for (const char* nothing : {"\xEF\xBB\xBF", "\xE2\x80\x8B", "\xE2\x80\x8C", "\xE2\x80\x8D", "\xE2\x81\xA0"})
    replace_all(text, nothing, "");
  for (const char* blank :
       {"\xC2\xA0", "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x89", "\xE2\x80\xAF", "\xE3\x80\x80"})
    replace_all(text, blank, " ");
  return text;
}

// Some servers leave reasoning in the answer, with or without its opening tag.
std::string without_reasoning(std::string text) {
  for (const auto& [open, close] :
       {std::pair{"<think>", "</think>"}, std::pair{"<thinking>", "</thinking>"}}) {
    if (const auto end = text.rfind(close); end != std::string::npos)
      text.erase(0, end + std::string(close).size());
    if (const auto begin = text.find(open); begin != std::string::npos) text.erase(begin);
  }
  return text;
}

void scan(const std::string& text, ReplyText& out) {
  std::optional<Fence> open;
  ReplyBlock block;
  std::string last;
  const auto begin = [&](const Fence& fence) {
    open = fence;
    block.language = language_of(fence.info);
    block.info = fence.info;
    block.before = std::exchange(last, {});
  };
  const auto finish = [&](bool closed) {
    block.closed = closed;
    if (out.blocks.size() < most_blocks) out.blocks.push_back(std::move(block));
    block = {};
    open.reset();
  };
  for (const std::string& line : lines_of(text)) {
    const std::optional<Fence> fence = fence_of(line);
    if (fence && open && fence->mark == open->mark && fence->length >= open->length && fence->info.empty()) {
      finish(true);
    } else if (fence && open && fence->mark == open->mark && fence->length == open->length) {
      finish(false);  // a new block begins: the one before was never closed
      begin(*fence);
    } else if (fence && !open) {
      begin(*fence);
    } else {
      if (!open && !trimmed(line).empty()) last = line;
      (open ? block.content : out.outside) += line + '\n';
    }
  }
  if (open) finish(false);
}

// Blocks inside a block, as when a whole answer is put into one.
void add_inner_blocks(ReplyText& out) {
  int depth = 0;
  for (std::size_t i = 0; i < out.blocks.size() && out.blocks.size() < most_blocks; ++i) {
    if (is_code_language(out.blocks[i].language)) continue;
    if (out.blocks[i].content.find("```") == std::string::npos &&
        out.blocks[i].content.find("~~~") == std::string::npos)
      continue;
    ReplyText inner;
    scan(out.blocks[i].content, inner);
    if (inner.blocks.empty()) continue;
    out.outside += inner.outside;
    out.blocks[i] = std::move(inner.blocks.front());
    out.blocks.insert(out.blocks.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                      std::make_move_iterator(inner.blocks.begin() + 1),
                      std::make_move_iterator(inner.blocks.end()));
    if (++depth < deepest) --i;  // deeper still
  }
}

}  // namespace

bool is_code_language(const std::string& language) {
  constexpr std::array known = {"cpp", "c++", "cc", "cxx", "c", "cuda", "cu", "hip", "hpp"};
  return std::find(known.begin(), known.end(), language) != known.end();
}

ReplyText read_blocks(const std::string& reply) {
  ReplyText out;
  scan(without_reasoning(plain_blanks(clean_text(reply))), out);
  add_inner_blocks(out);
  return out;
}

}  // namespace noctune
