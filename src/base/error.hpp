// What went wrong, said so that a person can act: problem, reason, hint.
// Below the coordinator a failure is a value (Result); misuse and bad configuration throw UserError,
// caught once in main.
#pragma once

#include <stdexcept>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace noctune {

struct Error {
  std::string problem;
  std::string reason = {};
  std::string hint = {};

  std::string text() const;
};

template <class T>
using Result = tl::expected<T, Error>;
using Failure = tl::unexpected<Error>;

inline Failure fail(std::string problem, std::string reason = {}, std::string hint = {}) {
  return Failure(Error{std::move(problem), std::move(reason), std::move(hint)});
}

// The program's exit codes, as documented in `noctune --help`.
enum class Exit {
  ok = 0,
  failure = 1,
  usage = 2,
  no_device = 3,
  no_baseline = 4,
  resumable = 75,
  waiting = 76
};

class UserError : public std::runtime_error {
 public:
  explicit UserError(const Error& error, Exit code = Exit::usage)
      : std::runtime_error(error.text()), code_(code) {}
  Exit code() const { return code_; }

 private:
  Exit code_;
};

// The value, or its error as a UserError: the one bridge from results to exceptions.
template <class T>
T value_or_throw(Result<T> result, Exit code = Exit::usage) {
  if (!result) throw UserError(result.error(), code);
  return std::move(*result);
}
inline void value_or_throw(Result<void> result, Exit code = Exit::usage) {
  if (!result) throw UserError(result.error(), code);
}

}  // namespace noctune
