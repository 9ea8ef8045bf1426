// `noctune relay`: answers the requests of a spool from a node that has a network.
#pragma once

#include "app/chat_endpoint.hpp"
#include "app/options.hpp"

namespace noctune {

// Runs until a signal, the spool's STOP file, or --once with nothing left. Exit code 1 when the endpoint can
// answer nobody (key refused, quota gone).
int relay(const Options& options, const ChatFactory& factory = make_endpoint);

}  // namespace noctune
