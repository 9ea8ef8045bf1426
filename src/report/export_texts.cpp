#include "report/export_texts.hpp"

#include <cmath>

#include "base/json.hpp"
#include "base/text.hpp"
#include "report/lineage.hpp"
#include "report/report_style.hpp"

namespace noctune {
namespace {

OrderedJson object_of(const std::string& text) {
  OrderedJson out = OrderedJson::parse(text, nullptr, false);
  return out.is_object() ? out : OrderedJson::object();
}

// The settings that decide what is measured. Models, arms and libraries of patterns stay behind.
OrderedJson kept_settings(const OrderedJson& config) {
  OrderedJson out = OrderedJson::object();
  for (const char* section : {"search", "mep", "platform", "limits"})
    if (config.contains(section) && config[section].is_object()) out[section] = config[section];
  return out;
}

OrderedJson hotspot_of(const OrderedJson& config, const ExportFacts& facts) {
  OrderedJson out{{"name", facts.hotspot->name},
                  {"source", "mep/" + facts.original_name},
                  {"entry", facts.hotspot->entry},
                  {"mep", "mep/mep.json"}};
  if (facts.has_context) out["context"] = "mep/context.hpp";
  if (!config.contains("hotspots") || !config["hotspots"].is_array()) return out;
  for (const OrderedJson& one : config["hotspots"]) {
    if (!one.is_object() || one.value("name", OrderedJson()) != facts.hotspot->name) continue;
    for (const char* key : {"flags", "allow_libraries"})
      if (one.contains(key)) out[key] = one[key];
  }
  return out;
}

std::string setting(const OrderedJson& config, const char* section, const char* key) {
  if (!config.contains(section) || !config[section].is_object() || !config[section].contains(key)) return "?";
  const OrderedJson& value = config[section][key];
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string joined(const OrderedJson& list) {
  std::string out;
  if (list.is_array())
    for (const OrderedJson& one : list)
      if (one.is_string()) out += (out.empty() ? "" : " ") + one.get<std::string>();
  return out;
}

std::string result_lines(const ExportFacts& facts) {
  const ReportHotspot& hotspot = *facts.hotspot;
  if (!facts.winner)
    return "No version was confirmed as faster than the original (verdict: " + hotspot.verdict +
           "), so the program is exported alone.\n";
  return "**" + factor(hotspot.speedup) + "** (95 % interval " + interval(hotspot.low, hotspot.high) +
         "): " + duration_text(hotspot.baseline_time) + " a call for the original, " +
         duration_text(hotspot.best_time) +
         " for the winner, on the first timed case. Over several timed cases the speed-up is their weighted\n"
         "geometric mean.\n\n"
         "What changed: " +
         change_text(*facts.winner) + " (candidate " + std::to_string(facts.winner->id) + ", proposed by " +
         facts.winner->proposer + " in round " + std::to_string(facts.winner->round) + ").\n" +
         (facts.winner->flags.empty() ? ""
                                      : "It was built with further flags: `" + facts.winner->flags + "`.\n") +
         (std::isfinite(hotspot.integrated)
              ? "\nInside the application: " + factor(hotspot.integrated) + ".\n"
              : "\nThis is the speed-up of the kernel alone. It was not measured inside the application.\n");
}

std::string again_lines(const ExportFacts& facts) {
  if (!facts.winner) return "    noctune tune campaign.json\n";
  return "    noctune try campaign.json " + facts.hotspot->name + " " + facts.winner_name +
         (facts.winner->flags.empty() ? "" : " --flags='" + facts.winner->flags + "'") +
         "\n\n"
         "builds both versions, checks the winner's outputs against the original's and times them in turns. "
         "It\n"
         "needs no model and no network. Change `platform` in campaign.json for another machine.\n\n"
         "To take the winner over, copy " +
         facts.winner_name + " or apply the patch: `patch mep/" + facts.original_name + " winner.patch`.\n";
}

std::string device_lines(const ReportData& data) {
  std::string out;
  for (const ReportDevice& device : data.devices) {
    const std::string line = "- " + device.name + " (" + device.backend + "), " +
                             (device.compiler_version.empty() ? device.compiler : device.compiler_version) +
                             "\n";
    if (out.find(line) == std::string::npos) out += line;
  }
  return out;
}

std::string case_lines(const ReportData& data, const ReportHotspot& hotspot) {
  std::string out;
  for (const ReportCase& one : data.cases)
    if (one.hotspot == hotspot.id)
      out +=
          "- " + one.name + " (" + one.use + ", weight " + fixed(one.weight, 2) + "): `" + one.sizes + "`\n";
  return out;
}

}  // namespace

std::string export_campaign(const ExportFacts& facts) {
  const OrderedJson config = object_of(facts.config);
  OrderedJson out{{"name", facts.hotspot->name}};
  out.update(kept_settings(config));
  out["proposers"] = {"rules"};
  out["hotspots"] = OrderedJson::array({hotspot_of(config, facts)});
  return out.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string export_readme(const ReportData& data, const ExportFacts& facts) {
  const OrderedJson config = object_of(facts.config);
  const auto platform = config.contains("platform") && config["platform"].is_object() ? config["platform"]
                                                                                      : OrderedJson::object();
  std::string out = "# " + facts.hotspot->name + "\n\n" + result_lines(facts) + "\n## Measure it again\n\n" +
                    again_lines(facts);
  if (!facts.data_files.empty()) {
    out += "\nThe program reads data that the results file does not hold. Copy them into `mep/` first:\n\n";
    for (const std::string& file : facts.data_files) out += "- `" + file + "`\n";
  }
  out +=
      "\n## How it was measured\n\nBy Noctune " + data.version + ", campaign " + data.campaign + " (" +
      data.uuid + "), started " + data.started + ", on\n\n" + device_lines(data) + "\nwith `" +
      setting(config, "platform", "compiler") + " " +
      joined(platform.contains("flags") ? platform["flags"] : OrderedJson()) + "`. Cases:\n\n" +
      case_lines(data, *facts.hotspot) +
      "\nThe winner's outputs were compared with the original's within the tolerance that `mep/mep.json` and "
      "the\nnumber of accumulated terms give: equivalence was checked, not proven. For the speed-up, "
      "original "
      "and\nwinner ran in turns in " +
      setting(config, "search", "confirm_pairs") + " fresh pairs of processes with " +
      setting(config, "search", "repeats") + " samples a side each; of every side the\n" +
      setting(config, "search", "trim") +
      " lowest and highest were dropped and the rest averaged. The interval is Student's t over\nthe pairs' "
      "log ratios.\n\n## Files\n\n";
  if (facts.winner)
    out += "- `" + facts.winner_name + "`: the winner\n- `winner.patch`: what changed, as a unified diff\n";
  return out +
         "- `mep/`: the minimal executable program: spec, context, original K(0)\n"
         "- `campaign.json`: a campaign of this hotspot alone, with the settings above\n";
}

}  // namespace noctune
