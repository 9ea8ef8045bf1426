#include "app/status_line.hpp"

#include "app/terminal.hpp"
#include "base/text.hpp"

namespace noctune {
namespace {

constexpr int enough_for_a_rate = 3;

std::string pace_text(const RunProgress& progress, double seconds) {
  if (progress.candidates < enough_for_a_rate || !(seconds > 0)) return {};
  const double rate = progress.candidates / seconds;
  std::string out = ", " + fixed(60 * rate, 1) + " a minute";
  if (progress.left > 0)
    out += ", up to " + duration_text(static_cast<double>(progress.left) / rate) + " left";
  return out;
}

std::string money_text(const RunProgress& progress) {
  if (!(progress.cost > 0) && !(progress.budget > 0)) return {};
  return ", " + fixed(progress.cost, 2) + (progress.budget > 0 ? " of " + fixed(progress.budget, 2) : "") +
         " " + progress.currency + " spent";
}

}  // namespace

std::string status_text(const RunProgress& progress, double seconds) {
  return "[" + clock_text(seconds) + "] " + std::to_string(progress.finished) + " of " +
         std::to_string(progress.hotspots) + " hotspots done, " + std::to_string(progress.candidates) +
         " judged, " + std::to_string(progress.ok) + " usable" + pace_text(progress, seconds) +
         money_text(progress);
}

}  // namespace noctune
