// Kernels that are launched inside larger functions: the launches become calls of the winner's entry.
#pragma once

#include "integration/placer.hpp"
#include "integration/winner_parts.hpp"
#include "model/source_facts.hpp"

namespace noctune {

// The arguments of the entry follow from K(0)'s own launches and those in the file, place by place; one that
// does not follow is an error.
Result<Placed> place_at_launches(const PlaceRequest& request, const SourceFacts& file,
                                 const WinnerParts& winner);

}  // namespace noctune
