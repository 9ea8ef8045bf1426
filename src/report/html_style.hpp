// The style sheet of the HTML report.
#pragma once

namespace noctune {

extern const char* const html_style;

}  // namespace noctune
