#include "coordinator/recorder_memory.hpp"

#include "coordinator/prompts/plain_text.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest_reason = 380;

}  // namespace

long long RecorderMemory::hotspot(const HotspotRow& row) {
  const long long id = recorder_.hotspot(row);
  names_[id] = row.name;
  return id;
}

void RecorderMemory::finished(long long hotspot) {
  ++progress_.finished;
  left_.erase(hotspot);
  show();
}

void RecorderMemory::show() {
  progress_.left = 0;
  for (const auto& [hotspot, candidates] : left_) progress_.left += candidates;
  observer_.progress(progress_);
}

long long RecorderMemory::candidate(long long hotspot, int round, int index, const Candidate& candidate) {
  const auto left = left_.find(hotspot);
  if (round > 0 && left != left_.end() && left->second > 0) --left->second;
  return recorder_.candidate(hotspot, round, index, candidate);
}

Evaluation RecorderMemory::with_device_row(Evaluation evaluation) const {
  const auto index = static_cast<std::size_t>(evaluation.device);
  evaluation.device = index < device_ids_.size() ? static_cast<int>(device_ids_[index]) : -1;
  return evaluation;
}

void RecorderMemory::evaluation(long long hotspot, const EvaluationTask& task, const std::string& key,
                                const Evaluation& evaluation) {
  EvaluationContext context;
  context.hotspot = hotspot;
  context.candidate = task.candidate.id;
  context.purpose = task.purpose;
  context.reference = task.reference.id;
  context.process = task.process;
  context.key = key;
  recorder_.evaluation(context, with_device_row(evaluation));
  if (task.purpose == Purpose::screen) {
    ++progress_.candidates;
    progress_.ok += evaluation.verdict == Verdict::ok;
    show();
  }
}

std::optional<Evaluation> RecorderMemory::known(const std::string& key) const {
  return recorder_.known_evaluation(key);
}

void RecorderMemory::null_probe(long long hotspot, long long original, const std::string& key,
                                const Evaluation& probe) {
  EvaluationContext context;
  context.hotspot = hotspot;
  context.candidate = context.reference = original;
  context.purpose = Purpose::null_kernel;
  context.key = key;
  recorder_.evaluation(context, with_device_row(probe));
}

void RecorderMemory::cases(long long hotspot, const MepReport& report) {
  for (const SizedCase& sized : report.cases) {
    CaseRow row;
    row.hotspot = hotspot;
    row.name = sized.name;
    row.use = sized.use == CaseUse::time ? "time" : sized.use == CaseUse::check ? "check" : "report";
    row.weight = sized.weight;
    row.sizes_json = Json(sized.sizes).dump();
    if (sized.bytes > 0) row.bytes = sized.bytes;
    if (sized.flops > 0) row.flops = sized.flops;
    recorder_.case_(row);
  }
}

void RecorderMemory::mep(long long hotspot, const MepSource& mep, const std::string& by, int answers,
                         const MepReport& report) {
  const auto stored = [&](const std::string& text) {
    return text.empty() ? std::string() : recorder_.text("mep", text);
  };
  recorder_.row("meps", {{"hotspot", hotspot},
                         {"by", by},
                         {"answers", answers},
                         {"spec_sha", stored(to_json(mep.spec).dump(2))},
                         {"context_sha", stored(mep.context)},
                         {"original_sha", stored(mep.original)},
                         {"inputs_sha", stored(mep.inputs)},
                         {"check_sha", stored(mep.check)},
                         {"usable", report.usable ? 1 : 0},
                         {"reason", one_line(report.message, longest_reason)}});
}

void RecorderMemory::decision(long long hotspot, const std::string& text,
                              const std::vector<long long>& candidates) {
  recorder_.decision(hotspot, text, Json{{"candidates", candidates}});
}

std::optional<RecordedReply> RecorderMemory::known_call(long long hotspot, const CallSlot& slot) const {
  return recorder_.known_call(hotspot, slot);
}

std::optional<ChatRequest> RecorderMemory::open_call(long long hotspot, const CallSlot& slot) const {
  return recorder_.open_call(hotspot, slot);
}

long long RecorderMemory::call_sent(long long hotspot, const CallSlot& slot, const ChatRequest& request) {
  return recorder_.call_sent(hotspot, slot, request);
}

void RecorderMemory::call_answered(long long hotspot, const CallSlot& slot, const ChatReply& reply) {
  recorder_.call_answered(hotspot, slot, reply);
  progress_.cost += reply.cost;
  show();
}

void RecorderMemory::call_read(long long hotspot, const CallSlot& slot, const std::string& reading) {
  recorder_.call_read(hotspot, slot, reading);
}

void RecorderMemory::event(long long hotspot, bool warning, const std::string& text) {
  recorder_.event(0, warning ? EventLevel::warning : EventLevel::info, hotspot, text);
  const auto name = names_.find(hotspot);
  observer_.event(name == names_.end() ? std::string() : name->second, warning, text);
}

}  // namespace noctune
