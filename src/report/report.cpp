#include "report/report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "report/campaign_summary.hpp"
#include "report/hotspot_details.hpp"
#include "report/integration_account.hpp"
#include "report/model_account.hpp"
#include "report/report_style.hpp"
#include "report/text_table.hpp"
#include "report/totals_text.hpp"

namespace noctune {
namespace {

// "2026-01-31T21:04:05Z" -> "2026-01-31 21:04 UTC"
std::string readable_time(const std::string& iso) {
  if (iso.size() < 20) return iso;
  return iso.substr(0, 10) + " " + iso.substr(11, 5) + " UTC";
}

std::string device_line(const ReportData& data) {
  std::map<std::string, int> kinds;
  std::map<std::string, int> hosts;
  for (const ReportDevice& device : data.devices) {
    ++hosts[device.host];
    std::string kind = device.name + " (" + device.backend;
    const std::string& compiler = device.compiler_version.empty() ? device.compiler : device.compiler_version;
    if (!compiler.empty()) kind += ", " + compiler;
    ++kinds[kind + ")"];
  }
  if (kinds.empty()) return "none yet";
  std::string out;
  for (const auto& [kind, count] : kinds)
    out += (out.empty() ? "" : ", ") + std::to_string(count) + " x " + kind;
  return out + " on " + std::to_string(hosts.size()) + (hosts.size() == 1 ? " node" : " nodes");
}

std::string header(const ReportData& data, const ReportOptions& options) {
  const auto width = static_cast<std::size_t>(options.width);
  std::string status = data.status + ", ran " + duration_text(data.time.wall);
  if (data.runs.size() > 1) status += " in " + std::to_string(data.runs.size()) + " runs";
  if (!data.job_id.empty()) status += " (job " + data.job_id + ")";
  std::string when = "started " + readable_time(data.started);
  if (!data.finished.empty()) when += ", ended " + readable_time(data.finished);
  std::string out = emphasised("Campaign " + data.campaign, options) + "\n";
  out += "  results  " + shortened(data.path, width - 11) + "\n";
  out += "  status   " + wrapped(status, width - 11, 11) + "\n";
  out += "  time     " + when + "\n";
  out += "  devices  " + wrapped(device_line(data), width - 11, 11) + "\n";
  const CampaignSummary summary = summarise(data);
  const std::string resources = resource_text(summary);
  if (!resources.empty())
    out += "  used     " +
           wrapped(resources + " reserved, devices busy for " + fixed(summary.busy_hours, 2) + " h",
                   width - 11, 11) +
           "\n";
  if (summary.calls > 0)
    out += "  money    " + cost_text(summary, data.currency) + ", " + std::to_string(summary.calls) +
           " model calls, " + std::to_string(summary.tokens) + " tokens\n";
  return out;
}

std::string overview(const ReportData& data, const ReportOptions& options) {
  TextTable table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right});
  table.add({"hotspot", "verdict", "original", "best", "speed-up", "95 % interval"});
  for (const ReportHotspot& hotspot : data.hotspots) {
    const bool gained = hotspot.verdict == "faster" || hotspot.verdict == "slower";
    table.add({shortened(hotspot.name, 32), hotspot.verdict, duration_text(hotspot.baseline_time),
               gained ? duration_text(hotspot.best_time) : "-", gained ? factor(hotspot.speedup) : "-",
               gained ? interval(hotspot.low, hotspot.high) : "-"});
  }
  const auto width = static_cast<std::size_t>(options.width);
  const std::string lines = table.text(2, width);
  std::string out;
  std::size_t start = 0;
  for (std::size_t i = 0; start < lines.size(); ++i) {
    const std::size_t end = lines.find('\n', start);
    const std::string line = lines.substr(start, end - start);
    start = end + 1;
    if (i == 0) {
      out += emphasised(line, options) + "\n";
      continue;
    }
    const ReportHotspot& hotspot = data.hotspots[i - 1];
    out += coloured(line, hotspot.verdict, options) + "\n";
    for (const std::string& note : hotspot_notes(data, hotspot))
      out += "      " + wrapped(note, width - 6, 6) + "\n";
  }
  return out;
}

std::string time_spent(const ReportData& data, const ReportOptions& options) {
  const double available = data.time.wall * static_cast<double>(data.devices.size());
  if (!(available > 0)) return "";
  TextTable table({Align::left, Align::right, Align::right});
  const auto line = [&](const char* what, double seconds) {
    table.add({what, duration_text(seconds), percent(seconds / available)});
  };
  line("building", data.time.build);
  line("checking", data.time.check);
  line("timing", data.time.time);
  line("idle", std::max(0.0, available - data.time.busy));
  return emphasised("Where the devices' time went", options) + " (of " + duration_text(available) +
         "; the parts may overlap)\n" + table.text(2, static_cast<std::size_t>(options.width));
}

}  // namespace

Result<std::string> render_report(const ResultsFile& results, const ReportOptions& given) {
  ReportOptions options = given;
  options.width = std::max(options.width, 80);
  const Result<ReportData> data = read_report_data(results);
  if (!data) return Failure(data.error());
  if (!options.hotspot.empty())
    return render_hotspot(*data, options).map([&](const std::string& body) {
      return header(*data, options) + "\n" + body;
    });
  if (data->hotspots.empty()) return header(*data, options) + "\nNo hotspot has been recorded yet.\n";
  std::string out = header(*data, options) + "\n" + emphasised("Totals", options) + "\n" +
                    totals_text(*data, options) + "\n" + overview(*data, options);
  for (const std::string& part : {integration_text(*data, options), arms_text(*data, options),
                                  model_text(*data, options), time_spent(*data, options)})
    if (!part.empty()) out += "\n" + part;
  return out;
}

}  // namespace noctune
