// What the flow needs from the world. The flow decides and does no I/O; tests drive it with fakes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "model/task.hpp"

namespace noctune {

// Devices that complete MEPs and judge candidates; calls queue until a device is free. Throws StopRequested
// when the run is being stopped.
class EvaluationService {
 public:
  virtual ~EvaluationService() = default;
  virtual Task<Baselined> prepare(PrepareTask task) = 0;
  virtual Task<Evaluation> evaluate(EvaluationTask task) = 0;
  virtual const std::vector<DeviceFacts>& devices() const = 0;
};

// The run is to end soon: nothing new is begun, what is committed stays.
struct StopRequested {};

// One version that was tried, as proposers and strategies see it.
struct Attempt {
  Candidate candidate;
  Verdict verdict = Verdict::lost;
  bool pending = true;       // still being evaluated
  double speedup = 0;        // over the version it was raced against
  double smallest_gain = 0;  // that counts on the device which timed it, as a fraction of the time
  double total_speedup = 0;  // over K(0), as a chain of screening ratios: an estimate
  int round = 0;
  std::string message;
};

// A request for a new version. Strategies say what, proposers say how.
struct Move {
  std::string kind = "improve";
  long long base = 0;                 // candidate id of the version to start from
  std::vector<long long> references;  // further versions worth a look
  std::vector<long long> patterns;    // pattern ids offered
  std::string space = "custom";       // custom code, generated, library
  std::string template_name;          // prompt template
  std::map<std::string, std::string> parameters;
  int round = 0;
  int index = 0;  // within its round
};

// Gives candidates for the moves, in their order; fewer than asked means that it has no more ideas.
class Proposer {
 public:
  virtual ~Proposer() = default;
  virtual std::string name() const = 0;
  virtual Task<std::vector<Candidate>> propose(std::vector<Move> moves, std::vector<Attempt> history) = 0;
};

// Where decisions and measurements are kept: the journal in a run, a list in tests.
class Memory {
 public:
  virtual ~Memory() = default;
  // Rounds count from 1; the original has round 0.
  virtual long long candidate(long long hotspot, int round, int index, const Candidate& candidate) = 0;
  virtual void evaluation(long long hotspot, const EvaluationTask& task, const std::string& key,
                          const Evaluation& evaluation) = 0;
  virtual std::optional<Evaluation> known(const std::string& key) const = 0;
  virtual void null_probe(long long hotspot, long long original, const std::string& key,
                          const Evaluation& probe) = 0;
  virtual void cases(long long hotspot, const MepReport& report) = 0;
  virtual void decision(long long hotspot, const std::string& text,
                        const std::vector<long long>& candidates) = 0;
  virtual void event(long long hotspot, bool warning, const std::string& text) = 0;
};

}  // namespace noctune
