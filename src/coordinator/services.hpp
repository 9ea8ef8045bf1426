// What the flow needs from the world. The flow decides and does no I/O; tests drive it with fakes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "model/chat.hpp"
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
  // The hotspot's part of the devices relative to the others', 1 unless said; greater than 0.
  virtual void weigh(const std::string& /*hotspot*/, double /*weight*/) {}
};

// The run is to end soon: nothing new is begun, what is committed stays.
struct StopRequested {};
// Only answers of a model are missing, and nobody is to wait for them.
struct WaitingForModel {};

// One version that was tried, as proposers and strategies see it.
struct Attempt {
  Candidate candidate;
  Verdict verdict = Verdict::lost;
  bool pending = true;       // still being evaluated
  double speedup = 0;        // over the version it was raced against
  double smallest_gain = 0;  // that counts on the device which timed it, as a fraction of the time
  double total_speedup = 0;  // over K(0), as a chain of screening ratios: an estimate
  int round = 0;
  int index = 0;   // within its round
  int repair = 0;  // 0 a first version, then what mended it, in order
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

// What one arm of a hotspot used, to be compared with another's.
struct ArmUsage {
  int candidates = 0;         // tried
  long long calls = 0;        // of the model, answered
  long long tokens = 0;       // prompt and reply
  double cost = 0;            // in the price table's currency
  double device_seconds = 0;  // devices at work for its screening
};

// Gives versions for moves. Throws StopRequested when the run is being stopped, WaitingForModel when answers
// are outstanding that a later run will find.
class Proposer {
 public:
  // Hands over a version for the move at that place, as soon as it is there.
  using Found = std::function<void(std::size_t move, Candidate)>;

  virtual ~Proposer() = default;
  virtual std::string name() const = 0;
  // Returns once it has tried every move; moves without a version found no idea.
  virtual Task<void> propose(std::vector<Move> moves, std::vector<Attempt> history, Found found) = 0;
  // A version that mends what the gates refused, the n-th one for this move; none: it gives up.
  virtual Task<std::optional<Candidate>> repair(Move, Attempt, Evaluation, int /*n*/) {
    co_return std::nullopt;
  }
  // The search is over; what was learnt may be put into words.
  virtual Task<void> conclude(std::vector<Attempt>) { co_return; }
  // Nothing more can come from it in this run: budget spent, key refused.
  virtual bool gone() const { return false; }
  // Model calls so far, those answered in earlier runs included.
  virtual ArmUsage used() const { return {}; }
};

// Where model calls are kept. A slot that was answered is never asked again.
class CallMemory {
 public:
  virtual ~CallMemory() = default;
  virtual std::optional<RecordedReply> known_call(long long hotspot, const CallSlot& slot) const = 0;
  // The request of a slot that was sent and not answered, as it was: asking it again word for word lets a
  // spool find the reply that came meanwhile.
  virtual std::optional<ChatRequest> open_call(long long hotspot, const CallSlot& slot) const = 0;
  // Before anything is sent; the id of the call.
  virtual long long call_sent(long long hotspot, const CallSlot& slot, const ChatRequest& request) = 0;
  virtual void call_answered(long long hotspot, const CallSlot& slot, const ChatReply& reply) = 0;
  // Whether what was recorded so far is kept: nothing is paid for that could not be found again.
  virtual bool keeps() const { return true; }
  virtual void call_read(long long hotspot, const CallSlot& slot, const std::string& reading) = 0;
};

// Where decisions and measurements are kept: the journal in a run, a list in tests.
class Memory : public CallMemory {
 public:
  // Rounds count from 1; the original has round 0.
  virtual long long candidate(long long hotspot, int round, int index, const Candidate& candidate) = 0;
  virtual void evaluation(long long hotspot, const EvaluationTask& task, const std::string& key,
                          const Evaluation& evaluation) = 0;
  virtual std::optional<Evaluation> known(const std::string& key) const = 0;
  virtual void null_probe(long long hotspot, long long original, const std::string& key,
                          const Evaluation& probe) = 0;
  virtual void cases(long long hotspot, const MepReport& report) = 0;
  // The MEP that was tried last, who made it ("user", "rules", "model"), after how many answers of a model,
  // and whether it holds.
  virtual void mep(long long hotspot, const MepSource& mep, const std::string& by, int answers,
                   const MepReport& report) = 0;
  virtual void decision(long long hotspot, const std::string& text,
                        const std::vector<long long>& candidates) = 0;
  virtual void event(long long hotspot, bool warning, const std::string& text) = 0;
};

}  // namespace noctune
