// Proposes versions from the catalogue of source transformations: no network, no key, the same answer every
// time.
#pragma once

#include "coordinator/rules/rule_book.hpp"
#include "coordinator/services.hpp"

namespace noctune {

class RulesProposer final : public Proposer {
 public:
  explicit RulesProposer(RuleBook book) : book_(std::move(book)) {}

  std::string name() const override { return "rules"; }
  Task<std::vector<Candidate>> propose(std::vector<Move> moves, std::vector<Attempt> history) override;

 private:
  RuleBook book_;
};

// What the rules may know of a hotspot on its device.
RuleContext rule_context(const MepSource& mep, const std::vector<std::string>& flags, const MepReport& report,
                         const DeviceFacts& device, int threads);

}  // namespace noctune
