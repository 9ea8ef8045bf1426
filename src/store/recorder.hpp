// The coordinator's one door to the results: lease, journal, ids that survive a resume, and the HDF5 file.
// Use it from one thread. Calls are cheap and never throw: the first failure is kept and returned by sync(),
// so nothing counts as committed before sync() said so.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/chat.hpp"
#include "model/evaluation.hpp"
#include "store/results_builder.hpp"
#include "store/rows.hpp"

namespace noctune {

class Recorder {
 public:
  // Takes the lease, reads the earlier runs and starts this run's journal. Refuses a target that is held by a
  // live run or that holds results of another campaign, or of this one under settings that decide otherwise.
  static Result<std::unique_ptr<Recorder>> open(const std::filesystem::path& target, RunHeader header);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Ids count from 1. What an earlier run recorded gets its id back and is written again only if it changed.
  long long hotspot(const HotspotRow& row);
  long long case_(const CaseRow& row);
  long long device(const DeviceRow& row);
  long long arm(const ArmRow& row);
  // The same (hotspot, sha, arm, replicate, round, index) is the same candidate.
  long long candidate(long long hotspot, int round, int index, const Candidate& candidate);
  // A model call: recorded before it is sent, and again with its reply. Its id is that of its slot.
  long long call_sent(long long hotspot, const CallSlot& slot, const ChatRequest& request);
  void call_answered(long long hotspot, const CallSlot& slot, const ChatReply& reply);
  // What reading the reply found, for people.
  void call_read(long long hotspot, const CallSlot& slot, const std::string& reading);
  // An answer that this or an earlier run recorded and that is not worth asking for again.
  std::optional<RecordedReply> known_call(long long hotspot, const CallSlot& slot) const;
  // The request of a call that was sent and has no such answer, word for word.
  std::optional<ChatRequest> open_call(long long hotspot, const CallSlot& slot) const;
  // Calls that earlier runs sent and that cost something.
  std::vector<SpentCall> spent_calls() const;
  // Id of its first row; an evaluation has one row per timed case. A key already known gets its old id.
  long long evaluation(const EvaluationContext& context, const Evaluation& evaluation);
  void decision(long long hotspot, const std::string& text, const Json& rows = Json::object());
  void event(int rank, EventLevel level, long long hotspot, const std::string& text);
  // Stores a text once and returns its SHA-256. Kinds: source, diagnostics, prompt, reply, patch, config,
  // log.
  std::string text(const std::string& kind, const std::string& content);
  // A row of any other table of the schema by column name; gives it an id where the table has one and it has
  // none. Rows of patterns, pattern_evidence and pattern_trials are known again by what they are about.
  long long row(const std::string& table, Json row);

  // What was recorded under this key, in this or an earlier run.
  std::optional<Evaluation> known_evaluation(const std::string& key) const;
  std::optional<HotspotRow> known_hotspot(const std::string& name) const;

  // Returns when everything recorded so far is on disk and the lease is still ours.
  Result<void> sync();
  // Refreshes the lease; call it every 20 s or so. Recording does it too.
  Result<void> beat();
  // Records how the run ended ("finished", "stopped", "failed"), builds the file and gives the lease back.
  Result<BuildFacts> finish(const std::string& status);

  // Builds the HDF5 file now, in this thread.
  Result<BuildFacts> rebuild();
  // Builds it in a helper thread unless one is at work; the result is fetched once by take_rebuild().
  bool start_rebuild();
  std::optional<Result<BuildFacts>> take_rebuild();

  bool resumed() const;  // earlier runs were found
  // The latest of them came to its end, with this configuration and version: the same would be found again.
  bool finished_before() const;
  // Neither this run nor the one before recorded an evaluation or an answer of the model.
  bool idle_twice() const;
  std::size_t known_evaluations() const;
  const std::string& run_uuid() const;
  const std::optional<Error>& failure() const;

 private:
  Json stored_request(const ChatRequest& request);
  std::optional<std::string> known_text(const std::string& sha) const;
  struct State;
  explicit Recorder(std::unique_ptr<State> state);
  void tell_start(long long torn_tails, long long fenced, const std::vector<std::string>& problems);
  std::unique_ptr<State> state_;
};

}  // namespace noctune
