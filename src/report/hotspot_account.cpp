#include "report/hotspot_account.hpp"

#include "base/text.hpp"
#include "evaluator/gain.hpp"
#include "report/account_lines.hpp"
#include "report/gate_advice.hpp"
#include "report/report_style.hpp"

namespace noctune {
namespace {

constexpr int diagnostic_lines = 20;
// Beyond this a search would take only gains that need no measuring to be seen.
constexpr double hardly_measurable = 0.2;

std::string tolerance_lines(const HotspotAccount& hotspot, const ReportOptions& options) {
  std::string out;
  for (const OutputTolerance& one : hotspot.baselined.report.tolerances)
    out += fact_line(
        out.empty() ? "tolerance" : "",
        one.param + " in " + one.case_name + ": " + short_number(one.tolerance) + ", " + one.reason, options);
  return out;
}

std::string case_text(const SizedCase& sized) {
  std::string out = sized.name + " (";
  for (const auto& [name, value] : sized.sizes)
    out += (out.back() == '(' ? "" : " ") + name + "=" + std::to_string(value);
  out += sized.use == CaseUse::time    ? ") timed and checked"
         : sized.use == CaseUse::check ? ") checked"
                                       : ") reported";
  return out + (sized.batch > 1 ? ", " + counted(sized.batch, "call") + " a sample" : "");
}

std::string case_list(const MepReport& report) {
  std::string out;
  for (const SizedCase& sized : report.cases) out += (out.empty() ? "" : "; ") + case_text(sized);
  return out;
}

std::string gain_text(const SearchSettings& search, double spread) {
  const double needed = smallest_gain(search, spread);
  std::string out =
      needed < 1 ? "more than " + percent(needed) + " of the time, " : "none can be told in one pair, ";
  out += needed > search.min_gain ? "3 times the noise between processes"
                                  : "search.min_gain; the noise between processes asks for less";
  if (needed > hardly_measurable) out += "; the machine is too busy to see small gains";
  return out;
}

}  // namespace

std::string hotspot_account(const HotspotAccount& hotspot, const ReportOptions& options) {
  const MepReport& report = hotspot.baselined.report;
  const MepSource& mep = hotspot.setup.mep;
  std::string out = emphasised("Hotspot " + mep.hotspot, options) + " (" + hotspot.setup.platform.backend +
                    ", entry " + mep.spec.entry + ")\n" + fact_line("device", hotspot.device, options);
  if (!report.usable)
    return out + fact_line("REFUSED", report.message, options) +
           quoted_lines(shortened_diagnostics(report.diagnostics, "original", diagnostic_lines), options);
  out += fact_line("original",
                   duration_text(report.baseline_seconds) + " a call, noise " + percent(report.spread) +
                       " between processes, data " + bytes_text(static_cast<double>(report.s_data)),
                   options);
  out += fact_line("sizing", report.message, options) + fact_line("cases", case_list(report), options);
  out += tolerance_lines(hotspot, options);
  if (report.double_reference)
    out +=
        fact_line("", "outputs are compared with a double-precision build of the original as well", options);
  for (const std::string& note : report.notes) out += fact_line("note", note, options);
  if (!report.deterministic)
    out += fact_line("", "the original's own output differs from run to run", options);
  return out + fact_line("real gain", gain_text(hotspot.setup.search, report.spread), options);
}

}  // namespace noctune
