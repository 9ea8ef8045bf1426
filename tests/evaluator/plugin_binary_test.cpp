#include "evaluator/plugin_binary.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/files.hpp"

namespace noctune {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class PluginBinaryTest : public ::testing::Test {
 protected:
  std::string build(const std::string& name, const std::string& source) {
    value_or_throw(write_file(folder_.path() / (name + ".cpp"), source));
    const std::string file = (folder_.path() / (name + ".so")).string();
    const std::string command =
        "g++ -O2 -shared -fPIC -o " + file + " " + (folder_.path() / (name + ".cpp")).string();
    EXPECT_EQ(std::system(command.c_str()), 0);
    return file;
  }
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

TEST_F(PluginBinaryTest, NamesWhatItOffersAndNeeds) {
  const auto binary =
      read_plugin_binary(build("a", "#include <cstdio>\nextern \"C\" void run() { std::puts(\"x\"); }"));
  ASSERT_TRUE(binary) << binary.error().text();
  EXPECT_THAT(binary->defined, Contains("run"));
  EXPECT_THAT(binary->undefined, Contains("puts"));
}

TEST_F(PluginBinaryTest, HashesTheCodeAndNothingElse) {
  const auto a = read_plugin_binary(build("a", "extern \"C\" int f(int x) { return x + 1; }"));
  const auto same =
      read_plugin_binary(build("b", "// other text\nextern \"C\" int f(int y) { return 1 + y; }"));
  const auto other = read_plugin_binary(build("c", "extern \"C\" int f(int x) { return x + 2; }"));
  ASSERT_TRUE(a && same && other);
  EXPECT_EQ(a->code_sha, same->code_sha);
  EXPECT_NE(a->code_sha, other->code_sha);
  const auto sine = read_plugin_binary(
      build("d", "#include <cmath>\nextern \"C\" double f(double x) { return std::sin(x); }"));
  const auto cosine = read_plugin_binary(
      build("e", "#include <cmath>\nextern \"C\" double f(double x) { return std::cos(x); }"));
  const auto four = read_plugin_binary(build("g", "int t = 4;\nextern \"C\" int f(int x) { return x + t; }"));
  const auto five = read_plugin_binary(build("h", "int t = 5;\nextern \"C\" int f(int x) { return x + t; }"));
  ASSERT_TRUE(sine && cosine && four && five);
  EXPECT_NE(sine->code_sha, cosine->code_sha);
  EXPECT_NE(four->code_sha, five->code_sha);
}

TEST_F(PluginBinaryTest, SeesWhatAPluginAsksOfItsProcess) {
  const auto needs = [&](const std::string& name, const std::string& source) {
    return value_or_throw(read_plugin_binary(build(name, source))).undefined;
  };
  EXPECT_THAT(needs("a", "asm(\".section .note.GNU-stack,\\\"x\\\",@progbits\\n .text\");"),
              Contains("[executable stack]"));
  EXPECT_THAT(needs("b", "asm(\".section .own,\\\"awx\\\",@progbits\\n .zero 8\\n .text\");"),
              Contains("[writable code]"));
  EXPECT_THAT(needs("c",
                    "extern \"C\" { void f() {} static void (*choose())() { return f; }\n"
                    "void g() __attribute__((ifunc(\"choose\"))); }"),
              Contains("[indirect functions]"));
  EXPECT_THAT(
      needs("d", "#include <cstddef>\nextern \"C\" void* malloc(std::size_t) noexcept { return nullptr; }"),
      Contains("[own malloc]"));
  EXPECT_THAT(needs("e", "static int table[3] = {1, 2, 3};\nextern \"C\" int f(int x) { return table[x]; }"),
              Not(Contains(HasSubstr("["))));
}

TEST_F(PluginBinaryTest, RefusesWhatIsNoPlugin) {
  const auto path = folder_.path() / "x.so";
  for (const std::string& content :
       {std::string(), std::string("text"), std::string("\177ELF") + std::string(100, '\xff')}) {
    value_or_throw(write_file(path, content));
    EXPECT_FALSE(read_plugin_binary(path));
  }
  EXPECT_FALSE(read_plugin_binary(folder_.path() / "absent.so"));
}

TEST_F(PluginBinaryTest, SurvivesEveryTruncation) {
  const std::string file = build("a", "extern \"C\" int f(int x) { return x + 1; }");
  const std::string whole = value_or_throw(read_file(file));
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    value_or_throw(write_file(folder_.path() / "cut.so", whole.substr(0, length)));
    (void)read_plugin_binary(folder_.path() / "cut.so");  // must not crash; the sanitizers watch
  }
  SUCCEED();
}

}  // namespace
}  // namespace noctune
