// One version's way through the gates as text for its author: what passed, with figures; what was refused,
// where, why, and what to do about it; what was not reached. Data in, text out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluator/gain.hpp"
#include "report/hotspot_account.hpp"

namespace noctune {

// How much a check looks at.
struct CheckExtent {
  int calls = 0, cases = 0, seeds = 0;
};

struct VersionAccount {
  std::string file;   // as its author named it
  std::string flags;  // beyond the campaign's; empty = none
  Evaluation screening;
  CheckExtent extent;
};

enum class Gate { policy, build, check, time };
const char* to_text(Gate gate);
// Where a version was refused; nothing when it passed every gate.
std::optional<Gate> refusing_gate(const Evaluation& screening);

// Ends with the verdict where a gate refused the version; else the confirmation follows.
std::string gate_account(const VersionAccount& version, const HotspotAccount& hotspot,
                         const ReportOptions& options);
// `pairs`: the evaluations, at least one, that `confirmation` was made from.
std::string confirmation_account(const Confirmation& confirmation, const std::vector<Evaluation>& pairs,
                                 const HotspotAccount& hotspot, const ReportOptions& options);

}  // namespace noctune
