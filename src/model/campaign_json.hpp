// The campaign's config file: JSON with comments, strict; and the resolved configuration that is stored.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/campaign.hpp"

namespace noctune {

// Reads the file, applies `overrides` ("search.rounds=3"), checks every value. Throws UserError naming file,
// line, key and reason. Paths of hotspots are resolved against the file's folder; whether they exist is
// checked too.
Campaign read_campaign(const std::string& path, const std::vector<std::string>& overrides);
Campaign campaign_from(const JsonDocument& document);

OrderedJson to_json(const Campaign& campaign);

}  // namespace noctune
