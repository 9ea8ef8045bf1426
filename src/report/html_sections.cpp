#include "report/html_sections.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "report/campaign_summary.hpp"
#include "report/line_diff.hpp"
#include "report/lineage.hpp"
#include "report/model_account.hpp"
#include "report/report_style.hpp"
#include "report/svg.hpp"

namespace noctune {
namespace {

constexpr std::size_t most_diff_lines = 400;  // of one winner
constexpr std::size_t most_diff_bytes = 2'500'000;
constexpr std::size_t most_rows = 500;

// A number as people read it, and beside it as programs do.
std::string data_text(double value, const std::string& words) {
  if (!std::isfinite(value)) return escaped_html(words);
  char number[32];
  const auto end = std::to_chars(number, number + sizeof number, value);
  return "<data value=\"" + std::string(number, end.ptr) + "\">" + escaped_html(words) + "</data>";
}

std::string card(const std::string& value, const std::string& what) {
  return "<div class=\"card\"><b>" + value + "</b>" + escaped_html(what) + "</div>\n";
}

using Cells = std::vector<std::string>;  // already HTML

// Columns [first, last) are numbers, aligned to the right; what follows them is text of some length.
struct Numbers {
  std::size_t first = 0, last = 99;
};

std::string row_of(const Cells& cells, const std::string& tag, const Numbers& numbers) {
  std::string out = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const char* style = i < numbers.first ? "" : i < numbers.last ? " class=\"n\"" : " class=\"w\"";
    out += "<" + tag + style + ">" + cells[i] + "</" + tag + ">";
  }
  return out + "</tr>\n";
}

std::string table_of(const Cells& head, const std::vector<Cells>& rows, const Numbers& numbers) {
  std::string out =
      "<div class=\"scroll\"><table><thead>" + row_of(head, "th", numbers) + "</thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) out += row_of(rows[i], "td", numbers);
  out += "</tbody></table></div>\n";
  if (rows.size() > most_rows)
    out += "<p class=\"soft\">The first " + std::to_string(most_rows) + " of " + std::to_string(rows.size()) +
           " rows; noctune report --csv has all.</p>\n";
  return out;
}

std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : "<section><h2>" + escaped_html(title) + "</h2>\n" + body + "</section>\n";
}

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

std::string diff_lines(const std::vector<DiffHunk>& hunks) {
  std::string out;
  std::size_t shown = 0;
  for (const DiffHunk& hunk : hunks) {
    out += "<span class=\"hunk\">line " + std::to_string(hunk.before_line) + "</span>";
    for (const DiffLine& line : hunk.lines) {
      if (++shown > most_diff_lines)
        return out + "<span class=\"hunk\">cut here; noctune export has the whole patch</span>";
      const bool added = line.change == LineChange::added, removed = line.change == LineChange::removed;
      out += added ? "<span class=\"add\">+" : removed ? "<span class=\"del\">-" : "<span> ";
      out += escaped_html(line.text) + "</span>";
    }
  }
  return out;
}

int versions_of(const ReportData& data, const ReportHotspot& hotspot) {
  const auto found = data.outcomes.find(hotspot.id);
  int out = 0;
  if (found != data.outcomes.end())
    for (const auto& [verdict, count] : found->second) out += count;
  return out;
}

const ReportCandidate* original_of(const ReportData& data, const ReportHotspot& hotspot) {
  for (const auto& [id, candidate] : data.candidates)
    if (candidate.hotspot == hotspot.id && candidate.proposer == "original") return &candidate;
  return nullptr;
}

Result<std::string> diff_of(const ResultsFile& results, const ReportData& data,
                            const ReportHotspot& hotspot) {
  const ReportCandidate *winner = find_candidate(data, hotspot.best_candidate),
                        *original = original_of(data, hotspot);
  if (hotspot.verdict != "faster" || !winner || !original) return std::string();
  const Result<std::string> before = results.text(original->source_sha),
                            after = results.text(winner->source_sha);
  if (!before) return Failure(before.error());
  if (!after) return Failure(after.error());
  constexpr std::size_t context = 3;
  return "<details><summary>" + escaped_html(hotspot.name) + " " + factor(hotspot.speedup) + ": " +
         escaped_html(change_text(*winner)) + "</summary><pre>" +
         diff_lines(diff_hunks(line_diff(*before, *after), context)) + "</pre></details>\n";
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

Result<std::string> diffs_section(const ResultsFile& results, const ReportData& data) {
  std::string out;
  for (const ReportHotspot& hotspot : data.hotspots) {
    const Result<std::string> one = diff_of(results, data, hotspot);
    if (!one) return Failure(one.error());
    if (out.size() + one->size() > most_diff_bytes) {
      out += "<p class=\"soft\">Further winners are left out; noctune export has their patches.</p>\n";
      break;
    }
    out += *one;
  }
  return section("What the winners changed", out);
}

}  // namespace noctune
