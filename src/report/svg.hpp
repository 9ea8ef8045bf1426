// Charts as SVG text. Colours come from classes, so that the page's style sheet decides light and dark.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace noctune {

// Safe in HTML and SVG text and in quoted attributes; invalid UTF-8 and control characters are replaced.
std::string escaped_html(std::string_view text);

enum class Anchor { start, middle, end };

// Coordinates grow to the right and downwards. A tooltip is shown where the pointer rests and is read aloud.
class Svg {
 public:
  Svg(double width, double height, std::string title);
  void line(double x1, double y1, double x2, double y2, const std::string& style);
  void rect(double x, double y, double width, double height, const std::string& style,
            const std::string& tooltip = {});
  void circle(double x, double y, double radius, const std::string& style, const std::string& tooltip = {});
  void polyline(const std::vector<std::pair<double, double>>& points, const std::string& style,
                const std::string& tooltip = {});
  // Many filled boxes in one element: (x, y, width, height).
  struct Box {
    double x = 0, y = 0, width = 0, height = 0;
  };
  void boxes(const std::vector<Box>& boxes, const std::string& style, const std::string& tooltip = {});
  void text(double x, double y, const std::string& text, const std::string& style = "label",
            Anchor anchor = Anchor::start);
  std::string str() const;

 private:
  void close(const std::string& tag, const std::string& tooltip);
  double width_, height_;
  std::string title_, body_;
};

enum class ScaleKind { linear, logarithmic };

// From values to coordinates.
class Scale {
 public:
  // `first` and `last` are values, `from` and `to` coordinates. A logarithmic scale takes positive values.
  Scale(ScaleKind kind, double first, double last, double from, double to);
  double at(double value) const;  // kept within the coordinates
  // A few round values within the range.
  std::vector<double> ticks() const;

 private:
  ScaleKind kind_;
  double first_, last_, from_, to_;
};

// "0.5", "20", "3e12": short labels of axes.
std::string tick_text(double value);

}  // namespace noctune
