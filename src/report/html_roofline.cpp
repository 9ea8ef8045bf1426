#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/html_charts.hpp"
#include "report/svg.hpp"

namespace noctune {
namespace {

constexpr double width = 460, left = 46, right = 446, top = 10, bottom = 280;

struct Work {
  const ReportHotspot* hotspot = nullptr;
  double intensity = 0;          // flop/B
  double before = 0, after = 0;  // flop/s; after is 0 without a winner
};

std::vector<Work> work_of(const ReportData& data) {
  std::vector<Work> out;
  for (const ReportHotspot& hotspot : data.hotspots) {
    const auto one = std::find_if(data.cases.begin(), data.cases.end(), [&](const ReportCase& other) {
      return other.hotspot == hotspot.id && other.use == "time";
    });
    if (one == data.cases.end() || !(one->flops > 0) || !(one->bytes > 0) || !(hotspot.baseline_time > 0))
      continue;
    const bool faster = hotspot.verdict == "faster" && hotspot.best_time > 0;
    out.push_back({&hotspot, one->flops / one->bytes, one->flops / hotspot.baseline_time,
                   faster ? one->flops / hotspot.best_time : 0});
  }
  return out;
}

struct Roof {
  std::vector<const ReportCeiling*> speeds, peaks;  // B/s, flop/s, of one device
};

Roof roof_of(const ReportData& data) {
  Roof out;
  for (const ReportCeiling& one : data.ceilings) {
    if (one.device != data.ceilings.front().device || !(one.value > 0) || !std::isfinite(one.value)) continue;
    if (one.unit == "B/s") out.speeds.push_back(&one);
    if (one.unit == "flop/s") out.peaks.push_back(&one);
  }
  return out;
}

struct Axes {
  Scale x, y;
  double first = 0, last = 0;  // intensities
  double low = 0;              // flop/s
};

Axes axes_of(const std::vector<Work>& work, const Roof& roof) {
  double least = 0.1, most = 10, low = 1e300, high = 0;
  for (const Work& one : work) {
    least = std::min(least, one.intensity / 2);
    most = std::max(most, one.intensity * 2);
    low = std::min(low, one.before / 2);
    high = std::max({high, one.before * 2, one.after * 2});
  }
  for (const ReportCeiling* peak : roof.peaks) high = std::max(high, peak->value * 1.5);
  return {Scale(ScaleKind::logarithmic, least, most, left, right),
          Scale(ScaleKind::logarithmic, low, high, bottom, top), least, most, low};
}

void draw_axes(Svg& svg, const Axes& axes) {
  for (const double tick : axes.x.ticks()) {
    svg.line(axes.x.at(tick), top, axes.x.at(tick), bottom, "grid");
    svg.text(axes.x.at(tick), bottom + 14, tick_text(tick), "tick", Anchor::middle);
  }
  for (const double tick : axes.y.ticks()) {
    svg.line(left, axes.y.at(tick), right, axes.y.at(tick), "grid");
    svg.text(left - 6, axes.y.at(tick) + 4, tick_text(tick * 1e-9), "tick", Anchor::end);
  }
  svg.text((left + right) / 2, bottom + 32, "flop per byte", "label", Anchor::middle);
}

// The roof under each memory speed with the highest peak, and a level for each lower peak.
void draw_roof(Svg& svg, const Roof& roof, const Axes& axes) {
  double highest = 0;
  for (const ReportCeiling* peak : roof.peaks) highest = std::max(highest, peak->value);
  for (const ReportCeiling* speed : roof.speeds) {
    const double ridge = highest > 0 ? std::min(highest / speed->value, axes.last) : axes.last;
    const double start = std::max(axes.first, axes.low / speed->value);
    if (!(ridge > start)) continue;
    std::vector<std::pair<double, double>> points;
    constexpr int steps = 24;
    for (int i = 0; i <= steps; ++i) {
      const double x = start * std::pow(ridge / start, static_cast<double>(i) / steps);
      points.emplace_back(axes.x.at(x), axes.y.at(x * speed->value));
    }
    svg.polyline(points, "roof", speed->name + ": " + tick_text(speed->value * 1e-9) + " GB/s");
  }
  for (const ReportCeiling* peak : roof.peaks) {
    svg.polyline(
        {{axes.x.at(axes.first), axes.y.at(peak->value)}, {axes.x.at(axes.last), axes.y.at(peak->value)}},
        "roof", peak->name + ": " + tick_text(peak->value * 1e-9) + " Gflop/s");
    svg.text(right, axes.y.at(peak->value) - 4, peak->name, "tick", Anchor::end);
  }
}

void draw_work(Svg& svg, const Work& one, const Axes& axes) {
  const double x = axes.x.at(one.intensity);
  if (one.after > 0) {
    svg.line(x, axes.y.at(one.before), x, axes.y.at(one.after), "join");
    svg.circle(x, axes.y.at(one.after), 4.5, "f1",
               one.hotspot->name + ", winner: " + tick_text(one.after * 1e-9) + " Gflop/s");
  }
  svg.circle(x, axes.y.at(one.before), 4, "hollow",
             one.hotspot->name + ", original: " + tick_text(one.before * 1e-9) + " Gflop/s");
}

}  // namespace

std::string roofline_chart(const ReportData& data) {
  if (data.ceilings.empty()) return {};
  const std::vector<Work> work = work_of(data);
  const Roof roof = roof_of(data);
  if (work.empty() || (roof.speeds.empty() && roof.peaks.empty())) return {};
  const Axes axes = axes_of(work, roof);
  Svg svg(width, bottom + 36, "Roofline");
  draw_axes(svg, axes);
  draw_roof(svg, roof, axes);
  for (const Work& one : work) draw_work(svg, one, axes);
  return "<figure>" + svg.str() +
         "<figcaption>Gflop/s against declared flop per byte: hollow the original, filled the winner, lines "
         "what the "
         "device was measured to reach (a slope for each size of working set). Points above a slope work "
         "from "
         "caches.</figcaption></figure>\n";
}

}  // namespace noctune
