#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "report/html_charts.hpp"
#include "report/svg.hpp"
#include "report/text_table.hpp"

// Evaluations are gathered into slices of time, so that the chart's size does not grow with their number: a
// column's parts are the shares of its slice that went into building, checking and timing, and of what is
// left the share in which some call of the model was open.

namespace noctune {
namespace {

constexpr double width = 940, left = 132, right = 930;
constexpr int most_devices = 64;
constexpr int all_slices = 12000;  // over all devices
constexpr std::size_t longest_name = 18;

enum Stage { building, checking, timing, asking, stages };
using Slice = std::array<double, stages>;

struct Lane {
  std::string name;
  std::vector<Slice> slices;
};

struct Span {
  double first = 0, last = 0;
};

double end_of(const ReportEvaluation& one) {
  return one.started + one.build + one.check + one.time;
}

Span span_of(const ReportData& data) {
  Span out{1e300, 0};
  for (const ReportEvaluation& one : data.evaluations) {
    if (!(one.started > 0) || !std::isfinite(end_of(one))) continue;
    out.first = std::min(out.first, one.started);
    out.last = std::max(out.last, end_of(one));
  }
  return out;
}

void add(std::vector<Slice>& slices, Stage stage, double start, double seconds, const Span& span) {
  if (!(seconds > 0)) return;
  const auto count = static_cast<double>(slices.size());
  const double slice = (span.last - span.first) / count;
  const double first = std::clamp((start - span.first) / slice, 0.0, count);
  const double last = std::clamp((start + seconds - span.first) / slice, 0.0, count);
  for (auto i = static_cast<std::size_t>(first); static_cast<double>(i) < last; ++i) {
    const auto begin = static_cast<double>(i);
    slices[i][static_cast<std::size_t>(stage)] += std::min(last, begin + 1) - std::max(first, begin);
  }
}

// Spans in which at least one call of the model was open, in order.
std::vector<Span> open_calls(const ReportData& data) {
  std::vector<Span> calls, out;
  for (const ReportCall& call : data.calls)
    if (call.sent > 0 && call.seconds > 0) calls.push_back({call.sent, call.sent + call.seconds});
  std::sort(calls.begin(), calls.end(), [](const Span& a, const Span& b) { return a.first < b.first; });
  for (const Span& call : calls) {
    if (out.empty() || call.first > out.back().last)
      out.push_back(call);
    else
      out.back().last = std::max(out.back().last, call.last);
  }
  return out;
}

// What a device leaves of a slice it may have spent waiting for the model.
void add_asking(Lane& lane, const std::vector<Slice>& model) {
  for (std::size_t i = 0; i < lane.slices.size(); ++i) {
    Slice& slice = lane.slices[i];
    const double rest = 1 - slice[building] - slice[checking] - slice[timing];
    slice[asking] = std::clamp(rest, 0.0, model[i][asking]);
  }
}

std::map<long long, Lane> lanes_of(const ReportData& data, const Span& span) {
  std::map<long long, Lane> out;
  const auto shown = std::clamp<std::size_t>(data.devices.size(), 1, most_devices);
  const auto slices =
      static_cast<std::size_t>(std::clamp<int>(all_slices / static_cast<int>(shown), 60, 400));
  for (std::size_t i = 0; i < std::min(data.devices.size(), shown); ++i) {
    const ReportDevice& device = data.devices[i];
    out[device.id] = {"rank " + std::to_string(device.rank) + ", " + device.host, std::vector<Slice>(slices)};
  }
  for (const ReportEvaluation& one : data.evaluations) {
    const auto lane = out.find(one.device);
    if (lane == out.end() || !(one.started > 0)) continue;
    add(lane->second.slices, building, one.started, one.build, span);
    add(lane->second.slices, checking, one.started + one.build, one.check, span);
    add(lane->second.slices, timing, one.started + one.build + one.check, one.time, span);
  }
  std::vector<Slice> model(slices);
  for (const Span& call : open_calls(data)) add(model, asking, call.first, call.last - call.first, span);
  for (auto& [id, lane] : out) add_asking(lane, model);
  return out;
}

void draw_lane(Svg& svg, const Lane& lane, double y, double height) {
  svg.text(left - 8, y + height / 2 + 4, shortened(lane.name, longest_name), "label", Anchor::end);
  svg.rect(left, y, right - left, height, "idle");
  const double step = (right - left) / static_cast<double>(lane.slices.size());
  std::array<std::vector<Svg::Box>, stages> boxes;
  for (std::size_t i = 0; i < lane.slices.size(); ++i) {
    const Slice& slice = lane.slices[i];
    const double sum = slice[building] + slice[checking] + slice[timing] + slice[asking];
    const double scale = height / std::max(sum, 1.0);  // builds run ahead of measurements
    double base = y + height;
    for (const Stage stage : {timing, checking, building, asking}) {
      const double part = slice[stage] * scale;
      if (part < 0.1) continue;
      base -= part;
      boxes[stage].push_back({left + step * static_cast<double>(i), base, step + 0.05, part});
    }
  }
  svg.boxes(boxes[building], "f2", lane.name + ": building");
  svg.boxes(boxes[checking], "f4", lane.name + ": checking");
  svg.boxes(boxes[timing], "f1", lane.name + ": timing");
  svg.boxes(boxes[asking], "f5", lane.name + ": idle while the model was asked");
}

// Round numbers of the unit that fits the whole.
void draw_clock(Svg& svg, const Span& span, double y) {
  constexpr double minute = 60, hour = 3600;
  const double seconds = span.last - span.first;
  const double unit = seconds > 3 * hour ? hour : seconds > 3 * minute ? minute : 1;
  const char* name = unit == hour ? " h" : unit == minute ? " min" : " s";
  const Scale scale(ScaleKind::linear, 0, seconds / unit, left, right);
  for (const double tick : scale.ticks())
    svg.text(scale.at(tick), y, tick_text(tick) + name, "tick", Anchor::middle);
}

}  // namespace

std::string timeline_chart(const ReportData& data) {
  const Span span = span_of(data);
  if (data.devices.empty() || !(span.last > span.first)) return {};
  const std::map<long long, Lane> lanes = lanes_of(data, span);
  const double height = lanes.size() > 16 ? 14 : 26, gap = 4, top = 6;
  const double bottom = top + (height + gap) * static_cast<double>(lanes.size());
  Svg svg(width, bottom + 22, "What every device did when");
  double y = top;
  for (const auto& [id, lane] : lanes) {
    draw_lane(svg, lane, y, height);
    y += height + gap;
  }
  draw_clock(svg, span, bottom + 14);
  std::string out =
      "<figure class=\"scroll\">" + svg.str() +
      "<figcaption>Share of each slice of time by device since the first evaluation.<span class=\"key "
      "k2\"></span>building<span class=\"key k4\"></span>checking<span class=\"key "
      "k1\"></span>timing<span class=\"key k5\"></span>idle while the model was asked; what is left is idle.";
  if (data.devices.size() > most_devices)
    out += " The first " + std::to_string(most_devices) + " of " + std::to_string(data.devices.size()) +
           " devices.";
  return out + "</figcaption></figure>\n";
}

}  // namespace noctune
