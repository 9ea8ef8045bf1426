// Answers as models give them, and the MEP they are about.
#pragma once

#include <string>
#include <vector>

#include "model/task.hpp"

namespace noctune {

// scale(int n, const double* x, double* y): y = 2 x.
MepSource scale_mep();

struct ReplyCase {
  std::string name, text;
  bool ok = false;
  std::string has, note, flags, patterns, lacks;  // empty: not looked at
};
// tests/data/replies, as expected.txt lists them.
std::vector<ReplyCase> reply_cases();

}  // namespace noctune
