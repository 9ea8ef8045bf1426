// Text from outside is bytes until it has been through here.
#pragma once

#include <string>
#include <string_view>

namespace noctune {

// Valid UTF-8: every maximal part of an invalid sequence (overlong, surrogate, cut, stray) becomes one
// U+FFFD, as the Unicode standard recommends. Valid text comes back unchanged.
std::string repaired_utf8(std::string_view bytes);

bool valid_utf8(std::string_view bytes);

}  // namespace noctune
