#include "report/gate_advice.hpp"

#include <sstream>

#include "base/text.hpp"

namespace noctune {
namespace {

// The name under which the evaluator compiles every version.
constexpr const char* compiled_name = "candidate.cpp";

std::string for_rejected(const Evaluation& refused, const PrepareTask& setup) {
  if (refused.message.find("defines no entry") != std::string::npos)
    return "define extern \"C\" void " + setup.mep.spec.entry +
           "(...) with exactly the original's parameters in the original's order";
  if (!refused.binary_sha.empty())
    return "take these calls out; a version may compute, allocate memory and use OpenMP, nothing else that "
           "the original does not do itself";
  return "put everything the version needs into its one file; only standard headers and context.hpp may be "
         "included";
}

std::string for_build_failed(const PrepareTask& setup) {
  std::string flags = setup.platform.compiler;
  for (const std::string& flag : setup.mep.flags) flags += " " + flag;
  return "mend the first error; it was compiled by `" + flags +
         "` with context.hpp, which declares the entry, in front of it";
}

std::string for_wrong_result(const Evaluation& refused) {
  if (refused.message.find("outside a buffer") != std::string::npos)
    return "look at the loop bounds at these sizes; they are multiples of nothing on purpose";
  if (refused.check.passed)
    return "a state kept between calls (static data, a call counter) is the usual cause; every call must "
           "compute everything anew";
  if (refused.message.find("invariant: ") != std::string::npos)
    return "these are the words of the spec's own check.invariants; any result that keeps what it asks for "
           "passes";
  return "compare with the original at these sizes; where only the order of summation differs and you accept "
         "the error, set check.tolerance with check.reason in the spec";
}

}  // namespace

std::string advice_for(const Evaluation& refused, const PrepareTask& setup) {
  switch (refused.verdict) {
    case Verdict::rejected:
      return for_rejected(refused, setup);
    case Verdict::build_failed:
      return for_build_failed(setup);
    case Verdict::build_timeout:
      return "make it smaller, or allow more with --set limits.build_s=" + fixed(2 * setup.limits.build_s, 0);
    case Verdict::run_failed:
      return "run it on its own at these sizes under a debugger or with -fsanitize=address,undefined";
    case Verdict::run_timeout:
      return "look for a loop that does not end; if it is only slow, allow more with --set limits.run_s=" +
             fixed(2 * setup.limits.run_s, 0);
    case Verdict::wrong_result:
      return for_wrong_result(refused);
    case Verdict::unstable:
      return "the machine may be too busy to measure: run the same command again when it is quieter";
    case Verdict::lost:
      return "this was no fault of the version: run the same command again, and `noctune doctor` if it stays";
    case Verdict::ok:
    case Verdict::duplicate:
      break;
  }
  return {};
}

std::string shortened_diagnostics(const std::string& diagnostics, const std::string& file, int lines) {
  std::istringstream all(diagnostics);
  std::string out, line;
  int shown = 0, more = 0;
  while (std::getline(all, line)) {
    if (shown == lines) {
      ++more;
      continue;
    }
    for (auto at = line.find(compiled_name); at != std::string::npos; at = line.find(compiled_name, at)) {
      const auto start = line.find_last_of(" `'\"(", at);
      const std::size_t from = start == std::string::npos ? 0 : start + 1;
      line.replace(from, at + std::string(compiled_name).size() - from, file);
      at = from + file.size();
    }
    out += line + "\n";
    ++shown;
  }
  if (more > 0) out += "... and " + std::to_string(more) + " more lines\n";
  return out;
}

}  // namespace noctune
