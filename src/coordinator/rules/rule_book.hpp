// The rules proposer's catalogue for one hotspot: source transformations that are legal on its loops, by
// recipe. A recipe is text ("parallel(i);simd(j)") and makes the same source every time, so it serves as
// memory and key.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/evaluation.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

// What the rules may know. Distinct pointer parameters of the spec never overlap.
struct RuleContext {
  std::string source, context, entry;  // context = text of context.hpp, put in front by -include
  std::vector<std::string> flags;
  std::string backend = "openmp";  // or "cuda", "hip"
  int multiprocessors = 132;       // of the GPU
  MepSpec spec;
  std::map<std::string, long long> sizes;  // of the timed case
  int threads = 1;
  long long l1_bytes = 32 << 10;
  long long l2_bytes = 1 << 20;
  int vector_bytes = 32;
};

struct RuleProposal {
  std::string source;
  std::vector<std::string> extra_flags;       // value-preserving, beyond the campaign's
  std::vector<std::string> strategies;        // names of the rules, in order of application
  std::map<std::string, std::string> params;  // tile sizes, schedules, unroll factors
  std::string kind;                           // mechanism, as in Candidate::kind
  std::string hypothesis;                     // one sentence
  std::string recipe;
};

// What was tried so far; the speed-up is over the original.
struct RuleOutcome {
  std::string recipe;
  Verdict verdict = Verdict::lost;
  double speedup = 0;
};

class RuleBook {
 public:
  // Parses once. Fails when the source cannot be parsed or defines no such entry. A source whose loops the
  // rules do not understand is no failure: then only the compiler's flags remain to be proposed.
  static Result<RuleBook> read(const RuleContext& context);

  // Up to `count` untried versions, most promising first, given the best recipe so far ("" = the original).
  // Deterministic. Empty when the catalogue is exhausted. `priors`: effects (log ratios) that strategies, by
  // name, are believed to have here; they order what stands equal, and what has none keeps its place.
  std::vector<RuleProposal> propose(const std::string& best_recipe, const std::vector<RuleOutcome>& tried,
                                    int count, const std::map<std::string, double>& priors = {}) const;

  // The version that a recipe makes; fails when the recipe is malformed or does not apply here.
  Result<RuleProposal> apply(const std::string& recipe) const;

 private:
  struct Book;
  explicit RuleBook(std::shared_ptr<const Book> book) : book_(std::move(book)) {}
  std::shared_ptr<const Book> book_;
};

}  // namespace noctune
