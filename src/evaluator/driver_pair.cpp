// Timed pairs: two drivers that pass a turn token.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio/experimental/awaitable_operators.hpp>
#include <cerrno>

#include "base/clock.hpp"
#include "evaluator/driver_launch.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

// Numbers the inherited descriptors have in a driver, beside its report's.
constexpr int token_in_number = 4, token_out_number = 5, opening_number = 6;

Result<std::array<Descriptor, 2>> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail("cannot make a pipe", errno_text(errno));
  return std::array<Descriptor, 2>{Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

struct DriverRunner::Sides {
  Launch a, b;
  EarlyStart early;
  // Of a pair that starts early: where side 'a' waits for the token. Both ends, so that writing into it
  // raises no SIGPIPE.
  std::array<Descriptor, 2> token;
  bool ended = false;  // one of them
  double waited = 0;   // s, for the turn
};

Result<std::shared_ptr<DriverRunner::Sides>> DriverRunner::make_sides(const fs::path& driver,
                                                                      const fs::path& plugin_a,
                                                                      const fs::path& plugin_b, TimeRun work,
                                                                      DriverLimits limits, EarlyStart early) {
  const bool waits = static_cast<bool>(early.turn);
  work.token_in = token_in_number;
  work.token_out = token_out_number;
  work.starts_early = waits;
  if (early.opening) work.opening_fd = opening_number;
  if (waits) limits.seconds += early.patience_s;
  TimeRun work_a = work, work_b = std::move(work);
  work_a.side = 'a';
  work_b.side = 'b';
  auto to_b = make_pipe(), to_a = make_pipe();
  if (!to_b) return Failure(to_b.error());
  if (!to_a) return Failure(to_a.error());
  std::array<Descriptor, 2> token;
  for (std::size_t end = 0; waits && end < token.size(); ++end) {
    token[end] = Descriptor(::fcntl((*to_a)[end].get(), F_DUPFD_CLOEXEC, 0));
    if (!token[end]) return fail("cannot copy a descriptor", errno_text(errno));
  }
  Result<Launch> a = make_launch(driver, plugin_a, std::move(work_a), limits);
  if (!a) return Failure(a.error());
  Result<Launch> b = make_launch(driver, plugin_b, std::move(work_b), limits);
  if (!b) return Failure(b.error());
  a->pipes.push_back(std::move((*to_a)[0]));
  a->pipes.push_back(std::move((*to_b)[1]));
  b->pipes.push_back(std::move((*to_b)[0]));
  b->pipes.push_back(std::move((*to_a)[1]));
  for (Launch* side : {&*a, &*b}) {
    side->request.descriptors.emplace_back(side->pipes[0].get(), token_in_number);
    side->request.descriptors.emplace_back(side->pipes[1].get(), token_out_number);
    if (early.opening) side->request.descriptors.emplace_back(early.opening.get(), opening_number);
  }
  return std::make_shared<Sides>(Sides{std::move(*a), std::move(*b), std::move(early), std::move(token)});
}

Task<ChildOutcome> DriverRunner::run_side(std::shared_ptr<Sides> sides, char side) {
  ChildRequest request = (side == 'a' ? sides->a : sides->b).request;
  ChildOutcome outcome = co_await helper_.run(std::move(request));
  sides->ended = true;
  co_return outcome;
}

// Once both children have their copies ours must go, or neither would see the other's death.
Task<bool> DriverRunner::let_run(std::shared_ptr<Sides> sides) {
  co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
  sides->a.pipes.clear();
  sides->b.pipes.clear();
  sides->early.opening.reset();
  if (!sides->early.turn) co_return true;
  const Stopwatch watch;
  const bool theirs = co_await sides->early.turn();
  sides->waited = watch.seconds();
  const std::array<Descriptor, 2> token = std::move(sides->token);
  if (!theirs || sides->ended || sides->waited > sides->early.patience_s) co_return false;
  co_return ::write(token[1].get(), "a", 1) == 1;
}

Task<DriverRunner::Pair> DriverRunner::run_pair(fs::path driver, fs::path plugin_a, fs::path plugin_b,
                                                TimeRun work, DriverLimits limits, EarlyStart early) {
  using namespace asio::experimental::awaitable_operators;
  Pair out;
  Result<std::shared_ptr<Sides>> made =
      make_sides(driver, plugin_a, plugin_b, std::move(work), std::move(limits), std::move(early));
  if (!made) {
    out.a.outcome.reason = out.b.outcome.reason = "cannot prepare a timing pair: " + made.error().text();
    co_return out;
  }
  const std::shared_ptr<Sides> sides = *made;
  auto [outcome_a, outcome_b, let] =
      co_await (run_side(sides, 'a') && run_side(sides, 'b') && let_run(sides));
  outcome_a.seconds = std::max(0.0, outcome_a.seconds - sides->waited);
  outcome_b.seconds = std::max(0.0, outcome_b.seconds - sides->waited);
  std::shared_ptr<Launch> a(sides, &sides->a), b(sides, &sides->b);
  out.a = co_await finish(std::move(a), std::move(outcome_a));
  out.b = co_await finish(std::move(b), std::move(outcome_b));
  out.had_turn = let;
  co_return out;
}

}  // namespace noctune
