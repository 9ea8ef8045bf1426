#include "model/campaign_decides_json.hpp"

#include "base/json.hpp"

namespace noctune {
namespace {

constexpr const char* deciding[] = {
    "platform", "mep", "search.repeats", "search.trim", "search.min_gain", "search.confirm_pairs"};

void add(Decisive& out, const std::string& key, const Json& value) {
  if (!value.is_object()) {
    out[key] = value.dump();
    return;
  }
  for (const auto& [name, part] : value.items()) add(out, key + "." + name, part);
}

}  // namespace

Decisive decisive_settings(const Campaign& campaign) {
  const Json all = Json::parse(campaign.resolved_json);
  Decisive out;
  for (const std::string key : deciding) {
    const Json* at = &all;
    for (std::size_t from = 0; at && from <= key.size();) {
      const std::size_t dot = std::min(key.find('.', from), key.size());
      const auto found = at->find(key.substr(from, dot - from));
      at = found == at->end() ? nullptr : &*found;
      from = dot + 1;
    }
    if (at) add(out, key, *at);
  }
  return out;
}

std::string differences(const Decisive& before, const Decisive& now) {
  std::string out;
  for (const auto& [key, value] : now) {
    const auto old = before.find(key);
    if (old == before.end() || old->second == value) continue;
    out += (out.empty() ? "" : "\n") + key + ": " + old->second + " before, " + value + " now";
  }
  return out;
}

}  // namespace noctune
