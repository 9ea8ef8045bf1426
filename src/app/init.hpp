// `noctune init`: a starter campaign for kernel files.
#pragma once

#include "app/options.hpp"

namespace noctune {

// Throws UserError where no file has a kernel, or where the campaign's file is there already.
int init_campaign(const Options& options);

}  // namespace noctune
