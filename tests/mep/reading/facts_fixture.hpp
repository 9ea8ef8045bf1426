// What tests of the reader look up in facts.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "mep/reading/read_source.hpp"

namespace noctune {

inline const SourceFunction& function_of(const SourceFacts& facts, const std::string& name) {
  static const SourceFunction none;
  const SourceFunction* found = facts.function(name);
  EXPECT_NE(found, nullptr) << "no function " << name;
  return found ? *found : none;
}

inline std::string kind_text(SourceAccess::Kind kind) {
  switch (kind) {
    case SourceAccess::Kind::read:
      return "read";
    case SourceAccess::Kind::write:
      return "write";
    case SourceAccess::Kind::update:
      return "update";
    case SourceAccess::Kind::atomic:
      return "atomic";
  }
  return "";
}

// "write x[i].y via helper"
inline std::string text_of(const SourceAccess& access) {
  return kind_text(access.kind) + " " + access.array + "[" + access.index + "]" +
         (access.member.empty() ? "" : "." + access.member) +
         (access.callee.empty() ? "" : " via " + access.callee);
}

inline std::vector<std::string> accesses_of(const SourceFunction& function) {
  std::vector<std::string> texts;
  for (const SourceAccess& access : function.accesses) texts.push_back(text_of(access));
  return texts;
}

// The accesses of the only kernel or function `f` of a source.
inline std::vector<std::string> accesses_in(const std::string& source) {
  return accesses_of(function_of(read_source(source), "f"));
}

inline bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

inline std::string all_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += "\n  " + text;
  return out;
}

}  // namespace noctune
