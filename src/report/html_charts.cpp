#include "report/html_charts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "evaluator/statistics.hpp"
#include "report/campaign_summary.hpp"
#include "report/report_style.hpp"
#include "report/svg.hpp"
#include "report/text_table.hpp"

namespace noctune {
namespace {

// Wide enough for a phone's screen at a readable size.
constexpr double width = 460, left = 132, right = 446;
constexpr std::size_t longest_name = 18;
constexpr int most_rows = 200;

std::string figure(const Svg& svg, const std::string& caption) {
  return "<figure>" + svg.str() + "<figcaption>" + caption + "</figcaption></figure>\n";
}

void value_axis(Svg& svg, const Scale& scale, double top, double bottom) {
  for (const double tick : scale.ticks()) {
    svg.line(scale.at(tick), top, scale.at(tick), bottom, "grid");
    svg.text(scale.at(tick), bottom + 14, tick_text(tick) + "x", "tick", Anchor::middle);
  }
}

double largest_speedup(const ReportData& data) {
  double out = 1.1;
  for (const ReportHotspot& hotspot : data.hotspots)
    for (const double one : {counted_speedup(hotspot), hotspot.verdict == "faster" ? hotspot.high : 1.0})
      if (std::isfinite(one)) out = std::max(out, one);
  for (const ReportArm& arm : data.arms)
    if (std::isfinite(arm.speedup)) out = std::max(out, arm.speedup);
  return out * 1.05;
}

std::string arm_style(const std::string& arm) {
  return arm == "loop" ? "f1" : arm == "direct" ? "f2" : arm == "sampling" ? "f4" : "f5";
}

void speedup_row(Svg& svg, const ReportData& data, const ReportHotspot& hotspot, const Scale& scale,
                 double y) {
  const bool faster = hotspot.verdict == "faster";
  const double value = counted_speedup(hotspot);
  svg.text(left - 8, y + 11, shortened(hotspot.name, longest_name), "label", Anchor::end);
  const std::string words =
      hotspot.name + ": " + hotspot.verdict +
      (faster ? " " + factor(hotspot.speedup) + " (" + interval(hotspot.low, hotspot.high) + ")" : "");
  svg.rect(scale.at(1), y + 2, std::max(scale.at(value) - scale.at(1), 2.0), 10,
           faster                        ? "f3"
           : hotspot.verdict == "failed" ? "bad"
                                         : "pale",
           words);
  if (faster && std::isfinite(hotspot.low) && std::isfinite(hotspot.high)) {
    svg.line(scale.at(hotspot.low), y + 7, scale.at(hotspot.high), y + 7, "whisker");
    for (const double end : {hotspot.low, hotspot.high})
      svg.line(scale.at(end), y + 4, scale.at(end), y + 10, "whisker");
  }
  for (const ReportArm& arm : data.arms)
    if (arm.hotspot == hotspot.id && std::isfinite(arm.speedup))
      svg.circle(scale.at(arm.speedup), y + 15, 2.6, arm_style(arm.arm),
                 hotspot.name + ", arm " + arm.arm + ": " + factor(arm.speedup));
}

std::string arm_keys(const ReportData& data) {
  std::map<std::string, std::string> arms;
  for (const ReportArm& arm : data.arms) arms[arm.arm] = arm_style(arm.arm);
  std::string out;
  for (const auto& [arm, style] : arms)
    out += "<span class=\"key k" + style.substr(1) + "\"></span>arm " + escaped_html(arm);
  return out;
}

// Speed of a version over the original by the chain of its references' ratios, as far as it was timed.
class Chain {
 public:
  explicit Chain(const ReportData& data) : data_(data) {}
  double of(long long candidate, int depth = 0) {
    const auto known = known_.find(candidate);
    if (known != known_.end()) return known->second;
    const auto found = data_.candidates.find(candidate);
    if (found == data_.candidates.end() || depth > 200) return std::nan("");
    const ReportCandidate& one = found->second;
    if (one.proposer == "original") return 1;
    const double out = one.verdict == "ok" && one.speedup > 0 && one.reference != candidate
                           ? of(one.reference, depth + 1) * one.speedup
                           : std::nan("");
    known_[candidate] = out;
    return out;
  }

 private:
  const ReportData& data_;
  std::map<long long, double> known_;
};

using Curves = std::map<long long, std::map<long long, double>>;  // hotspot -> round -> best so far

Curves convergence(const ReportData& data) {
  Chain chain(data);
  Curves out;
  const std::string arm = data.arms.empty() ? "" : data.arms.front().arm;
  for (const auto& [id, candidate] : data.candidates) {
    if (candidate.round < 1 || candidate.round > 1000 || (!arm.empty() && candidate.arm != arm)) continue;
    double& best = out[candidate.hotspot].try_emplace(candidate.round, 1).first->second;
    if (const double speed = chain.of(id); std::isfinite(speed)) best = std::max(best, speed);
  }
  for (auto& [hotspot, rounds] : out) {
    double best = 1;
    for (auto& [round, speed] : rounds) speed = best = std::max(best, speed);
  }
  return out;
}

double best_at(const std::map<long long, double>& rounds, long long round) {
  const auto after = rounds.upper_bound(round);
  return after == rounds.begin() ? 1 : std::prev(after)->second;
}

}  // namespace

std::string speedup_chart(const ReportData& data) {
  if (data.hotspots.empty()) return {};
  constexpr double row = 22, top = 8;
  const int rows = std::min(static_cast<int>(data.hotspots.size()), most_rows);
  std::vector<const ReportHotspot*> order;
  for (const ReportHotspot& hotspot : data.hotspots) order.push_back(&hotspot);
  std::stable_sort(order.begin(), order.end(), [](const ReportHotspot* a, const ReportHotspot* b) {
    return counted_speedup(*a) > counted_speedup(*b);
  });
  const double bottom = top + row * rows;
  Svg svg(width, bottom + 22, "Speed-up of every hotspot");
  const Scale scale(ScaleKind::logarithmic, 0.95, largest_speedup(data), left, right);
  value_axis(svg, scale, top, bottom);
  svg.line(scale.at(1), top, scale.at(1), bottom, "axis");
  for (int i = 0; i < rows; ++i)
    speedup_row(svg, data, *order[static_cast<std::size_t>(i)], scale, top + row * i);
  std::string caption =
      "Confirmed speed-up over the original with its 95 % interval; logarithmic." + arm_keys(data);
  if (rows < static_cast<int>(order.size())) caption += " The first " + std::to_string(rows) + " are shown.";
  return figure(svg, caption);
}

std::string integration_chart(const ReportData& data) {
  constexpr double top = 10, bottom = 300;
  double most = 1.1, least = 0.9;
  bool any = false;
  for (const ReportHotspot& hotspot : data.hotspots) {
    if (!std::isfinite(hotspot.integrated) || !(hotspot.integrated > 0)) continue;
    any = true;
    most = std::max({most, counted_speedup(hotspot), hotspot.integrated});
    least = std::min(least, hotspot.integrated);
  }
  if (!any) return {};
  Svg svg(width, bottom + 36, "Speed-up alone and inside the application");
  const Scale x(ScaleKind::logarithmic, least, most * 1.05, 46, right);
  const Scale y(ScaleKind::logarithmic, least, most * 1.05, bottom, top);
  value_axis(svg, x, top, bottom);
  for (const double tick : y.ticks()) {
    svg.line(46, y.at(tick), right, y.at(tick), "grid");
    svg.text(40, y.at(tick) + 4, tick_text(tick) + "x", "tick", Anchor::end);
  }
  svg.line(x.at(least), y.at(least), x.at(most), y.at(most), "one");
  for (const ReportHotspot& hotspot : data.hotspots)
    if (std::isfinite(hotspot.integrated))
      svg.circle(x.at(counted_speedup(hotspot)), y.at(hotspot.integrated), 5, "f1",
                 hotspot.name + ": " + factor(counted_speedup(hotspot)) + " alone, " +
                     factor(hotspot.integrated) + " inside");
  svg.text((46 + right) / 2, bottom + 32, "alone", "label", Anchor::middle);
  return figure(svg, "Speed-up inside the application (upwards) against that of the program alone.");
}

std::string convergence_chart(const ReportData& data) {
  const Curves curves = convergence(data);
  long long last = 0;
  double most = 1.1;
  for (const auto& [hotspot, rounds] : curves)
    for (const auto& [round, speed] : rounds) {
      last = std::max(last, round);
      most = std::max(most, speed);
    }
  if (last < 1) return {};
  constexpr double top = 10, bottom = 260, start = 46;
  Svg svg(width, bottom + 36, "Best version so far by round");
  const Scale x(ScaleKind::linear, 0, static_cast<double>(last), start, right);
  const Scale y(ScaleKind::logarithmic, 1, most * 1.05, bottom, top);
  for (const double tick : y.ticks()) {
    svg.line(start, y.at(tick), right, y.at(tick), "grid");
    svg.text(start - 6, y.at(tick) + 4, tick_text(tick) + "x", "tick", Anchor::end);
  }
  for (const double tick : x.ticks())
    if (tick == std::floor(tick)) svg.text(x.at(tick), bottom + 14, tick_text(tick), "tick", Anchor::middle);
  svg.text((start + right) / 2, bottom + 32, "round", "label", Anchor::middle);
  std::map<long long, std::string> names;
  for (const ReportHotspot& hotspot : data.hotspots) names[hotspot.id] = hotspot.name;
  std::vector<std::pair<double, double>> mean;
  for (long long round = 0; round <= last; ++round) {
    std::vector<double> speeds;
    for (const auto& [hotspot, rounds] : curves) speeds.push_back(best_at(rounds, round));
    mean.emplace_back(x.at(static_cast<double>(round)), y.at(geometric_mean(speeds)));
  }
  for (const auto& [hotspot, rounds] : curves) {
    std::vector<std::pair<double, double>> points{{x.at(0), y.at(1)}};
    for (const auto& [round, speed] : rounds)
      points.emplace_back(x.at(static_cast<double>(round)), y.at(speed));
    svg.polyline(points, "thin", names[hotspot] + ": " + factor(rounds.rbegin()->second));
  }
  svg.polyline(mean, "bold", "geometric mean");
  return figure(svg,
                "Best version so far over the original, by screening: a line for each hotspot, and in bold "
                "their geometric mean.");
}

}  // namespace noctune
