#include "report/report_style.hpp"

#include <cmath>

#include "base/text.hpp"

namespace noctune {
namespace {

std::string escaped(const std::string& text, const char* code) {
  return "\x1b[" + std::string(code) + "m" + text + "\x1b[0m";
}

// Small gains need more digits than large ones.
int digits_for(double value) {
  return std::abs(value) < 2 ? 3 : std::abs(value) < 100 ? 2 : 0;
}

}  // namespace

std::string factor(double value) {
  return std::isfinite(value) ? fixed(value, digits_for(value)) + "x" : "-";
}

std::string interval(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return "-";
  const int digits = digits_for(high);
  return fixed(low, digits) + " to " + fixed(high, digits);
}

std::string emphasised(const std::string& text, const ReportOptions& options) {
  return options.colour ? escaped(text, "1") : text;
}

std::string coloured(const std::string& text, const std::string& verdict, const ReportOptions& options) {
  if (!options.colour) return text;
  if (verdict == "faster" || verdict == "ok") return escaped(text, "32");
  if (verdict == "failed" || verdict == "slower") return escaped(text, "31");
  return text;
}

}  // namespace noctune
