// Proposes versions from the catalogue of source transformations: no network, no key, the same answer every
// time.
#pragma once

#include <map>
#include <string>

#include "coordinator/rules/rule_book.hpp"
#include "coordinator/services.hpp"

namespace noctune {

class RulesProposer final : public Proposer {
 public:
  // `priors`: as in RuleBook::propose, from rule_priors() of a library of patterns.
  explicit RulesProposer(RuleBook book, std::map<std::string, double> priors = {})
      : book_(std::move(book)), priors_(std::move(priors)) {}

  std::string name() const override { return "rules"; }
  Task<void> propose(std::vector<Move> moves, std::vector<Attempt> history, Found found) override;

 private:
  RuleBook book_;
  std::map<std::string, double> priors_;
};

// What the rules may know of a hotspot on its device.
RuleContext rule_context(const MepSource& mep, const std::vector<std::string>& flags, const MepReport& report,
                         const DeviceFacts& device, int threads);

}  // namespace noctune
