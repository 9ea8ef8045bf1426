// What is accepted, mended or not, must be what compilers accept.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files.hpp"
#include "coordinator/prompts/replies.hpp"
#include "coordinator/prompts/version.hpp"
#include "mep/driver_sources.hpp"

namespace noctune {
namespace {

TEST(AcceptedReplies, Compile) {
  const MepSource mep = scale_mep();
  const auto folder = ScratchFolder::make("replies");
  ASSERT_TRUE(folder);
  ASSERT_TRUE(write_file(folder->path() / "context.hpp", context_header(mep.spec)));
  std::string command =
      "cd '" + folder->path().string() + "' && c++ -fopenmp -fsyntax-only -include context.hpp";
  int accepted = 0;
  for (const ReplyCase& one : reply_cases()) {
    const auto version = read_version(one.text, mep);
    if (!version) continue;
    ASSERT_TRUE(write_file(folder->path() / (one.name + ".cpp"), version->source));
    command += " " + one.name + ".cpp";
    ++accepted;
  }
  EXPECT_GE(accepted, 40);
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace noctune
