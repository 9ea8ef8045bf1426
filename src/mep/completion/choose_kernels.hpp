// Which functions of the source the MEP is about, and how the host calls them.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/mep_draft.hpp"
#include "model/source_facts.hpp"

namespace noctune {

struct ChosenKernels {
  std::vector<const SourceFunction*> kernels;  // in the order of their first call
  std::vector<SourceLaunch> launches;          // of these, in order; empty where nobody shows a call
  std::string launch_text;                     // what the launches' offsets refer to
  std::vector<std::string> assumed;
};

// `facts` must outlive the result. Fails where there is no kernel, where several could be meant, or where
// one needs what no rule makes up (textures, functors, pointers to pointers).
Result<ChosenKernels> choose_kernels(const CompletionInput& input, const SourceFacts& facts);

}  // namespace noctune
