#include "integration/source_edit.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

TEST(SourceEdit, LayoutAndCommentsDoNotCount) {
  EXPECT_EQ(canonical("int  a; // one\n/* two */ int b ;"), canonical("int a;\nint b;"));
  EXPECT_NE(canonical("int a = 1;"), canonical("int a = 2;"));
  EXPECT_NE(canonical("#pragma omp for\nx();"), canonical("x();"));
}

TEST(SourceEdit, EditsKeepTheirOrder) {
  EXPECT_EQ(edited("abcdef", {{4, 5, "X"}, {1, 1, "1"}, {1, 3, "2"}}), "a12dXf");
  EXPECT_EQ(edited("abcdef", {{1, 5, "-"}, {2, 3, "lost"}}), "a-f");
  EXPECT_EQ(edited("abc", {}), "abc");
}

TEST(SourceEdit, OnlyWholeFreeNamesAreReplaced) {
  EXPECT_EQ(
      renamed("f(1); ff(f); a.f = p->f; std::f(x); \"f\"; 'f'; /* f */ // f\n#define G f", {{"f", "g"}}),
      "g(1); ff(g); a.f = p->f; std::f(x); \"f\"; 'f'; /* f */ // f\n#define G g");
  EXPECT_EQ(renamed("1.0f + 0x1f + x1f", {{"f", "g"}}), "1.0f + 0x1f + x1f");
  EXPECT_EQ(uses_of("f(f, \"f\"); // f", "f"), 2u);
}

TEST(SourceEdit, IncludesComeBehindTheLastOne) {
  const std::string text = "// top\n#include <a>\n  # include \"b\"\nint x;\n";
  EXPECT_EQ(include_lines(text), (std::vector<std::string>{"#include <a>", "# include \"b\""}));
  EXPECT_EQ(without_includes(text), "// top\nint x;\n");
  EXPECT_EQ(edited(text, {missing_includes(text, {"#include <a>", "#include <c>"})}),
            "// top\n#include <a>\n  # include \"b\"\n#include <c>\nint x;\n");
  EXPECT_EQ(edited("int x;", {missing_includes("int x;", {"#include <c>"})}), "#include <c>\nint x;");
  EXPECT_EQ(edited("#include <a>", {missing_includes("#include <a>", {"#include <c>"})}),
            "#include <a>\n#include <c>\n");
}

TEST(SourceEdit, CommentsBelongToWhatFollows) {
  const std::string text = "int a;\n\n// one\n// two\nint b;";
  EXPECT_EQ(text.substr(with_comment_above(text, text.find("int b"))), "// one\n// two\nint b;");
  EXPECT_EQ(without_leading_comment("// a\n\n/* b\n c */\n  int x; // d"), "  int x; // d");
  EXPECT_EQ(without_leading_comment("// only"), "");
}

}  // namespace
}  // namespace noctune
