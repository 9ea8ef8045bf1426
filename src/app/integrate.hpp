// `noctune integrate`: puts a campaign's winners back into copies of their applications, and measures them
// there.
#pragma once

#include "app/options.hpp"

namespace noctune {

// Exit code 0 when every winner was measured in its application, 1 when one was not, 75 when stopped, 76 when
// an answer of the model is outstanding. Throws UserError for bad input.
int integrate(const Options& options);

}  // namespace noctune
