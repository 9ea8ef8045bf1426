// What is shown to a person who watches: whether there is one, and for how long something has run.
#pragma once

#include <string>

namespace noctune {

// Whether lines on this descriptor may be drawn over. mpirun may give ranks a terminal of its own although
// its output goes to a file, so under a launcher only NOCTUNE_PROGRESS=live asks for it.
bool live_wanted(int descriptor);
std::string clock_text(double seconds);  // "2:03", "1:02:03"

}  // namespace noctune
