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

constexpr std::array<std::pair<Purpose, const char*>, 6> purpose_names = {{
    {Purpose::baseline, "baseline"},
    {Purpose::screen, "screen"},
    {Purpose::check, "check"},
    {Purpose::confirm, "confirm"},
    {Purpose::profile, "profile"},
    {Purpose::null_kernel, "null"},
}};

template <class Names, class Value>
const char* name_in(const Names& names, Value value) {
  for (const auto& [known, name] : names)
    if (known == value) return name;
  throw std::logic_error("an enumerator without a name");
}

template <class Names>
auto value_in(const Names& names, const std::string& text) {
  for (const auto& [value, name] : names)
    if (text == name) return value;
  throw std::invalid_argument("unknown word: " + text);
}

}  // namespace

const char* to_text(Verdict verdict) {
  return name_in(verdict_names, verdict);
}
Verdict verdict_from(const std::string& text) {
  return value_in(verdict_names, text);
}
const char* to_text(Purpose purpose) {
  return name_in(purpose_names, purpose);
}
Purpose purpose_from(const std::string& text) {
  return value_in(purpose_names, text);
}

std::string candidate_sha(const Candidate& candidate) {
  std::string all = candidate.source;
  for (const std::string& flag : candidate.extra_flags) all += '\0' + flag;
  return sha256(all);
}

}  // namespace noctune
