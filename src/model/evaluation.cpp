#include "model/evaluation.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "base/digest.hpp"

namespace noctune {
namespace {

constexpr std::array<std::pair<Verdict, const char*>, 10> verdict_names = {{
    {Verdict::ok, "ok"},
    {Verdict::duplicate, "duplicate"},
    {Verdict::rejected, "rejected"},
    {Verdict::build_failed, "build_failed"},
    {Verdict::build_timeout, "build_timeout"},
    {Verdict::run_failed, "run_failed"},
    {Verdict::run_timeout, "run_timeout"},
    {Verdict::wrong_result, "wrong_result"},
    {Verdict::unstable, "unstable"},
    {Verdict::lost, "lost"},
}};

}  // namespace

const char* to_text(Verdict verdict) {
  for (const auto& [value, name] : verdict_names)
    if (value == verdict) return name;
  throw std::logic_error("verdict without a name");
}

Verdict verdict_from(const std::string& text) {
  for (const auto& [value, name] : verdict_names)
    if (text == name) return value;
  throw std::invalid_argument("unknown verdict: " + text);
}

std::string candidate_sha(const Candidate& candidate) {
  std::string all = candidate.source;
  for (const std::string& flag : candidate.extra_flags) all += '\0' + flag;
  return sha256(all);
}

}  // namespace noctune
