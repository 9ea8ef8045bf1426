#include "app/one_hotspot.hpp"

#include "base/json.hpp"

namespace noctune {

void keep_only(Campaign& campaign, const std::string& wanted) {
  std::vector<std::string> names;
  std::string known;
  for (const HotspotConfig& hotspot : campaign.hotspots) {
    names.push_back(hotspot.name);
    known += (known.empty() ? "" : ", ") + hotspot.name;
  }
  std::erase_if(campaign.hotspots, [&](const HotspotConfig& hotspot) { return hotspot.name != wanted; });
  if (!campaign.hotspots.empty()) return;
  const std::string near = closest(wanted, names);
  throw UserError({campaign.config_path + ": there is no hotspot \"" + wanted + "\"",
                   known.empty() ? "it names none" : "it names " + known,
                   near.empty() ? "" : "did you mean \"" + near + "\"?"});
}

}  // namespace noctune
