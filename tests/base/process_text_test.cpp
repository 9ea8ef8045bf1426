#include <gtest/gtest.h>
#include <signal.h>

#include "base/process_types.hpp"

namespace noctune {
namespace {

using End = ChildOutcome::End;

ChildOutcome ended(End end, double seconds = 0.3) {
  ChildOutcome outcome;
  outcome.end = end;
  outcome.seconds = seconds;
  return outcome;
}

TEST(Describe, EveryEndHasItsWords) {
  EXPECT_EQ(describe(ended(End::exited)), "exited with 0 after 0.30 s");
  ChildOutcome outcome = ended(End::exited, 12.4);
  outcome.exit_code = 3;
  EXPECT_EQ(describe(outcome), "exited with code 3 after 12 s");
  outcome = ended(End::signalled);
  outcome.signal = SIGSEGV;
  EXPECT_EQ(describe(outcome), "was killed by signal 11 (Segmentation fault) after 0.30 s");
  EXPECT_EQ(describe(ended(End::deadline, 2)), "was stopped at its deadline after 2.00 s");
  outcome = ended(End::memory);
  outcome.peak_bytes = 512LL << 20;
  EXPECT_EQ(describe(outcome), "used more memory than allowed (512 MiB) and was killed after 0.30 s");
  EXPECT_EQ(describe(ended(End::output_limit)), "wrote more output than allowed and was killed after 0.30 s");
  EXPECT_EQ(describe(ended(End::cancelled)), "was cancelled after 0.30 s");
  outcome = ended(End::not_started);
  outcome.reason = "g++: No such file or directory";
  EXPECT_EQ(describe(outcome), "could not be started: g++: No such file or directory");
  EXPECT_EQ(describe(ended(End::helper_lost)), "was lost with the sandbox helper");
}

TEST(Describe, MentionsWhatWasLeftBehind) {
  ChildOutcome outcome = ended(End::exited);
  outcome.left_processes = true;
  EXPECT_EQ(describe(outcome), "exited with 0 after 0.30 s, leaving processes behind");
}

TEST(Printable, KeepsTextAsItIs) {
  const std::string text = "a\tb\nc \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80";
  EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("50%\r60%\r\n"), "50%\\x0d60%\n");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u{9b}31m");  // the one-character form of escape-bracket
}

TEST(Printable, EscapesWhatReordersOrHides) {
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\u{202e}");
  EXPECT_EQ(printable("\xe2\x81\xa6"), "\\u{2066}");
  EXPECT_EQ(printable("\xe2\x80\x8b"), "\\u{200b}");
  EXPECT_EQ(printable("\xef\xbb\xbf"), "\\u{feff}");
  EXPECT_EQ(printable("\xf3\xa0\x81\x81"), "\\u{e0041}");
}

TEST(Printable, EscapesBrokenUtf8ByteByByte) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xc3"), "\\xc3");  // cut short
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");  // overlong
  EXPECT_EQ(printable("\xe0\x80\x80"), "\\xe0\\x80\\x80");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond Unicode
  EXPECT_EQ(printable("\xc3(a"), "\\xc3(a");
}

}  // namespace
}  // namespace noctune
