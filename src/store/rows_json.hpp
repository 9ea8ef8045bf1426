// Rows as journal records: column name to value.
#pragma once

#include "base/json.hpp"
#include "store/rows.hpp"

namespace noctune {

Json to_json(const HotspotRow& row);
Json to_json(const CaseRow& row);
Json to_json(const DeviceRow& row);
Json to_json(const ArmRow& row);
HotspotRow hotspot_from_json(const Json& json);

}  // namespace noctune
