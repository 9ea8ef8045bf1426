// A coroutine as the whole of a program's work.
#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/async.hpp"

namespace noctune {

// Runs `io` on the calling thread until the task has ended, whatever else waits there, and returns or
// rethrows what came of it. T has a default. When nothing is left to do before that, a task with a value
// is an error, and one without a value is left.
template <class T>
T run_to_end(asio::io_context& io, Task<T> task) {
  std::exception_ptr failure;
  std::optional<T> result;
  asio::co_spawn(io, std::move(task), [&](std::exception_ptr thrown, T value) {
    failure = thrown;
    result = std::move(value);
    io.stop();
  });
  io.run();
  if (failure) std::rethrow_exception(failure);
  if (!result) throw std::logic_error("a task waits for what can never come");
  return std::move(*result);
}

inline void run_to_end(asio::io_context& io, Task<void> task) {
  std::exception_ptr failure;
  asio::co_spawn(io, std::move(task), [&](std::exception_ptr thrown) {
    failure = thrown;
    io.stop();
  });
  io.run();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace noctune
