// check.cpp for a MEP of the corpus: the entry's reference behind a function that hands it every parameter by
// name.
#pragma once

#include <string>

#include "model/mep_spec.hpp"
#include "model/source_facts.hpp"

namespace noctune {

// Members of structs go by "domain.nx". `reference` is the text of the entry's reference.cpp; `facts` are the
// source's, whose parameters a launch of the spec's sequence makes known as well.
std::string check_by_reference(const MepSpec& spec, const std::string& reference,
                               const SourceFacts& facts = {});

}  // namespace noctune
