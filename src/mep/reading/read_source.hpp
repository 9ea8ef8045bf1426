// Reads isolated CUDA, HIP, C and C++ kernel sources that need not compile: types, macros and headers may be
// missing. Never fails; what cannot be understood is a problem in the facts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/source_facts.hpp"

namespace noctune {

// `defines` decide #if and #ifdef, together with the source's own macros; of what stays undecided the first
// branch is read.
SourceFacts read_source(const std::string& source, const std::map<std::string, std::string>& defines = {});

// The launches of a snippet of host code, with the loops around them; `facts` say which functions may be
// called.
std::vector<SourceLaunch> read_call_site(const std::string& snippet, const SourceFacts& facts);

}  // namespace noctune
