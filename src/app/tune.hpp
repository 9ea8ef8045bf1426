// `noctune tune`: start, resume and dry run of a campaign.
#pragma once

#include "app/options.hpp"

namespace noctune {

// Runs on every rank. Returns the exit code; throws UserError for bad input before anything is written.
int tune(const Options& options, int* argc, char*** argv);

}  // namespace noctune
