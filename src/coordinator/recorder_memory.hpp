// The flow's memory on top of the journal: what is decided and measured is recorded at once and shown.
#pragma once

#include <map>
#include <string>

#include "coordinator/observer.hpp"
#include "coordinator/services.hpp"
#include "store/recorder.hpp"

namespace noctune {

class RecorderMemory final : public Memory {
 public:
  // `device_ids`: the rows in /devices of the evaluation service's devices, in its order.
  RecorderMemory(Recorder& recorder, Observer& observer, std::vector<long long> device_ids)
      : recorder_(recorder), observer_(observer), device_ids_(std::move(device_ids)) {}

  long long hotspot(const HotspotRow& row);
  RunProgress& progress() { return progress_; }
  // Its searches may make so many candidates; none any more once it is finished.
  void expect(long long hotspot, long long candidates) { left_[hotspot] = candidates; }
  void finished(long long hotspot);
  void show();

  long long candidate(long long hotspot, int round, int index, const Candidate& candidate) override;
  void evaluation(long long hotspot, const EvaluationTask& task, const std::string& key,
                  const Evaluation& evaluation) override;
  std::optional<Evaluation> known(const std::string& key) const override;
  void null_probe(long long hotspot, long long original, const std::string& key,
                  const Evaluation& probe) override;
  void cases(long long hotspot, const MepReport& report) override;
  void mep(long long hotspot, const MepSource& mep, const std::string& by, int answers,
           const MepReport& report) override;
  void decision(long long hotspot, const std::string& text,
                const std::vector<long long>& candidates) override;
  void event(long long hotspot, bool warning, const std::string& text) override;
  std::optional<RecordedReply> known_call(long long hotspot, const CallSlot& slot) const override;
  std::optional<ChatRequest> open_call(long long hotspot, const CallSlot& slot) const override;
  long long call_sent(long long hotspot, const CallSlot& slot, const ChatRequest& request) override;
  void call_answered(long long hotspot, const CallSlot& slot, const ChatReply& reply) override;
  bool keeps() const override { return !recorder_.failure(); }
  void call_read(long long hotspot, const CallSlot& slot, const std::string& reading) override;

 private:
  Evaluation with_device_row(Evaluation evaluation) const;

  Recorder& recorder_;
  Observer& observer_;
  std::vector<long long> device_ids_;
  std::map<long long, std::string> names_;
  std::map<long long, long long> left_;  // candidates to come, by hotspot
  RunProgress progress_;
};

}  // namespace noctune
