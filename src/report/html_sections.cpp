#include "report/html_sections.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "report/campaign_summary.hpp"
#include "report/html_parts.hpp"
#include "report/lineage.hpp"
#include "report/model_account.hpp"
#include "report/report_style.hpp"
#include "report/svg.hpp"

namespace noctune {
namespace {

std::string plural(long long count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string cards_of(const ReportData& data, const CampaignSummary& summary) {
  std::string out = "<div class=\"cards\">\n";
  out +=
      card(data_text(summary.improved,
                     std::to_string(summary.improved) + " of " + std::to_string(summary.hotspots)),
           "hotspots improved; " + std::to_string(summary.unchanged) + " unchanged, " +
               std::to_string(summary.failed) + " failed" +
               (summary.unfinished > 0 ? ", " + std::to_string(summary.unfinished) + " not finished" : ""));
  if (summary.finished.count > 0)
    out += card(data_text(summary.finished.geometric_mean, factor(summary.finished.geometric_mean)),
                "geometric mean over " + plural(summary.finished.count, "hotspot") + "; median " +
                    factor(summary.finished.median) + "; without a gain counts as 1");
  if (summary.improved > 1 && summary.improved < summary.finished.count)
    out += card(data_text(summary.faster.geometric_mean, factor(summary.faster.geometric_mean)),
                "geometric mean over the " + std::to_string(summary.improved) + " improved; median " +
                    factor(summary.faster.median));
  if (summary.best && summary.worst) {
    out +=
        card(data_text(summary.best->speedup, factor(summary.best->speedup)), "best: " + summary.best->name);
    if (summary.improved > 1)
      out += card(data_text(summary.worst->speedup, factor(summary.worst->speedup)),
                  "smallest gain: " + summary.worst->name);
  }
  out += card(data_text(summary.wall_s, duration_text(summary.wall_s)),
              "in " + plural(static_cast<long long>(data.runs.size()), "run"));
  if (const std::string used = resource_text(summary); !used.empty())
    out += card(escaped_html(used), "reserved; devices busy for " + fixed(summary.busy_hours, 2) + " h");
  if (summary.calls > 0)
    out += card(data_text(summary.cost, cost_text(summary, data.currency)),
                plural(summary.calls, "model call") + ", " + std::to_string(summary.tokens) + " tokens");
  return out + "</div>\n";
}

std::string device_list(const ReportData& data) {
  std::map<std::string, int> kinds;
  for (const ReportDevice& device : data.devices)
    ++kinds[device.name + " (" + device.backend + ", " +
            (device.compiler_version.empty() ? device.compiler : device.compiler_version) + ")"];
  std::string out;
  for (const auto& [kind, count] : kinds)
    out += (out.empty() ? "" : ", ") + std::to_string(count) + " x " + kind;
  return out.empty() ? "none yet" : out;
}

std::string verdict_text(const std::string& verdict) {
  return "<span class=\"" + escaped_html(verdict) + "\">" + escaped_html(verdict) + "</span>";
}

struct Cause {
  int count = 0, repairs = 0, mended = 0;
};

std::map<std::string, Cause> causes_of(const ReportData& data) {
  std::map<std::string, Cause> out;
  for (const auto& [id, candidate] : data.candidates) {
    if (candidate.proposer == "original" || candidate.verdict.empty()) continue;
    ++out[candidate.verdict].count;
    const ReportCandidate* failed =
        candidate.repair_of > 0 ? find_candidate(data, candidate.repair_of) : nullptr;
    if (!failed) continue;
    Cause& cause = out[failed->verdict];
    ++cause.repairs;
    cause.mended += candidate.verdict == "ok";
  }
  return out;
}

std::string cause_bar(double share, const std::string& verdict) {
  Svg svg(200, 12, verdict);
  svg.rect(0, 1, 200 * share, 10, verdict == "ok" ? "f3" : verdict == "duplicate" ? "pale" : "bad");
  return svg.str();
}

int versions_of(const ReportData& data, const ReportHotspot& hotspot) {
  const auto found = data.outcomes.find(hotspot.id);
  int out = 0;
  if (found != data.outcomes.end())
    for (const auto& [verdict, count] : found->second) out += count;
  return out;
}

}  // namespace

std::string head_section(const ReportData& data) {
  std::string when = "started " + data.started;
  if (!data.finished.empty()) when += ", ended " + data.finished;
  return "<header><h1>" + escaped_html(data.campaign.empty() ? "Campaign" : data.campaign) + "</h1>\n<p>" +
         escaped_html(data.status + "; " + when + (data.job_id.empty() ? "" : "; job " + data.job_id)) +
         "</p>\n<p class=\"soft\">" + escaped_html(device_list(data)) + ". Noctune " +
         escaped_html(data.version) + ", " + escaped_html(data.path) + "</p></header>\n" +
         cards_of(data, summarise(data));
}

std::string hotspots_section(const ReportData& data) {
  std::vector<Cells> rows;
  for (const ReportHotspot& one : data.hotspots) {
    const bool gained = one.verdict == "faster" || one.verdict == "slower";
    const ReportCandidate* best =
        one.verdict == "faster" ? find_candidate(data, one.best_candidate) : nullptr;
    rows.push_back({escaped_html(one.name), verdict_text(one.verdict),
                    gained ? data_text(one.speedup, factor(one.speedup)) : "-",
                    gained ? interval(one.low, one.high) : "-", duration_text(one.baseline_time),
                    gained ? duration_text(one.best_time) : "-", factor(one.direct), factor(one.integrated),
                    std::to_string(versions_of(data, one)),
                    escaped_html(best ? change_text(*best) : one.reason)});
  }
  if (rows.empty()) return section("Hotspots", "<p>No hotspot has been recorded yet.</p>\n");
  return section("Hotspots", table_of({"hotspot", "verdict", "speed-up", "95 % interval", "original", "best",
                                       "direct", "integrated", "versions", "what won, or why it stopped"},
                                      rows, {2, 9}));
}

std::string failures_section(const ReportData& data) {
  const std::map<std::string, Cause> causes = causes_of(data);
  int all = 0;
  for (const auto& [verdict, cause] : causes) all += cause.count;
  if (all == 0) return {};
  std::vector<Cells> rows;
  for (const auto& [verdict, cause] : causes)
    rows.push_back(
        {verdict_text(verdict), cause_bar(static_cast<double>(cause.count) / all, verdict),
         data_text(cause.count, std::to_string(cause.count)), percent(static_cast<double>(cause.count) / all),
         cause.repairs > 0 ? std::to_string(cause.mended) + " of " + std::to_string(cause.repairs) : "-"});
  return section("How the versions ended",
                 table_of({"verdict", "", "versions", "share", "repairs that passed"}, rows, {2}));
}

std::string cost_section(const ReportData& data) {
  std::string out;
  std::vector<Cells> rows;
  for (const ArmSummary& arm : compare_arms(data))
    rows.push_back({escaped_html(arm.arm), data_text(arm.speedup, factor(arm.speedup)),
                    std::to_string(arm.gains) + " of " + std::to_string(arm.hotspots * arm.replicates),
                    std::to_string(arm.candidates), std::to_string(arm.calls), std::to_string(arm.tokens),
                    fixed(arm.cost, 4), duration_text(arm.device_seconds)});
  if (!rows.empty())
    out += table_of({"arm", "geometric mean", "faster", "versions", "calls", "tokens", "cost", "devices"},
                    rows, {1});
  struct Spent {
    long long calls = 0, in = 0, out = 0;
    double cost = 0, seconds = 0;
  };
  std::map<std::string, Spent> purposes;
  for (const ReportCall& call : data.calls) {
    Spent& one = purposes[call.purpose];
    ++one.calls;
    one.in += std::max(0LL, call.tokens_in);
    one.out += std::max(0LL, call.tokens_out);
    one.cost += std::isfinite(call.cost) ? call.cost : 0;
    one.seconds += std::isfinite(call.seconds) ? call.seconds : 0;
  }
  rows.clear();
  for (const auto& [purpose, one] : purposes)
    rows.push_back({escaped_html(purpose), std::to_string(one.calls), std::to_string(one.in),
                    std::to_string(one.out), fixed(one.cost, 4),
                    duration_text(one.seconds / static_cast<double>(one.calls))});
  if (!rows.empty())
    out += table_of(
        {"model calls for", "calls", "prompt tokens", "reply tokens",
         "cost" + (data.currency.empty() ? "" : " (" + escaped_html(data.currency) + ")"), "mean time"},
        rows, {1});
  return section("What it cost", out);
}

std::string patterns_section(const ReportData& data) {
  struct Evidence {
    int uses = 0, gains = 0, timed = 0;
    double logs = 0;
    std::set<long long> hotspots;
  };
  std::map<std::string, Evidence> patterns;
  for (const ReportPatternUse& use : data.pattern_uses) {
    Evidence& one = patterns[use.pattern];
    ++one.uses;
    one.gains += use.gain;
    one.timed += use.verdict == "ok";
    one.logs += use.verdict == "ok" ? use.log_ratio : 0;
    one.hotspots.insert(use.hotspot);
  }
  if (patterns.empty()) return {};
  std::vector<Cells> rows;
  for (const auto& [name, one] : patterns)
    rows.push_back({escaped_html(name), std::to_string(one.uses), std::to_string(one.gains),
                    one.timed > 0 ? factor(std::exp(one.logs / one.timed)) : "-",
                    std::to_string(one.hotspots.size())});
  return section("Patterns",
                 "<p class=\"soft\">Uses where it was the only change to the version before. The factor is "
                 "the geometric mean over uses that passed every gate.</p>\n" +
                     table_of({"pattern", "uses", "gains", "factor", "hotspots"}, rows, {1}));
}

}  // namespace noctune
