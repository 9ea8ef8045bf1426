// Everything is measured once: an evaluation is answered from the memory where its key is known, else by a
// device.
#pragma once

#include <string>

#include "coordinator/services.hpp"

namespace noctune {

// What an evaluation depends on; equal keys have equal answers. Arms measure for themselves, so that each
// pays for what it uses.
std::string evaluation_key(const EvaluationTask& task, const DeviceFacts& device);
std::string baseline_key(const PrepareTask& task, const DeviceFacts& device);

class Measuring {
 public:
  Measuring(EvaluationService& service, Memory& memory, std::function<bool()> stopping, long long hotspot)
      : service_(service), memory_(memory), stopping_(std::move(stopping)), hotspot_(hotspot) {}

  // K(0) completed, sized, baselined and probed; recorded unless it was. A refusal is an answer as well where
  // something was decided by it: `remembers_refusals`.
  Task<Baselined> baseline(PrepareTask task, Candidate original, bool remembers_refusals = false);
  // Tried again where our own trouble cut it short; `lost` when that did not help.
  Task<Evaluation> evaluate(EvaluationTask task);
  // What is recorded of this evaluation, or under its key with a suffix.
  std::optional<Evaluation> known(const EvaluationTask& task, const std::string& key_suffix = {}) const;
  // A verdict that needed no device, under a key of its own.
  void note(const EvaluationTask& task, const std::string& key_suffix, const Evaluation& evaluation);

 private:
  EvaluationService& service_;
  Memory& memory_;
  std::function<bool()> stopping_;
  long long hotspot_;
};

}  // namespace noctune
