// docs/campaign.md names every key that a campaign file may hold, no other, and the defaults that the code
// has.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "base/files.hpp"
#include "model/campaign_json.hpp"
#include "places.hpp"

namespace noctune {
namespace {

using Keys = std::set<std::string>;
using Defaults = std::map<std::string, std::string>;  // key -> cell of the column "default"

// A key that is close to no other: the message then lists those that are known.
const std::string stranger = "0123456789012345678901234567890123456789";

// What stands in backticks, piece by piece.
std::vector<std::string> in_backticks(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream parts(text);
  std::string part;
  for (bool inside = false; std::getline(parts, part, '`'); inside = !inside)
    if (inside) out.push_back(part);
  return out;
}

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> out;
  std::istringstream parts(row);
  std::string part;
  while (std::getline(parts, part, '|')) out.push_back(part);
  return out;
}

// Of every section of the page, by its heading ("" = top level): the rows of its table.
std::map<std::string, Defaults> page() {
  std::map<std::string, Defaults> out;
  std::istringstream lines(value_or_throw(read_file(NOCTUNE_SOURCE_DIR "/docs/campaign.md")));
  std::string line, section;
  while (std::getline(lines, line)) {
    if (line.starts_with("## ")) section = line == "## Top level" ? "" : in_backticks(line).at(0);
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> row = cells(line);
    for (const std::string& key : in_backticks(row.at(1)))
      EXPECT_TRUE(out[section].emplace(key, row.at(3)).second)
          << section << "." << key << " stands there twice";
  }
  return out;
}

class CampaignPage : public ::testing::Test {
 protected:
  CampaignPage() {
    value_or_throw(write_file(folder_.path() / "k.cpp", "extern \"C\" void k() {}"));
    value_or_throw(write_file(folder_.path() / "k.mep.json", "{}"));
  }

  Campaign read(const std::string& text) {
    value_or_throw(write_file(folder_.path() / "c.json", text));
    return read_campaign((folder_.path() / "c.json").string(), {});
  }

  // The keys that the reader asked for in the object with the stranger.
  Keys known(const std::string& text) {
    try {
      read(text);
    } catch (const UserError& error) {
      const std::string message = error.what(), mark = "known keys: ";
      const auto at = message.find(mark);
      EXPECT_NE(at, std::string::npos) << message;
      if (at == std::string::npos) return {};
      Keys out;
      std::istringstream list(message.substr(at + mark.size()));
      for (std::string key; std::getline(list >> std::ws, key, ',');) out.insert(key);
      return out;
    }
    ADD_FAILURE() << "accepted: " << text;
    return {};
  }

  static std::string campaign(const std::string& more, const std::string& hotspot = "") {
    return "{" + more + "\"hotspots\": [{\"source\": \"k.cpp\"" + hotspot + "}]}";
  }
  static std::string section(const std::string& name) {
    return campaign("\"" + name + "\": {" + odd() + "},");
  }
  static std::string model(const std::string& more) {
    return campaign("\"model\": {\"provider\": \"openai\", \"models\": [\"m\"], " + more + "},");
  }
  static std::string application(const std::string& more) {
    return campaign(
        "\"applications\": [{\"name\": \"a\", \"directory\": \".\", \"build\": \"b\", \"run\": \"r\", " +
        more + "}],");
  }
  static std::string metric(const std::string& more) {
    return application("\"metric\": {" + more + ", " + odd() + "}");
  }
  static std::string odd() { return "\"" + stranger + "\": 1"; }

  std::map<std::string, Keys> of_the_code() {
    std::map<std::string, Keys> out;
    out[""] = known(campaign(odd() + ","));
    for (const char* name : {"search", "mep", "platform", "limits", "patterns"})
      out[name] = known(section(name));
    out["model"] = known(model(odd()));
    out["model.prices"] = known(model("\"prices\": {" + odd() + "}"));
    out["model.prices.models.NAME"] = known(model("\"prices\": {\"models\": {\"m\": {" + odd() + "}}}"));
    out["model.budget"] = known(model("\"budget\": {" + odd() + "}"));
    out["applications[]"] = known(application(odd()));
    for (const char* from :
         {R"("from": "wall")", R"x("from": "output", "pattern": "(.)", "better": "lower")x",
          R"("from": "csv", "file": "f", "column": "c", "better": "lower")",
          R"("from": "hdf5", "file": "f", "dataset": "d", "better": "lower")"})
      out["applications[].metric"].merge(known(metric(from)));
    out["hotspots[]"] = known(campaign("", ", " + odd()));
    out["hotspots[].integrate"] =
        known(campaign("", R"(, "integrate": {"application": "a", "file": "f", )" + odd() + "}"));
    return out;
  }

  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

TEST_F(CampaignPage, NamesEveryKeyAndNoOther) {
  std::map<std::string, Keys> named;
  for (const auto& [section, rows] : page())
    for (const auto& [key, ignored] : rows) named[section].insert(key);
  EXPECT_EQ(named, of_the_code());
}

// Of a resolved campaign: the object that a section of the page speaks of.
const Json* part_of(const Json& resolved, const std::string& section) {
  const Json* at = &resolved;
  std::istringstream path(section);
  for (std::string step; std::getline(path, step, '.');) {
    const bool list = step.ends_with("[]");
    const auto found = at->find(list ? step.substr(0, step.size() - 2) : step);
    if (found == at->end()) return nullptr;
    at = list ? &found->front() : &*found;
  }
  return at;
}

TEST_F(CampaignPage, DefaultsAreThoseOfTheCode) {
  // Two readings, since a model section changes who proposes.
  const Json plain = Json::parse(read(R"({
    "applications": [{"name": "a", "directory": ".", "build": "b", "run": "r"}],
    "hotspots": [{"source": "k.cpp", "integrate": {"application": "a", "file": "f"}}]})")
                                     .resolved_json);
  const Json asking = Json::parse(read(model("\"local\": false")).resolved_json);
  int compared = 0;
  for (const auto& [section, rows] : page())
    for (const auto& [key, cell] : rows) {
      const Json* part = part_of(section.starts_with("model") ? asking : plain, section);
      if (in_backticks(cell).empty() || cell.find("needed") != std::string::npos) continue;
      const Json stated = Json::parse(in_backticks(cell)[0], nullptr, false);
      if (stated.is_discarded()) continue;
      ++compared;
      if (part && part->contains(key))
        EXPECT_EQ((*part)[key], stated) << section << "." << key;
      else
        EXPECT_TRUE(stated.empty() || stated == "" || stated == 0 || stated == "USD")
            << section << "." << key;
    }
  EXPECT_GE(compared, 50);
}

}  // namespace
}  // namespace noctune
