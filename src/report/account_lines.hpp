// How accounts of `noctune try` are laid out: a name, a state and text beside them, wrapped.
#pragma once

#include <string>

#include "report/report.hpp"

namespace noctune {

enum class GateState { passed, refused, not_reached };

// "  name       text", what does not fit in lines below the text.
std::string fact_line(const std::string& name, const std::string& text, const ReportOptions& options);
// "  name       passed    text"
std::string gate_line(const std::string& name, GateState state, const std::string& text,
                      const ReportOptions& options);
// "                       label: text", below a gate's line; empty for an empty text.
std::string note_line(const std::string& label, const std::string& text, const ReportOptions& options);
// Lines of somebody else's output, each cut to the width.
std::string quoted_lines(const std::string& text, const ReportOptions& options);

std::string short_number(double value);                         // "2.2e-16"
std::string counted(long long count, const std::string& what);  // "1 case", "2 cases"

}  // namespace noctune
