// Whatever a model writes: no crash, no exception, no endless work, and what is accepted keeps its promises.
#include <gtest/gtest.h>

#include <random>

#include "coordinator/prompts/plan_reply.hpp"
#include "coordinator/prompts/replies.hpp"
#include "coordinator/prompts/reply_blocks.hpp"
#include "coordinator/prompts/source_outline.hpp"
#include "coordinator/prompts/version.hpp"

namespace noctune {
namespace {

const std::vector<std::string>& fragments() {
  static const std::vector<std::string> all = {"```",
                                               "````cpp",
                                               "~~~",
                                               "\n",
                                               "{",
                                               "}",
                                               "(",
                                               ")",
                                               "\"",
                                               "'",
                                               "/*",
                                               "*/",
                                               "//",
                                               "\\\n",
                                               "R\"x(",
                                               "#if 0\n",
                                               "#else\n",
                                               "#endif\n",
                                               "scale",
                                               "main(",
                                               "</think>",
                                               "<think>",
                                               "\xEF\xBB\xBF",
                                               "\xC2\xA0",
                                               "\xFF",
                                               "\xE2\x80",
                                               std::string(1, '\0'),
                                               "extern \"C\" ",
                                               "namespace {",
                                               "// noctune: scale\n",
                                               "flags: -O3\n",
                                               "void*",
                                               ",",
                                               ";",
                                               "[",
                                               "]",
                                               "@@ ",
                                               "1'0"};
  return all;
}

std::string mutated(std::string text, const std::vector<ReplyCase>& cases, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % (n + 1)); };
  for (std::size_t step = 1 + below(5); step > 0; --step) {
    const std::size_t at = below(text.size()), length = below(40);
    switch (random() % 5) {
      case 0:
        text.insert(at, fragments()[below(fragments().size() - 1)]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.resize(at);
        break;
      case 3:
        text += text.substr(at);
        break;
      default:
        text.insert(at, cases[below(cases.size() - 1)].text.substr(0, 10 * length));
    }
  }
  return text;
}

TEST(Fuzz, MutatedRepliesNeverCrash) {
  const std::vector<ReplyCase> cases = reply_cases();
  const MepSource mep = scale_mep();
  std::mt19937_64 random(20240607);
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::string text =
        mutated(cases[static_cast<std::size_t>(round) % cases.size()].text, cases, random);
    const Result<WrittenVersion> version = read_version(text, mep);
    const auto plan = read_plan(text);
    if (!version) {
      EXPECT_FALSE(version.error().problem.empty());
      continue;
    }
    ++accepted;
    EXPECT_NE(outline_of(version->source).definition("scale"), nullptr);
    EXPECT_EQ(outline_of(version->source).open_braces, 0);
    EXPECT_EQ(version->source.find('\r'), std::string::npos);
  }
  EXPECT_GT(accepted, 250);
}

TEST(Fuzz, HostileSizesAreReadInTime) {
  const MepSource mep = scale_mep();
  const std::string head = "```cpp\n// noctune: scale\n",
                    entry = "void scale(int n, const double* x, double* y) {}\n```\n";
  std::string staircase;
  for (std::size_t length = 900; length > 2; --length) staircase += std::string(length, '`') + "\n";
  std::string unlike;
  for (int i = 0; i < 20000; ++i) unlike += "`~"[i % 2] + std::string("``\n");
  for (const std::string& text :
       {head + std::string(150000, '{') + entry, head + std::string(150000, '(') + entry,
        head + "int x = " + std::string(150000, '-') + "1;\n" + entry, staircase + "x", unlike,
        std::string(3000000, '`'), head + std::string(5000000, ' ') + entry, std::string(200000, '['),
        "```cpp\nvoid scale(int n, const double* x, double " + std::string(7000, '*') + " y) {}\n```\n",
        "```cpp\nvoid scale(int n, const double* x, double " + std::string(3000, '(') + "y" +
            std::string(3000, ')') + ") {}\n```\n",
        "{\"a\":" + std::string(100000, '[') + "1" + std::string(100000, ']') + "}"}) {
    const auto version = read_version(text, mep);
    EXPECT_TRUE(version || !version.error().problem.empty());
    EXPECT_FALSE(read_plan(text));
  }
}

}  // namespace
}  // namespace noctune
