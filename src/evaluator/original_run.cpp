#include "evaluator/original_run.hpp"

#include <csignal>
#include <cstdio>

namespace noctune {

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

Step refused_run(const DriverRun& run, const std::string& when) {
  const Verdict verdict = run.verdict();
  if (verdict == Verdict::ok) return {};
  // Most likely met here first: the application's buffers had room behind them.
  const std::string hint = run.outcome.signal == SIGSEGV || run.outcome.signal == SIGBUS
                               ? " (in some calls a buffer ends where memory ends: it may read past one, or "
                                 "count on an alignment)"
                               : "";
  return Refusal{verdict, "the original, run alone " + when + ": " + run.message() + hint,
                 run.outcome.output};
}

}  // namespace noctune
