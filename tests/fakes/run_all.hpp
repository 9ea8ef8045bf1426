// Runs coroutines to their end and rethrows the first exception.
#pragma once

#include <exception>

#include "base/async.hpp"

namespace noctune {

template <class... Tasks>
void run_all(asio::io_context& io, Tasks... tasks) {
  std::exception_ptr failure;
  int open = sizeof...(tasks);
  auto ended = [&](std::exception_ptr thrown) {
    if (thrown && !failure) failure = thrown;
    --open;
  };
  (asio::co_spawn(io, std::move(tasks), ended), ...);
  io.restart();
  while (open > 0) io.run_one();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace noctune
