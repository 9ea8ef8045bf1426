// What a model has been found to refuse, and how its requests are changed because of that.
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/json.hpp"

namespace noctune {

struct ParameterFixes {
  std::set<std::string> dropped;               // top-level keys; "cache_control" wherever it stands
  std::map<std::string, std::string> renamed;  // max_tokens to max_completion_tokens and back
  int output_cap = 0;                          // the most that the model allows; 0: not known
};

// Learns from a refusal of `body`: `param` as the provider named it, else the first of our parameters that
// its message names. False where nothing is left to be changed.
bool learn_from(ParameterFixes& fixes, const OrderedJson& body, const std::string& param,
                const std::string& message);
// The output cap with which a prompt of about so many tokens fits, where a refusal names the model's whole
// context ("maximum context length is 8192 tokens"); 0 where it names none or too little would be left.
int cap_within_context(const std::string& message, long long prompt_tokens, int asked);
void apply_fixes(const ParameterFixes& fixes, OrderedJson& body);

}  // namespace noctune
