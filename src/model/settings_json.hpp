// Codecs of the settings structs, shared by the config file and the messages to evaluators.
#pragma once

#include <nlohmann/json.hpp>

#include "model/campaign.hpp"

namespace noctune {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SearchSettings, strategy, rounds, candidates, repeats, trim, repairs,
                                   min_gain, patience, confirm_top, confirm_pairs, energy, profile, seed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MepLimits, t_min_ms, t_max_s, s_max_mb)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlatformSettings, backend, compiler, flags, architecture, allow_libraries,
                                   threads, flush_mb)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LimitSettings, build_s, build_factor, run_s, run_factor, memory_mb,
                                   output_kb)

}  // namespace noctune
