// Finds by trying how strong the sandbox can be without hindering honest work.
#pragma once

#include "evaluator/sandbox_level.hpp"
#include "evaluator/workbench.hpp"

namespace noctune {

// Builds, loads and runs the hello kernel as candidates are. What it needs goes on to the real ones: the
// driver's runtime is compiled once. Returns why it failed, or nothing.
Task<std::string> try_hello(Bench& bench, PlatformSettings platform);

// Lowers bench.sandbox and state.level to the strongest level at which hello works. Where it works at none,
// the sandbox is not the cause and stays as it is.
Task<void> settle_sandbox(Bench& bench, PlatformSettings platform, SandboxState& state);

}  // namespace noctune
