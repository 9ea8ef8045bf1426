#include "coordinator/rules_proposer.hpp"

#include "mep/driver_sources.hpp"

namespace noctune {
namespace {

constexpr const char* recipe_key = "recipe";

std::string recipe_of(const Candidate& candidate) {
  const auto found = candidate.params.find(recipe_key);
  return found == candidate.params.end() ? std::string() : found->second;
}

Candidate candidate_from(RuleProposal&& proposal, long long base) {
  Candidate out;
  out.source = std::move(proposal.source);
  out.extra_flags = std::move(proposal.extra_flags);
  out.proposer = "rules";
  out.kind = std::move(proposal.kind);
  out.strategies = std::move(proposal.strategies);
  out.params = std::move(proposal.params);
  out.params[recipe_key] = proposal.recipe;
  out.hypothesis = std::move(proposal.hypothesis);
  out.base = base;
  out.sha = candidate_sha(out);
  return out;
}

}  // namespace

Task<void> RulesProposer::propose(std::vector<Move> moves, std::vector<Attempt> history, Found found) {
  std::string base;
  std::vector<RuleOutcome> tried;
  for (const Attempt& attempt : history) {
    if (!moves.empty() && attempt.candidate.id == moves.front().base) base = recipe_of(attempt.candidate);
    const std::string recipe = recipe_of(attempt.candidate);
    if (!recipe.empty()) tried.push_back({recipe, attempt.verdict, attempt.total_speedup});
  }
  std::size_t at = 0;
  for (RuleProposal& proposal : book_.propose(base, tried, static_cast<int>(moves.size()), priors_)) {
    found(at, candidate_from(std::move(proposal), moves[at].base));
    ++at;
  }
  co_return;
}

RuleContext rule_context(const MepSource& mep, const std::vector<std::string>& flags, const MepReport& report,
                         const DeviceFacts& device, int threads) {
  RuleContext out;
  out.source = mep.original;
  out.context = context_header(mep.spec, mep.context);
  out.entry = mep.spec.entry;
  out.flags = flags;
  out.backend = mep.spec.backend;
  if (device.gpu.multiprocessors > 0) out.multiprocessors = device.gpu.multiprocessors;
  out.spec = mep.spec;
  for (const SizedCase& sized : report.cases)
    if (sized.use == CaseUse::time && out.sizes.empty()) out.sizes = sized.sizes;
  out.threads = threads;
  if (device.l1_bytes > 0) out.l1_bytes = device.l1_bytes;
  if (device.l2_bytes > 0) out.l2_bytes = device.l2_bytes;
  out.vector_bytes = device.vector_bytes;
  return out;
}

}  // namespace noctune
