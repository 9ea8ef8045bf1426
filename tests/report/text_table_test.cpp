#include "report/text_table.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

TEST(TextTable, CountsCharactersNotBytes) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("gr\xc3\xb6\xc3\x9f"
                          "e"),
            5u);
}

TEST(TextTable, ShortensAtWholeCharacters) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("longer text", 8), "longe...");
  EXPECT_EQ(shortened("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4", 4), "\xc3\xa4...");
  EXPECT_EQ(shortened("text", 2), "..");
  EXPECT_EQ(shortened("text", 0), "");
}

TEST(TextTable, WrapsAtSpaces) {
  EXPECT_EQ(wrapped("", 10, 2), "");
  EXPECT_EQ(wrapped("one two", 10, 2), "one two");
  EXPECT_EQ(wrapped("one two three", 8, 2), "one two\n  three");
  EXPECT_EQ(wrapped("a\nb", 8, 2), "a b");
  for (const char* text : {"averyveryverylongword", "a averyveryverylongword b", "x  y"}) {
    const std::string out = wrapped(text, 12, 4);
    std::size_t start = 0;
    while (start < out.size()) {
      const std::size_t end = std::min(out.find('\n', start), out.size());
      EXPECT_LE(end - start, 12u) << out;
      start = end + 1;
    }
  }
}

TEST(TextTable, AlignsColumnsAndCutsLines) {
  TextTable table({Align::left, Align::right, Align::left});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.text(2, 80), "");
  table.add({"name", "n", "note"});
  table.add({"\xc3\xa4", "10", "first\nsecond"});
  table.add({"longer", "7", ""});
  EXPECT_EQ(table.text(2, 80), "  name     n  note\n  \xc3\xa4       10  first second\n  longer   7\n");
  EXPECT_EQ(table.text(0, 12), "name     ...\n\xc3\xa4       1...\nlonger   7\n");
}

}  // namespace
}  // namespace noctune
