#include "report/integration_account.hpp"

#include "base/text.hpp"

namespace noctune {
namespace {

std::string line(const std::string& name, const std::string& text) {
  return "  " + name + std::string(name.size() < 12 ? 12 - name.size() : 1, ' ') + text + "\n";
}

std::string verdict_text(const IntegrationRow& row) {
  const bool measured =
      row.verdict == "faster" || row.verdict == "slower" || row.verdict == "indistinguishable";
  std::string out = measured ? row.verdict : row.verdict + ", rolled back";
  return row.reason.empty() ? out : out + ": " + row.reason;
}

}  // namespace

std::string integration_account(const IntegrationRow& row, const std::string& patch) {
  std::string out = row.hotspots + " in " + row.application;
  out += row.candidate >= 0 ? " (candidate " + std::to_string(row.candidate) + ")\n" : "\n";
  if (!row.rule.empty()) out += line("placed", row.rule);
  if (row.standalone > 0) out += line("standalone", fixed(row.standalone, 2) + "x");
  if (row.speedup > 0)
    out += line("integrated", fixed(row.speedup, 2) + "x, 95 % interval " + fixed(row.low, 2) + " to " +
                                  fixed(row.high, 2) + ", " + std::to_string(row.pairs) + " pairs of runs");
  if (row.ceiling > 0) out += line("ceiling", fixed(row.ceiling, 2) + "x by its share of the run time");
  if (!row.use_reason.empty())
    out += line("used", (row.used == "cannot_tell" ? "cannot tell" : row.used) + ": " + row.use_reason);
  if (!patch.empty()) out += line("patch", patch);
  return out + line("verdict", verdict_text(row));
}

}  // namespace noctune
