#include "app/command_docs.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <sstream>

#include "app/command_line.hpp"
#include "base/files.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::UnorderedElementsAre;

class CommandDocs : public ::testing::Test {
 protected:
  CommandDocs() { add_commands(app_, options_, limit_); }

  std::vector<std::string> commands() const {
    std::vector<std::string> out;
    for (const CLI::App* command : static_cast<const CLI::App&>(app_).get_subcommands({}))
      out.push_back(command->get_name());
    return out;
  }

  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = (folder_.path() / name).string();
    value_or_throw(write_file(path, text));
    return path;
  }

  // What a shell command prints; its exit code must be 0.
  std::string printed(const std::string& command) const {
    const std::string out = (folder_.path() / "out").string();
    EXPECT_EQ(std::system((command + " >" + out + " 2>&1").c_str()), 0) << value_or_throw(read_file(out));
    return value_or_throw(read_file(out));
  }

  // What bash offers when the cursor stands behind the last of these words.
  std::vector<std::string> offered(const std::string& words) const {
    const std::string script = file("complete.sh", bash_completion(app_) + "COMP_WORDS=(" + words +
                                                       "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _noctune\n"
                                                       "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    std::vector<std::string> out;
    std::istringstream lines(printed("bash " + script));
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) out.push_back(line);
    return out;
  }

  static bool has(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
  }

  Options options_;
  std::string limit_;
  CLI::App app_;
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

TEST_F(CommandDocs, BashOffersEveryCommand) {
  EXPECT_GE(commands().size(), 13U);
  EXPECT_THAT(offered("noctune ''"), IsSupersetOf(commands()));
  EXPECT_THAT(offered("noctune re"), UnorderedElementsAre("report", "rebuild", "relay"));
}

TEST_F(CommandDocs, BashOffersOptionsTheirValuesAndElseFiles) {
  EXPECT_THAT(offered("noctune tune --o"), UnorderedElementsAre("--output", "--on-wait"));
  EXPECT_THAT(offered("noctune tune c.json --on-wait ''"), UnorderedElementsAre("wait", "exit"));
  EXPECT_TRUE(offered("noctune report ''").empty());
}

TEST_F(CommandDocs, TheManPageHasEveryCommandAndOption) {
  const std::string page = man_page(app_, "1.2.3", "2026-11-30");
  EXPECT_THAT(page, HasSubstr("\"noctune 1.2.3\""));
  for (const std::string& command : commands()) EXPECT_THAT(page, HasSubstr("\n.SS " + command + "\n"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-time\\-limit\\fR \\fIvalue\\fR"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-on\\-wait\\fR wait|exit"));
}

TEST_F(CommandDocs, TheManPageIsAcceptedWithoutWarnings) {
  const std::string path = file("noctune.1", man_page(app_, "1.2.3", "2026-11-30"));
  if (!has("groff") && !has("mandoc")) GTEST_SKIP() << "neither groff nor mandoc";
  if (has("groff")) {
    EXPECT_EQ(printed("groff -ww -man -Tascii -z " + path), "");
  }
  if (has("mandoc")) {
    EXPECT_EQ(printed("mandoc -T lint -W warning " + path), "");
  }
}

TEST_F(CommandDocs, ZshReadsItsCompletion) {
  const std::string text = zsh_completion(app_);
  for (const std::string& command : commands()) EXPECT_THAT(text, HasSubstr("\n    " + command + ")\n"));
  if (!has("zsh")) GTEST_SKIP() << "no zsh";
  EXPECT_EQ(printed("zsh -n " + file("_noctune", text)), "");
}

}  // namespace
}  // namespace noctune
