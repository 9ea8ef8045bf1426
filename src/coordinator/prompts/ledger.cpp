#include "coordinator/prompts/ledger.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "coordinator/prompts/failure.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "evaluator/gain.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest_idea = 160, longest_reason = 160;

std::string idea(const Candidate& candidate) {
  std::string names;
  for (const std::string& one : candidate.strategies) names += (names.empty() ? "" : ", ") + one;
  std::string out = names;
  if (!candidate.hypothesis.empty() && candidate.hypothesis != names)
    out += (out.empty() ? "" : ": ") + candidate.hypothesis;
  return one_line(out.empty() ? "no reason given" : out, longest_idea);
}

std::string outcome(const std::vector<Attempt>& history, const Attempt& attempt) {
  if (attempt.pending) return "being measured";
  if (attempt.verdict == Verdict::duplicate) return "duplicate: the same program as an earlier version";
  if (attempt.verdict != Verdict::ok)
    return std::string(to_text(attempt.verdict)) + ": " +
           without_paths(without_fences(one_line(attempt.message, longest_reason)));
  return fixed(attempt.speedup, 2) + "x the speed of " + version_name(history, attempt.candidate.base) +
         (attempt.total_speedup > 0 ? ", " + fixed(attempt.total_speedup, 2) + "x the original" : "") +
         (is_win(attempt)                                        ? ""
          : time_saved(attempt.speedup) < -attempt.smallest_gain ? ", slower"
                                                                 : ", no real difference");
}

std::string line_of(const std::vector<Attempt>& history, const Attempt& attempt) {
  const std::string kind =
      attempt.candidate.kind.empty() ? "" : " [" + one_line(attempt.candidate.kind, 40) + "]";
  return "- " + version_name(history, attempt.candidate.id) + kind + " " + idea(attempt.candidate) + " -> " +
         outcome(history, attempt) + "\n";
}

bool listed(const Attempt& attempt) {
  return attempt.pending || attempt.verdict != Verdict::lost;
}

std::string signature_of(const Attempt& attempt) {
  Evaluation like;
  like.verdict = attempt.verdict;
  like.message = attempt.message;
  return failure_signature(like);
}

// Positions in the history, what is worth most first: the fastest three, each kind of failure once (the
// latest), then the rest from fast to slow, then from late to early.
std::vector<std::size_t> by_worth(const std::vector<Attempt>& history) {
  std::vector<std::size_t> order, fast, told, rest;
  for (std::size_t i = 0; i < history.size(); ++i)
    if (listed(history[i]))
      (history[i].verdict == Verdict::ok && !history[i].pending ? fast : rest).push_back(i);
  std::stable_sort(fast.begin(), fast.end(), [&](std::size_t a, std::size_t b) {
    return history[a].total_speedup > history[b].total_speedup;
  });
  std::set<std::string> seen;
  std::vector<std::size_t> repeated;
  for (auto i = rest.rbegin(); i != rest.rend(); ++i)
    (seen.insert(history[*i].pending ? "pending" : signature_of(history[*i])).second ? told : repeated)
        .push_back(*i);
  const auto best = fast.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, fast.size()));
  order.assign(fast.begin(), best);
  order.insert(order.end(), told.begin(), told.end());
  order.insert(order.end(), best, fast.end());
  order.insert(order.end(), repeated.begin(), repeated.end());
  return order;
}

}  // namespace

const Attempt* find_attempt(const std::vector<Attempt>& history, long long candidate) {
  for (const Attempt& attempt : history)
    if (attempt.candidate.id == candidate && attempt.candidate.proposer != "original") return &attempt;
  return nullptr;
}

std::string version_name(const std::vector<Attempt>& history, long long candidate) {
  const Attempt* found = find_attempt(history, candidate);
  return found ? "#" + std::to_string(found - history.data() + 1) : "the original";
}

bool is_win(const Attempt& attempt) {
  return !attempt.pending && attempt.verdict == Verdict::ok && attempt.speedup > 0 &&
         time_saved(attempt.speedup) > attempt.smallest_gain;
}

std::size_t count_wins(const std::vector<Attempt>& history) {
  return static_cast<std::size_t>(std::count_if(history.begin(), history.end(), is_win));
}

std::string ledger_text(const std::vector<Attempt>& history, std::size_t bytes) {
  std::string all;
  std::vector<std::string> lines;
  for (const Attempt& attempt : history) {
    lines.push_back(listed(attempt) ? line_of(history, attempt) : std::string());
    all += lines.back();
  }
  if (all.size() <= bytes) return all;
  std::string out;
  std::size_t left_out = 0;
  for (const std::size_t i : by_worth(history)) {
    if (left_out == 0 && out.size() + lines[i].size() + 60 <= bytes)
      out += lines[i];
    else
      ++left_out;
  }
  return out + "- " + std::to_string(left_out) + " more, neither faster nor new failures\n";
}

}  // namespace noctune
