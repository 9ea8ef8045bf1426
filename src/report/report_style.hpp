// How the report writes factors, intervals and colour.
#pragma once

#include <string>

#include "report/report.hpp"

namespace noctune {

std::string factor(double value);               // "2.92x"; "-" when unknown
std::string interval(double low, double high);  // "2.85 to 2.99"
std::string emphasised(const std::string& text, const ReportOptions& options);
// In the colour of a verdict: green for gains, red for failures, else plain.
std::string coloured(const std::string& text, const std::string& verdict, const ReportOptions& options);

}  // namespace noctune
