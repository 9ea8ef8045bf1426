#include "report/html_page.hpp"

#include "report/html_charts.hpp"
#include "report/html_sections.hpp"
#include "report/html_style.hpp"
#include "report/svg.hpp"

namespace noctune {
namespace {

std::string charts(const ReportData& data) {
  const std::string small =
      speedup_chart(data) + integration_chart(data) + convergence_chart(data) + roofline_chart(data);
  return (small.empty() ? "" : "<section class=\"charts\">\n" + small + "</section>\n");
}

std::string timeline(const ReportData& data) {
  const std::string chart = timeline_chart(data);
  return chart.empty() ? "" : "<section><h2>Devices</h2>\n" + chart + "</section>\n";
}

}  // namespace

Result<std::string> html_report(const ResultsFile& results, const ReportData& data) {
  const Result<std::string> diffs = diffs_section(results, data);
  if (!diffs) return Failure(diffs.error());
  // The policy forbids everything but the style below: a source in a diff can never load or run anything.
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escaped_html(data.campaign) + " - Noctune</title>\n<style>" + html_style +
         "</style></head>\n<body>\n" + head_section(data) + charts(data) + hotspots_section(data) +
         failures_section(data) + cost_section(data) + timeline(data) + patterns_section(data) + *diffs +
         "<footer><p class=\"soft\">A speed-up is a weighted geometric mean over the timed cases, measured "
         "in fresh pairs "
         "of processes against the original. Equivalence was checked within a tolerance, not "
         "proven.</p></footer>\n"
         "</body></html>\n";
}

}  // namespace noctune
