// The tuning of one hotspot, from its spec to a confirmed winner, written as it reads in the design.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coordinator/services.hpp"
#include "coordinator/strategy.hpp"
#include "evaluator/gain.hpp"
#include "model/campaign.hpp"

namespace noctune {

struct TuningServices {
  asio::io_context& io;
  EvaluationService& evaluation;
  Memory& memory;
  // The proposers for a hotspot whose MEP is complete, most trusted first.
  std::function<std::vector<std::unique_ptr<Proposer>>(const PrepareTask&, const MepReport&)> proposers;
  std::function<bool()> stopping;
};

struct Finalist : Confirmation {
  Candidate candidate;
};

struct TuningResult {
  bool stopped = false;  // by a stop request: no verdict yet
  MepReport mep;
  Candidate original;
  std::vector<Attempt> attempts;
  std::vector<Finalist> finalists;  // fastest first
  int rounds = 0;
  std::string reason;  // why it stopped or failed
};

// `hotspot` is its id in the memory.
Task<TuningResult> tune_hotspot(TuningServices services, long long hotspot, PrepareTask task);

// What an evaluation depends on; equal keys have equal answers, so a resumed run never measures twice.
std::string evaluation_key(const EvaluationTask& task, const DeviceFacts& device);
std::string baseline_key(const PrepareTask& task, const DeviceFacts& device);

}  // namespace noctune
