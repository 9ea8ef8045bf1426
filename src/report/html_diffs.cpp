#include "report/html_parts.hpp"
#include "report/html_sections.hpp"
#include "report/line_diff.hpp"
#include "report/lineage.hpp"
#include "report/report_style.hpp"
#include "report/svg.hpp"

namespace noctune {
namespace {

constexpr std::size_t most_diff_lines = 400;  // of one winner
constexpr std::size_t most_diff_bytes = 2'500'000;

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
