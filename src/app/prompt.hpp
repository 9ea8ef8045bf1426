// `noctune prompt`: what a model would be sent about a hotspot, word for word, and sends nothing.
#pragma once

#include "app/options.hpp"

namespace noctune {

int prompt(const Options& options);

}  // namespace noctune
