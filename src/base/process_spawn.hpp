// Starting and ending the sandbox helper as a process; process.cpp speaks with it.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/confinement.hpp"
#include "base/error.hpp"
#include "base/files.hpp"

namespace noctune {

struct SpawnedHelper {
  Descriptor socket;
  pid_t pid = -1;
};

Result<SpawnedHelper> spawn_helper(const std::string& path);
// Waits for its first word, which tells what it can keep children from.
Result<SandboxSupport> await_hello(const SpawnedHelper& helper, double longest_s);
// Closes the socket, which ends it, and waits for that; kills it when that takes longer. Says how it ended.
std::string end_helper(SpawnedHelper& helper, double longest_s);

}  // namespace noctune
