#include "coordinator/rules/rule_book.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "coordinator/rules/gpu/source.hpp"
#include "coordinator/rules/plan.hpp"
#include "coordinator/rules/recipe.hpp"

namespace noctune {

struct RuleBook::Book {
  rules::Work base;  // the parsed original, before any step
};

namespace {

// The mechanism that decides: the strongest of the steps.
std::string kind_of(const std::vector<rules::Step>& steps) {
  static const std::vector<std::string> order = {"tiling",        "algorithm",  "parallelism",
                                                 "memory access", "arithmetic", "compiler"};
  std::size_t best = order.size() - 1;
  for (const rules::Step& step : steps) {
    const auto place = std::find(order.begin(), order.end(), std::string(rules::find_rule(step.rule)->kind));
    best = std::min(best, static_cast<std::size_t>(place - order.begin()));
  }
  return order[best];
}

std::string hypothesis_of(const std::vector<rules::Step>& steps) {
  std::vector<std::string> reasons;
  for (const rules::Step& step : steps) {
    const std::string reason = rules::find_rule(step.rule)->reason;
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) reasons.push_back(reason);
  }
  return "Faster because " + joined(reasons) + ".";
}

RuleProposal describe(const std::vector<rules::Step>& steps) {
  RuleProposal proposal;
  proposal.recipe = rules::to_text(steps);
  proposal.kind = kind_of(steps);
  proposal.hypothesis = hypothesis_of(steps);
  for (const rules::Step& step : steps) {
    proposal.strategies.push_back(rules::find_rule(step.rule)->strategy);
    for (const auto& [key, value] : step.params) proposal.params[step.rule + "." + key] = value;
  }
  return proposal;
}

}  // namespace

Result<RuleBook> RuleBook::read(const RuleContext& context) {
  auto book = std::make_shared<Book>();
  if (context.backend == "cuda" || context.backend == "hip") {
    auto work = rules::gpu::read_work(context);
    if (!work) return Failure(work.error());
    book->base = std::move(*work);
    return RuleBook(std::move(book));
  }
  book->base.threads = context.threads;
  book->base.vector_bytes = context.vector_bytes;
  if (context.l1_bytes > 0) book->base.l1_bytes = context.l1_bytes;
  auto program = rules::read_program(context, book->base.vector_bytes);
  if (!program) return Failure(program.error());
  book->base.program = std::move(*program);
  return RuleBook(std::move(book));
}

Result<RuleProposal> RuleBook::apply(const std::string& recipe) const {
  const auto steps = rules::parse_recipe(recipe);
  if (!steps) return Failure(steps.error());
  rules::Work work = book_->base;
  for (const rules::Step& step : *steps)
    if (!rules::find_rule(step.rule)->apply(work, step))
      return fail("the recipe '" + recipe + "' does not apply",
                  "step '" + rules::to_text(step) + "' finds no loop that it may change");
  rules::keep_threads(work);
  RuleProposal proposal = steps->empty() ? RuleProposal{} : describe(*steps);
  proposal.source = rules::print_program(work.program);
  proposal.extra_flags = work.extra_flags;
  return proposal;
}

std::vector<RuleProposal> RuleBook::propose(const std::string& best_recipe,
                                            const std::vector<RuleOutcome>& tried, int count,
                                            const std::map<std::string, double>& priors) const {
  std::vector<RuleProposal> proposals;
  std::set<std::string> seen;
  const auto identity = [](const RuleProposal& p) { return p.source + "\n" + joined(p.extra_flags); };
  if (const auto original = apply("")) seen.insert(identity(*original));
  for (const RuleOutcome& outcome : tried)
    if (const auto version = apply(outcome.recipe)) seen.insert(identity(*version));
  rules::plan(book_->base, best_recipe, tried, priors, [&](const std::string& recipe) {
    if (static_cast<int>(proposals.size()) >= count) return false;
    auto version = apply(recipe);
    if (version && seen.insert(identity(*version)).second) proposals.push_back(std::move(*version));
    return static_cast<int>(proposals.size()) < count;
  });
  return proposals;
}

}  // namespace noctune
