// The `model` section of a campaign file: which language model, the way to it, its prices and the caps.
#pragma once

#include <filesystem>

#include "base/json.hpp"
#include "model/campaign.hpp"

namespace noctune {

// Complains, with file and line, about what it does not understand. Paths are taken from `folder`.
ModelSettings read_model_settings(StrictReader reader, const std::filesystem::path& folder);
// Empty where there is no model.
OrderedJson to_json(const ModelSettings& settings);

}  // namespace noctune
