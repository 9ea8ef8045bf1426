// A running sandbox helper, and requests for the misbehaving child.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "base/files.hpp"
#include "base/process.hpp"
#include "places.hpp"

namespace noctune {

// Or one that starts it as on an older kernel.
inline std::string built_helper() {
  const char* chosen = std::getenv("NOCTUNE_TEST_HELPER");
  return chosen ? chosen : NOCTUNE_BINARY_DIR "/bin/noctune-sandbox";
}

inline ChildRequest misbehave(std::string mode, std::string argument = {}) {
  ChildRequest request;
  request.argv = {NOCTUNE_BINARY_DIR "/tests/bin/noctune-misbehave", std::move(mode), std::move(argument)};
  request.environment = {"PATH=/usr/bin:/bin"};
  request.deadline_s = 20;
  request.grace_s = 0.1;
  return request;
}

inline ChildRequest shell(std::string script) {
  ChildRequest request = misbehave("");
  request.argv = {"sh", "-c", std::move(script)};
  return request;
}

inline asio::awaitable<void> run_into(ProcessHelper& helper, ChildRequest request, ChildOutcome& outcome) {
  asio::awaitable<ChildOutcome> work = helper.run(std::move(request));
  outcome = co_await std::move(work);
}

class SandboxTest : public testing::Test {
 protected:
  SandboxTest() : helper_(value_or_throw(ProcessHelper::start(built_helper()))) { helper_.attach(io_); }

  std::vector<ChildOutcome> run_all(std::vector<ChildRequest> requests,
                                    const std::function<void()>& meanwhile = {}) {
    std::vector<ChildOutcome> outcomes(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i)
      asio::co_spawn(io_, run_into(helper_, std::move(requests[i]), outcomes[i]), asio::detached);
    io_.restart();
    if (meanwhile) {
      io_.poll();
      meanwhile();
    }
    io_.run();
    return outcomes;
  }
  ChildOutcome run(ChildRequest request) { return run_all({std::move(request)}).front(); }

  static bool alive(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return (file >> number >> name >> state) && state != "Z" && state != "X";
  }
  static pid_t pid_in(const std::string& path) {
    pid_t pid = 0;
    std::ifstream(path) >> pid;
    return pid;
  }
  std::string scratch(const std::string& name) const { return (folder_.path() / name).string(); }

  asio::io_context io_;
  ProcessHelper helper_;
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

}  // namespace noctune
