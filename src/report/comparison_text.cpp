#include "report/comparison_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "evaluator/statistics.hpp"
#include "report/campaign_summary.hpp"
#include "report/report_style.hpp"
#include "report/text_table.hpp"

namespace noctune {
namespace {

constexpr double same_machine = 0.05;  // change of the originals' times that is no reason for a remark

std::map<std::string, const ReportHotspot*> by_name(const ReportData& data) {
  std::map<std::string, const ReportHotspot*> out;
  for (const ReportHotspot& hotspot : data.hotspots) out[hotspot.name] = &hotspot;
  return out;
}

// Without a confirmed gain the original stays: a factor of exactly 1.
double low_of(const ReportHotspot& hotspot) {
  return hotspot.verdict == "faster" && std::isfinite(hotspot.low) ? hotspot.low : counted_speedup(hotspot);
}
double high_of(const ReportHotspot& hotspot) {
  return hotspot.verdict == "faster" && std::isfinite(hotspot.high) ? hotspot.high : counted_speedup(hotspot);
}

std::string change_of(const ReportHotspot& before, const ReportHotspot& after) {
  if (after.verdict == "pending" || before.verdict == "pending") return "not finished";
  if (before.verdict == "failed" && after.verdict == "failed") return "failed in both";
  if (after.verdict == "failed") return "fails now";
  if (before.verdict == "failed") return "no longer fails";
  if (low_of(after) > high_of(before)) return "better";
  if (high_of(after) < low_of(before)) return "worse";
  return "no difference";
}

std::string devices_of(const ReportData& data) {
  std::set<std::string> names;
  for (const ReportDevice& device : data.devices)
    names.insert(device.name + " (" +
                 (device.compiler_version.empty() ? device.compiler : device.compiler_version) + ")");
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "none" : std::to_string(data.devices.size()) + " x " + out;
}

std::string speedup_text(const ReportHotspot& hotspot) {
  return hotspot.verdict == "faster"
             ? factor(hotspot.speedup) + " (" + interval(hotspot.low, hotspot.high) + ")"
             : hotspot.verdict;
}

std::string facts(const ReportData& before, const ReportData& after, const ReportOptions& options) {
  const CampaignSummary a = summarise(before), b = summarise(after);
  TextTable table({Align::left, Align::left, Align::left});
  table.add({"", "before", "after"});
  table.add({"results", shortened(before.path, 40), shortened(after.path, 40)});
  table.add({"campaign", before.campaign, after.campaign});
  table.add({"started", before.started, after.started});
  table.add({"devices", shortened(devices_of(before), 40), shortened(devices_of(after), 40)});
  table.add({"Noctune", before.version, after.version});
  const auto ended = [](const CampaignSummary& one) {
    return std::to_string(one.improved) + " improved, " + std::to_string(one.unchanged) + " unchanged, " +
           std::to_string(one.failed) + " failed";
  };
  table.add({"hotspots", ended(a), ended(b)});
  table.add({"geometric mean",
             factor(a.finished.geometric_mean) + " over " + std::to_string(a.finished.count),
             factor(b.finished.geometric_mean) + " over " + std::to_string(b.finished.count)});
  table.add({"time", duration_text(a.wall_s), duration_text(b.wall_s)});
  table.add({"used", resource_text(a), resource_text(b)});
  table.add({"money", cost_text(a, before.currency), cost_text(b, after.currency)});
  return table.text(2, static_cast<std::size_t>(options.width));
}

std::string machine_remark(const std::vector<double>& ratios) {
  if (ratios.empty()) return {};
  const double mean = geometric_mean(ratios);
  if (std::abs(mean - 1) <= same_machine) return {};
  return "the originals run " + factor(mean > 1 ? mean : 1 / mean) + (mean > 1 ? " faster" : " slower") +
         " after than before: machine, compiler or sizes differ, so speed-ups have other baselines.";
}

std::string names_line(const char* words, const std::set<std::string>& names, std::size_t width) {
  if (names.empty()) return {};
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return "  " + wrapped(std::string(words) + list, width - 2, 2) + "\n";
}

}  // namespace

std::string comparison_text(const ReportData& before, const ReportData& after, const ReportOptions& given) {
  ReportOptions options = given;
  options.width = std::max(options.width, 80);
  const auto width = static_cast<std::size_t>(options.width);
  const auto first = by_name(before), second = by_name(after);
  TextTable table({Align::left, Align::left, Align::left, Align::left, Align::right});
  table.add({"hotspot", "before", "after", "change", "original, after / before"});
  std::vector<double> machines, gains;
  std::set<std::string> gone, fresh;
  for (const auto& [name, one] : first) {
    const auto match = second.find(name);
    if (match == second.end()) {
      gone.insert(name);
      continue;
    }
    const ReportHotspot& other = *match->second;
    const double ratio = one->baseline_time / other.baseline_time;
    if (std::isfinite(ratio) && ratio > 0) machines.push_back(ratio);
    gains.push_back(counted_speedup(other) / counted_speedup(*one));
    table.add({shortened(name, 32), speedup_text(*one), speedup_text(other), change_of(*one, other),
               std::isfinite(ratio) && ratio > 0 ? fixed(1 / ratio, 3) : "-"});
  }
  for (const auto& [name, one] : second)
    if (!first.contains(name)) fresh.insert(name);
  std::string out = emphasised("Two campaigns", options) + "\n" + facts(before, after, options) + "\n";
  if (before.uuid == after.uuid && !before.uuid.empty())
    out += "  " + wrapped("both files hold the same campaign, at two times", width - 2, 2) + "\n\n";
  if (!gains.empty())
    out += table.text(2, width) + "  " +
           wrapped("speed-ups after / before, geometric mean over " + std::to_string(gains.size()) +
                       " common hotspots: " + factor(geometric_mean(gains)),
                   width - 2, 2) +
           "\n";
  if (const std::string remark = machine_remark(machines); !remark.empty())
    out += "  " + wrapped(remark, width - 2, 2) + "\n";
  return out + names_line("only before: ", gone, width) + names_line("only after: ", fresh, width);
}

}  // namespace noctune
