// C++ text with the same length and line ends, in which only code is left: comments, the insides of literals,
// preprocessor lines and branches that conditional compilation would not take are blank. Positions in the
// mask are positions in the source.
#pragma once

#include <string>

namespace noctune {

std::string code_mask(const std::string& source);

}  // namespace noctune
