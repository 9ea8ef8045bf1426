// Verbs that are about one hotspot of a campaign.
#pragma once

#include <string>

#include "model/campaign.hpp"

namespace noctune {

// Leaves only the wanted hotspot, so that trouble in others' files is no concern of this one. Throws
// UserError with what was meant where it is unknown.
void keep_only(Campaign& campaign, const std::string& wanted);

}  // namespace noctune
