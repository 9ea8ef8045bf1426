// Runs many coroutines at once and returns all their values, in order.
#pragma once

#include <exception>
#include <memory>
#include <vector>

#include "base/async.hpp"

namespace noctune {

// The first exception is thrown again once all have ended.
template <class T>
Task<std::vector<T>> gather(asio::io_context& io, std::vector<Task<T>> tasks) {
  struct State {
    explicit State(asio::io_context& context) : changed(context) {}
    std::vector<std::optional<T>> values;
    std::size_t open = 0;
    std::exception_ptr failure;
    Signal changed;
  };
  auto state = std::make_shared<State>(io);
  state->values.resize(tasks.size());
  state->open = tasks.size();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    auto run = [](std::shared_ptr<State> shared, std::size_t index, Task<T> task) -> Task<void> {
      try {
        T value = co_await std::move(task);
        shared->values[index] = std::move(value);
      } catch (...) {
        if (!shared->failure) shared->failure = std::current_exception();
      }
      --shared->open;
      shared->changed.notify();
    };
    asio::co_spawn(io, run(state, i, std::move(tasks[i])), asio::detached);
  }
  while (state->open > 0) co_await state->changed.wait();
  if (state->failure) std::rethrow_exception(state->failure);
  std::vector<T> out;
  for (auto& value : state->values) out.push_back(std::move(*value));
  co_return out;
}

}  // namespace noctune
