#include "mep/completion/comment_calls.hpp"

#include <algorithm>
#include <regex>

#include "mep/completion/loop_ranges.hpp"
#include "mep/completion/text_words.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest = 20000;

// Each /* */ and each run of // lines, marks included.
std::vector<std::string> comments_of(const std::string& source) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at + 1 < source.size();) {
    if (source.compare(at, 2, "/*") == 0) {
      const std::size_t end = std::min(source.find("*/", at + 2), source.size() - 2) + 2;
      out.push_back(source.substr(at, end - at));
      at = end;
    } else if (source.compare(at, 2, "//") == 0) {
      const std::size_t begin = at;
      while (at < source.size() && source.compare(at, 2, "//") == 0) {
        at = std::min(source.find('\n', at), source.size());
        const std::size_t next = source.find_first_not_of(" \t\n", at);
        if (next == std::string::npos || source.compare(next, 2, "//") != 0) break;
        at = next;
      }
      out.push_back(source.substr(begin, at - begin));
    } else {
      ++at;
    }
  }
  return out;
}

// From the first word that starts a loop or a call: prose before it is no code.
std::string code_in(const std::string& comment, const std::vector<const SourceFunction*>& functions) {
  std::string text = with_comments_opened(comment);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\'' || c == '"' || c == '`'; }, ' ');
  std::size_t call = std::string::npos;
  for (const SourceFunction* function : functions) {
    std::smatch found;
    if (std::regex_search(text, found, std::regex("\\b" + function->name + R"(\s*(?:\(|<))")))
      call = std::min(call, static_cast<std::size_t>(found.position()));
  }
  if (call == std::string::npos) return {};
  std::smatch loop;
  static const std::regex head(R"(\b(?:for|while)\s*\([^)]*[<>=!]?[^)]*\)|\bdo\s*\{)");
  if (std::regex_search(text, loop, head)) call = std::min(call, static_cast<std::size_t>(loop.position()));
  return text.substr(call);
}

}  // namespace

CommentedCalls calls_in_comments(const std::string& source, const SourceFacts& facts,
                                 const std::vector<const SourceFunction*>& functions) {
  CommentedCalls best;
  for (const std::string& comment : comments_of(source)) {
    if (comment.size() > longest) continue;
    CommentedCalls here;
    here.text = code_in(comment, functions);
    if (here.text.empty()) continue;
    for (SourceLaunch& one : read_call_site(here.text, facts)) {
      const bool meant = std::any_of(functions.begin(), functions.end(), [&](const SourceFunction* function) {
        return function->name == one.kernel && function->params.size() == one.args.size();
      });
      const bool declared = std::any_of(one.args.begin(), one.args.end(), [](const std::string& arg) {
        return std::regex_search(arg, std::regex(R"(^\s*(?:const\s+)?\w+[\s*&]+\w+\s*$)")) &&
               !is_number(arg) && arg.find_first_of("+-/%") == std::string::npos &&
               arg.find(" * ") == std::string::npos;
      });
      if (!meant || declared) continue;
      one.in_comment = true;
      one.in_snippet = false;
      here.launches.push_back(std::move(one));
    }
    if (here.launches.size() > best.launches.size()) best = std::move(here);
  }
  return best;
}

}  // namespace noctune
