#include "report/totals_text.hpp"

#include "report/campaign_summary.hpp"
#include "report/report_style.hpp"
#include "report/text_table.hpp"

namespace noctune {
namespace {

std::string counts(const CampaignSummary& summary) {
  std::string out = std::to_string(summary.hotspots) +
                    (summary.hotspots == 1 ? " hotspot: " : " hotspots: ") +
                    std::to_string(summary.improved) + " improved, " + std::to_string(summary.unchanged) +
                    " unchanged, " + std::to_string(summary.failed) + " failed";
  if (summary.unfinished > 0) out += ", " + std::to_string(summary.unfinished) + " not finished";
  return out;
}

std::string means(const SpeedupStatistics& of, const std::string& whom) {
  return "geometric mean speed-up " + factor(of.geometric_mean) + ", median " + factor(of.median) + " over " +
         whom;
}

std::string extreme(const ReportHotspot& hotspot) {
  return hotspot.name + " " + factor(hotspot.speedup) + " (" + interval(hotspot.low, hotspot.high) + ")";
}

}  // namespace

std::string totals_text(const ReportData& data, const ReportOptions& options) {
  const CampaignSummary summary = summarise(data);
  const auto width = static_cast<std::size_t>(options.width) - 2;
  std::string out = "  " + wrapped(counts(summary), width, 2) + "\n";
  const std::string ended = summary.unfinished > 0
                                ? "the " + std::to_string(summary.finished.count) + " that ended"
                                : "all " + std::to_string(summary.finished.count);
  if (summary.finished.count > 0)
    out += "  " + wrapped(means(summary.finished, ended + " (without a gain counts as 1)"), width, 2) + "\n";
  if (summary.improved > 0 && summary.improved < summary.finished.count)
    out += "  " +
           wrapped(means(summary.faster, "the " + std::to_string(summary.improved) + " improved"), width, 2) +
           "\n";
  if (summary.improved > 1)
    out +=
        "  " +
        wrapped("best " + extreme(*summary.best) + ", smallest gain " + extreme(*summary.worst), width, 2) +
        "\n";
  else if (summary.improved == 1)
    out += "  " + wrapped("the one: " + extreme(*summary.best), width, 2) + "\n";
  return out;
}

std::string progress_line(const ReportData& data) {
  const CampaignSummary summary = summarise(data);
  std::string out = data.status + ": " + std::to_string(summary.finished.count) + " of " +
                    std::to_string(summary.hotspots) + " hotspots done, " + std::to_string(summary.improved) +
                    " improved";
  if (summary.best) out += ", best " + summary.best->name + " " + factor(summary.best->speedup);
  out += "; " + std::to_string(summary.candidates) + " versions, " + std::to_string(summary.evaluations) +
         " evaluations";
  if (summary.calls > 0)
    out += ", " + std::to_string(summary.calls) + " model calls, " + cost_text(summary, data.currency);
  return out;
}

}  // namespace noctune
