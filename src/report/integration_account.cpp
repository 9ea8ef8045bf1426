#include "report/integration_account.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.hpp"
#include "report/report_style.hpp"
#include "report/text_table.hpp"

namespace noctune {
namespace {

std::string line(const std::string& name, const std::string& text) {
  return "  " + name + std::string(name.size() < 12 ? 12 - name.size() : 1, ' ') + text + "\n";
}

bool is_measured(const ReportPlacement& placement) {
  return placement.verdict == "faster" || placement.verdict == "slower" ||
         placement.verdict == "indistinguishable";
}

std::string verdict_text(const ReportPlacement& placement) {
  const std::string out = is_measured(placement) ? placement.verdict : placement.verdict + ", rolled back";
  return placement.reason.empty() ? out : out + ": " + placement.reason;
}

// Of one run each, so without an interval.
std::string kernel_text(const ReportPlacement& placement) {
  return factor(placement.kernel_seconds / placement.kernel_seconds_patched) + " inside, " +
         duration_text(placement.kernel_seconds) + " to " + duration_text(placement.kernel_seconds_patched) +
         " of one run each (" + placement.profiler + ")";
}

std::string used_text(const ReportPlacement& placement) {
  return placement.used == "cannot_tell" ? "cannot tell" : placement.used;
}

// Of each application and hotspot, the attempts of the run that looked at it last.
std::vector<const ReportPlacement*> latest(const ReportData& data) {
  std::map<std::string, long long> runs;
  const auto key = [](const ReportPlacement& one) { return one.application + "/" + one.hotspots; };
  for (const ReportPlacement& one : data.placements) runs[key(one)] = std::max(runs[key(one)], one.run);
  std::vector<const ReportPlacement*> out;
  for (const ReportPlacement& one : data.placements)
    if (one.run == runs[key(one)]) out.push_back(&one);
  return out;
}

}  // namespace

std::string integration_account(const ReportPlacement& one, const std::string& patch) {
  std::string out = one.hotspots + " in " + one.application;
  out += one.candidate >= 0 ? " (candidate " + std::to_string(one.candidate) + ")\n" : "\n";
  if (!one.rule.empty()) out += line("placed", one.rule);
  if (!one.flags.empty()) out += line("flags", one.flags);
  if (one.standalone > 0) out += line("standalone", factor(one.standalone));
  if (one.speedup > 0)
    out += line("integrated", factor(one.speedup) + ", 95 % interval " + interval(one.low, one.high) + ", " +
                                  std::to_string(one.pairs) + " pairs of runs");
  if (one.kernel_seconds > 0 && one.kernel_seconds_patched > 0) out += line("kernel", kernel_text(one));
  if (one.ceiling > 0) out += line("ceiling", factor(one.ceiling) + " by its share of the run time");
  if (!one.use_reason.empty()) out += line("used", used_text(one) + ": " + one.use_reason);
  if (!patch.empty()) out += line("patch", patch);
  return out + line("verdict", verdict_text(one));
}

std::string integration_text(const ReportData& data, const ReportOptions& options) {
  if (data.placements.empty()) return "";
  const auto width = static_cast<std::size_t>(options.width);
  TextTable table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::left});
  table.add({"hotspot", "verdict inside", "standalone", "integrated", "95 % interval", "used"});
  std::string notes;
  for (const ReportPlacement* one : latest(data)) {
    const bool measured = one->speedup > 0;
    table.add({shortened(one->hotspots, 32), one->verdict,
               one->standalone > 0 ? factor(one->standalone) : "-", measured ? factor(one->speedup) : "-",
               measured ? interval(one->low, one->high) : "-", used_text(*one)});
    if (!one->reason.empty())
      notes += "  " + wrapped(one->hotspots + ": " + verdict_text(*one), width - 2, 4) + "\n";
  }
  return emphasised("Inside the application", options) + "\n" + table.text(2, width) + notes;
}

}  // namespace noctune
