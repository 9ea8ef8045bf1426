#include "llm/sse.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace noctune {
namespace {

using Events = std::vector<std::string>;

// In pieces that end at the given places.
Events read(const std::string& bytes, const std::vector<std::size_t>& ends) {
  Events out;
  SseParser parser([&](const SseEvent& event) { out.push_back(event.name + "|" + event.data); });
  std::size_t at = 0;
  for (const std::size_t end : ends) {
    EXPECT_TRUE(parser.feed(std::string_view(bytes).substr(at, end - at)));
    at = end;
  }
  EXPECT_TRUE(parser.feed(std::string_view(bytes).substr(at)));
  return out;
}

TEST(SseTest, ReadsFieldsCommentsAndSeveralLines) {
  EXPECT_EQ(read("data: a\n\n: note\n\ndata:b\ndata: c\n\nevent: x\ndata\n\n", {}),
            (Events{"|a", "|b\nc", "x|"}));
  EXPECT_EQ(read("data:  two\n\n", {}), Events{"| two"});
  EXPECT_EQ(read("id: 1\nretry: 5\nunknown: y\nevent: alone\n\ndata: a\n\n", {}), Events{"|a"});
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "data: a\n\n",
                 {}),
            Events{"|a"});
}

TEST(SseTest, AnUnfinishedEventIsNone) {
  EXPECT_EQ(read("data: a\n\ndata: b\n", {}), Events{"|a"});
  EXPECT_EQ(read("data: a", {}), Events{});
}

TEST(SseTest, LinesEndInThreeWaysAndSplitAnywhere) {
  const Events wanted{"e|a\nb", "|\xE2\x82\xAC"};
  for (const std::string line_end : {"\n", "\r\n", "\r"}) {
    std::string bytes;
    for (const char* line : {"event: e", "data: a", ": c", "data:b", "", "data: \xE2\x82\xAC", ""})
      bytes += line + line_end;
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) EXPECT_EQ(read(bytes, {cut}), wanted) << cut;
    std::vector<std::size_t> every(bytes.size());
    for (std::size_t i = 0; i < every.size(); ++i) every[i] = i + 1;
    EXPECT_EQ(read(bytes, every), wanted);
  }
}

TEST(SseTest, RandomBytesInRandomPiecesReadLikeTheWhole) {
  std::mt19937 random(7);
  const std::string letters = "data: event:x\r\n\r\n\n::{}";
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 60, ' ');
    for (char& c : bytes) c = letters[random() % letters.size()];
    std::vector<std::size_t> ends;
    for (std::size_t at = random() % 7; at < bytes.size(); at += 1 + random() % 9) ends.push_back(at);
    ASSERT_EQ(read(bytes, ends), read(bytes, {})) << bytes;
  }
}

TEST(SseTest, EventsAndLinesAreCapped) {
  int events = 0;
  SseParser lines([&](const SseEvent&) { ++events; }, 100);
  EXPECT_TRUE(lines.feed("data: " + std::string(80, 'x') + "\n"));
  EXPECT_FALSE(lines.feed("data: " + std::string(80, 'x') + "\n\n"));
  EXPECT_FALSE(lines.feed("data: a\n\n"));
  SseParser endless([&](const SseEvent&) { ++events; }, 100);
  EXPECT_FALSE(endless.feed(std::string(101, 'x')));
  EXPECT_EQ(events, 0);
}

}  // namespace
}  // namespace noctune
