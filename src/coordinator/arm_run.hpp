// One search on one hotspot by one arm, and the confirmation of what it found. Arms share nothing but K(0).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/measuring.hpp"
#include "coordinator/strategy.hpp"
#include "evaluator/gain.hpp"

namespace noctune {

struct Arm {
  std::string name = "loop";  // loop, direct, sampling, rules
  int replicate = 0;
};
// "loop", "sampling 2": for people; replicates count from 1 there.
std::string arm_text(const Arm& arm);

// Who searches and how.
struct ArmPlan {
  Arm arm;
  std::unique_ptr<Strategy> strategy;
  std::vector<std::unique_ptr<Proposer>> proposers;  // asked in order
  std::unique_ptr<Proposer> fallback;                // once all of them are gone
  std::optional<ArmUsage> cap;                       // ends where another arm's use is reached
  // Hears of the attempts so far whenever the search has decided something.
  std::function<void(const std::vector<Attempt>&)> learn;
};

struct Finalist : Confirmation {
  Candidate candidate;
};

struct ArmResult {
  Arm arm;
  std::vector<Attempt> attempts;    // the original first
  std::vector<Finalist> finalists;  // fastest first
  int rounds = 0;
  std::string reason;  // why it ended
  ArmUsage usage;
};

struct ArmServices {
  asio::io_context& io;
  Measuring& measuring;
  Memory& memory;
  std::function<bool()> stopping;
};

// A completed MEP, as every arm finds it.
struct ArmGround {
  long long hotspot = 0;
  PrepareTask task;
  MepReport mep;
  Candidate original;
  std::string original_binary;  // SHA-256 of its machine code
  // What a version is bound by, in words for a prompt; empty where nothing is known. Found out once a
  // version.
  std::function<Task<std::string>(Candidate)> profile = {};
};

Task<ArmResult> run_arm(ArmServices services, ArmGround ground, ArmPlan plan);

}  // namespace noctune
