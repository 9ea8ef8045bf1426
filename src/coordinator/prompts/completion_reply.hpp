// A model's answer to the request to complete a MEP: one block of JSON, the spec, and blocks of code that say
// which file they are.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/mep_draft.hpp"
#include "model/source_facts.hpp"

namespace noctune {

struct CompletionReply {
  std::string spec;                      // the text of the JSON block
  std::string context, original, entry;  // of the blocks with these names; empty = none
  std::string inputs, check;
  std::vector<std::string> understood, assumed;  // lines of the answer that begin with these words
};

// Fails where the form is not the one that was asked for: the answer may be asked for again.
Result<CompletionReply> read_completion_reply(const std::string& reply);

// What a draft is made against.
struct CompletionGround {
  std::string source;    // as handed in
  std::string original;  // K(0) where the answer gives no other
  SourceFacts facts;     // of the source
  std::vector<std::string> kernels;
};

// The MEP that the answer describes. Fails where the spec is none, or where K(0) is not the source's own code
// any more. Nothing of the answer meets a compiler's parser here.
Result<MepDraft> completion_draft(const CompletionReply& reply, const CompletionGround& ground);

}  // namespace noctune
