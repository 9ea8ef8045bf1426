// What the patterns of the rules say: the change in general, what goes wrong, and what the rule requires.
#pragma once

#include <map>
#include <string>

namespace noctune {

struct RuleText {
  std::map<std::string, std::string> when;
  std::string what, pitfalls;
};

// By the rule's name in the catalogue; an unknown one has texts that say so.
RuleText rule_text(const std::string& rule);

}  // namespace noctune
