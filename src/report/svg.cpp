#include "report/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace noctune {
namespace {

std::string coordinate(double value) {
  std::string out = fixed(std::isfinite(value) ? value : 0, 1);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out == "-0" ? "0" : out;
}

std::string attribute(const char* name, double value) {
  return " " + std::string(name) + "=\"" + coordinate(value) + "\"";
}

std::string styled(const std::string& style) {
  return " class=\"" + escaped_html(style) + "\"";
}

// 1, 2 or 5 times a power of ten, so that about `wanted` steps fill the range.
double round_step(double range, int wanted) {
  const double rough = range / wanted, power = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

// The denser, the shorter the logarithmic scale.
std::vector<double> digits_for(double decades) {
  if (decades < 1.1) return {1, 1.5, 2, 3, 4, 5, 7};
  if (decades < 2.2) return {1, 2, 5};
  return {1};
}

}  // namespace

std::string escaped_html(std::string_view text) {
  std::string out;
  for (const char one : repaired_utf8(text)) {
    if (one == '&') {
      out += "&amp;";
    } else if (one == '<') {
      out += "&lt;";
    } else if (one == '>') {
      out += "&gt;";
    } else if (one == '"') {
      out += "&quot;";
    } else if (static_cast<unsigned char>(one) < 0x20 && one != '\n' && one != '\t') {
      out += ' ';
    } else {
      out += one;
    }
  }
  return out;
}

Svg::Svg(double width, double height, std::string title)
    : width_(width), height_(height), title_(std::move(title)) {}

void Svg::close(const std::string& tag, const std::string& tooltip) {
  body_ += tooltip.empty() ? "/>\n" : "><title>" + escaped_html(tooltip) + "</title></" + tag + ">\n";
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& style) {
  body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
           styled(style);
  close("line", {});
}

void Svg::rect(double x, double y, double width, double height, const std::string& style,
               const std::string& tooltip) {
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", std::max(width, 0.0)) +
           attribute("height", std::max(height, 0.0)) + styled(style);
  close("rect", tooltip);
}

void Svg::circle(double x, double y, double radius, const std::string& style, const std::string& tooltip) {
  body_ += "<circle" + attribute("cx", x) + attribute("cy", y) + attribute("r", radius) + styled(style);
  close("circle", tooltip);
}

void Svg::polyline(const std::vector<std::pair<double, double>>& points, const std::string& style,
                   const std::string& tooltip) {
  body_ += "<polyline points=\"";
  for (const auto& [x, y] : points) body_ += coordinate(x) + "," + coordinate(y) + " ";
  body_ += "\"" + styled(style);
  close("polyline", tooltip);
}

void Svg::boxes(const std::vector<Box>& boxes, const std::string& style, const std::string& tooltip) {
  if (boxes.empty()) return;
  body_ += "<path d=\"";
  for (const Box& box : boxes)
    body_ += "M" + coordinate(box.x) + " " + coordinate(box.y) + "h" + coordinate(box.width) + "v" +
             coordinate(box.height) + "h-" + coordinate(box.width) + "z";
  body_ += "\"" + styled(style);
  close("path", tooltip);
}

void Svg::text(double x, double y, const std::string& text, const std::string& style, Anchor anchor) {
  const char* where = anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
  body_ += "<text" + attribute("x", x) + attribute("y", y) + styled(style) + " text-anchor=\"" + where +
           "\">" + escaped_html(text) + "</text>\n";
}

std::string Svg::str() const {
  return "<svg viewBox=\"0 0 " + coordinate(width_) + " " + coordinate(height_) +
         "\" role=\"img\" aria-label=\"" + escaped_html(title_) + "\">\n" + body_ + "</svg>\n";
}

Scale::Scale(ScaleKind kind, double first, double last, double from, double to)
    : kind_(kind), first_(first), last_(last), from_(from), to_(to) {
  if (kind_ == ScaleKind::logarithmic && !(first_ > 0)) first_ = 1;
  if (!(last_ > first_)) last_ = kind_ == ScaleKind::logarithmic ? 2 * first_ : first_ + 1;
}

double Scale::at(double value) const {
  const bool log = kind_ == ScaleKind::logarithmic;
  double share =
      log ? std::log(value / first_) / std::log(last_ / first_) : (value - first_) / (last_ - first_);
  if (std::isnan(share)) share = 0;
  return from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
}

std::vector<double> Scale::ticks() const {
  std::vector<double> out;
  if (kind_ == ScaleKind::linear || last_ / first_ < 3) {
    const double step = round_step(last_ - first_, 5);
    for (double value = std::ceil(first_ / step) * step; value <= last_ + 1e-9 * step && out.size() < 20;
         value += step)
      out.push_back(std::abs(value) < 1e-9 * step ? 0 : value);
    return out;
  }
  const double decades = std::log10(last_ / first_);
  const int first = static_cast<int>(std::floor(std::log10(first_)));
  const int last = static_cast<int>(std::ceil(std::log10(last_)));
  const int stride = std::max(1, static_cast<int>(decades / 6));
  for (int power = first; power <= last; power += stride)
    for (const double digit : digits_for(decades)) {
      const double value = digit * std::pow(10, power);
      if (value >= first_ * 0.999 && value <= last_ * 1.001) out.push_back(value);
    }
  return out;
}

std::string tick_text(double value) {
  char out[32];
  const double size = std::abs(value);
  const bool plain = size >= 1000 && size < 1e6;  // where %g would write an exponent
  std::snprintf(out, sizeof out, plain ? "%.0f" : "%.3g", value);
  return out;
}

}  // namespace noctune
