#include "store/record_expander.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "model/chat_json.hpp"
#include "model/evaluation_json.hpp"
#include "store/row_access.hpp"
#include "store/rows.hpp"

namespace noctune {
namespace {

// Sets columns of one record by name.
class RecordFiller {
 public:
  RecordFiller(const RecordPacker& packer, std::string& record) : packer_(packer), record_(record) {
    record_ = packer_.blank();
  }
  RecordFiller& set(std::string_view column, double value) { return put(column, value); }
  RecordFiller& set(std::string_view column, long long value) { return put(column, value); }
  RecordFiller& set(std::string_view column, std::string_view value) { return put(column, value); }

 private:
  template <class T>
  RecordFiller& put(std::string_view column, T value) {
    packer_.set(record_.data(), packer_.column(column), value);
    return *this;
  }
  const RecordPacker& packer_;
  std::string& record_;
};

// Where in the schedule the n-th turn of a side was taken, -1 when the schedule does not say; and whether it
// was disturbed.
class Turns {
 public:
  Turns(const std::string& schedule, char side)
      : schedule_(schedule), letters_{side, static_cast<char>(side - 'a' + 'A')} {}
  int next() {
    at_ = schedule_.find_first_of(letters_, at_);
    disturbed_ = at_ != std::string::npos && schedule_[at_] == letters_[1];
    if (at_ == std::string::npos) return -1;
    return static_cast<int>(at_++);
  }
  bool disturbed() const { return disturbed_; }

 private:
  const std::string& schedule_;
  std::string letters_;
  std::size_t at_ = 0;
  bool disturbed_ = false;
};

}  // namespace

RecordExpander::RecordExpander(ResultsWriter& writer) : writer_(writer) {}

Result<void> RecordExpander::take(const JournalRecord& record) {
  if (record.table == "evaluations") return take_evaluation(record);
  if (record.table == "candidates") return take_candidate(record);
  if (record.table == "llm_calls") return take_call(record);
  if (record.table == "texts") return take_text(record);
  if (record.table == "run_end") return take_end(record), Result<void>();
  if (record.table == "run") {
    seen(record.run, number_in(record.row, "started"));
    const Result<std::string> kept = writer_.text("config", text_in(record.row, "config"));
    return kept ? Result<void>() : Result<void>(Failure(kept.error()));
  }
  return take_row(record);
}

Result<void> RecordExpander::take_row(const JournalRecord& record) {
  const Table* table = find_table(record.table);
  if (!table || table->columns.empty() || table->name == "samples" || table->name == "runs") {
    problem(record, "no rows are recorded in a table " + record.table);
    return {};
  }
  TableSink& sink = writer_.table(record.table);
  const RecordPacker& packer = sink.packer();
  if (const auto complaint = packer.pack(record.row, record_)) problem(record, *complaint);
  if (table->find("run") && !record.row.contains("run") && table->name != "integration")
    packer.set(record_.data(), packer.column("run"), static_cast<long long>(record.run) + 1);
  if (table->find("time")) seen(record.run, number_in(record.row, "time"));
  if (!table->find("id")) return sink.add(record_);
  bool fresh = false;
  sink.put(integer_in(record.row, "id"), record_, fresh);
  return {};
}

Result<void> RecordExpander::take_text(const JournalRecord& record) {
  const Result<std::string> kept = writer_.text(text_in(record.row, "kind"), text_in(record.row, "content"));
  return kept ? Result<void>() : Result<void>(Failure(kept.error()));
}

void RecordExpander::take_end(const JournalRecord& record) {
  RunOutcome& outcome = outcomes_[record.run];
  outcome.status = text_in(record.row, "status");
  outcome.finished = number_in(record.row, "finished");
}

Result<void> RecordExpander::take_candidate(const JournalRecord& record) {
  const Result<Candidate> candidate = candidate_from_json(object_in(record.row, "candidate"));
  if (!candidate) return problem(record, candidate.error().text()), Result<void>();
  if (!is_first(record, candidates_seen_)) return {};
  const long long id = integer_in(record.row, "id");
  TableSink& sink = writer_.table("candidates");
  RecordFiller(sink.packer(), record_)
      .set("id", id)
      .set("hotspot", integer_in(record.row, "hotspot"))
      .set("arm", text_in(record.row, "arm"))
      .set("round", integer_in(record.row, "round"))
      .set("index", integer_in(record.row, "index"))
      .set("proposer", candidate->proposer)
      .set("kind", candidate->kind)
      .set("strategies", joined(candidate->strategies, " + "))
      .set("hypothesis", candidate->hypothesis)
      .set("replicate", static_cast<long long>(candidate->replicate))
      .set("predicted_gain", candidate->predicted_gain > 0 ? candidate->predicted_gain : unknown)
      .set("template", candidate->prompt_template)
      .set("patterns", joined(candidate->patterns, ", "))
      .set("repair_of", candidate->repair_of > 0 ? candidate->repair_of : -1LL)
      .set("call", candidate->call > 0 ? candidate->call : -1LL)
      .set("flags", joined(candidate->extra_flags, " "))
      .set("base", candidate->base > 0 ? candidate->base : -1LL)
      .set("sha", candidate->sha)
      .set("source_sha", text_in(record.row, "source_sha"));
  const Result<void> done = sink.add(record_);
  return done ? add_candidate_parts(id, *candidate) : done;
}

// The last record of a call tells the most; the reply's text is a record of its own.
Result<void> RecordExpander::take_call(const JournalRecord& record) {
  const Json& row = record.row;
  TableSink& sink = writer_.table("llm_calls");
  RecordFiller filler(sink.packer(), record_);
  for (const char* column : {"id", "hotspot", "replicate", "node", "sample", "repair"})
    filler.set(column, integer_in(row, column));
  for (const char* column : {"arm", "purpose", "template", "prompt_sha", "reply_sha", "outcome", "reading"})
    filler.set(column, text_in(row, column));
  if (row.contains("sent")) filler.set("sent", number_in(row, "sent"));  // earlier versions kept none
  if (row.contains("reply")) {
    const Result<ChatReply> reply = chat_reply_from(row["reply"]);
    if (!reply) return problem(record, reply.error().text()), Result<void>();
    filler.set("provider", reply->provider)
        .set("model_asked", reply->model_asked)
        .set("model_served", reply->model_served)
        .set("parameters", reply->parameters)
        .set("tokens_in", reply->usage.in)
        .set("tokens_cached", reply->usage.cached)
        .set("tokens_out", reply->usage.out)
        .set("tokens_reasoning", reply->usage.reasoning)
        .set("cost", reply->cost)
        .set("seconds", reply->seconds)
        .set("message", reply->message)
        .set("estimated", reply->usage.estimated ? 1LL : 0LL)
        .set("attempts", static_cast<long long>(reply->attempts));
  }
  bool fresh = false;
  sink.put(integer_in(row, "id"), record_, fresh);
  return {};
}

Result<void> RecordExpander::add_candidate_parts(long long id, const Candidate& candidate) {
  Result<void> done;
  if (candidate.base > 0) {
    TableSink& links = writer_.table("candidate_links");
    RecordFiller(links.packer(), record_)
        .set("candidate", id)
        .set("other", candidate.base)
        .set("relation", "base");
    done = links.add(record_);
  }
  TableSink& params = writer_.table("params");
  for (const auto& [name, value] : candidate.params) {
    RecordFiller(params.packer(), record_).set("candidate", id).set("name", name).set("value", value);
    if (done) done = params.add(record_);
  }
  return done;
}

Result<void> RecordExpander::take_evaluation(const JournalRecord& record) {
  const Result<Evaluation> evaluation = evaluation_from_json(object_in(record.row, "evaluation"));
  if (!evaluation) return problem(record, evaluation.error().text()), Result<void>();
  if (!is_first(record, evaluations_seen_)) return {};
  seen(record.run, evaluation->started + evaluation->seconds.build + evaluation->seconds.check +
                       evaluation->seconds.time + evaluation->seconds.wait);
  return add_evaluation_rows(record, *evaluation);
}

Result<void> RecordExpander::add_evaluation_rows(const JournalRecord& record, const Evaluation& evaluation) {
  const Json& row = record.row;
  const long long first = integer_in(row, "id");
  std::string diagnostics_sha;
  if (!evaluation.diagnostics.empty()) {
    const Result<std::string> kept = writer_.text("diagnostics", evaluation.diagnostics);
    if (!kept) return Failure(kept.error());
    diagnostics_sha = *kept;
  }
  if (Result<void> done = add_profile(first, evaluation.profile); !done) return done;
  TableSink& sink = writer_.table("evaluations");
  RecordFiller filler(sink.packer(), record_);
  filler.set("id", first)
      .set("group", first)
      .set("run", static_cast<long long>(record.run) + 1)
      .set("hotspot", integer_in(row, "hotspot"))
      .set("candidate", integer_in(row, "candidate"))
      .set("device", static_cast<long long>(evaluation.device))
      .set("purpose", text_in(row, "purpose"))
      .set("reference", integer_in(row, "reference"))
      .set("process", integer_in(row, "process"))
      .set("key", text_in(row, "key_sha"))
      .set("verdict", to_text(evaluation.verdict))
      .set("message", evaluation.message)
      .set("started", evaluation.started)
      .set("build_seconds", evaluation.seconds.build)
      .set("check_seconds", evaluation.seconds.check)
      .set("time_seconds", evaluation.seconds.time)
      .set("wait_seconds", evaluation.seconds.wait)
      .set("busy_seconds", evaluation.seconds.busy)
      .set("binary_sha", evaluation.binary_sha)
      .set("diagnostics_sha", diagnostics_sha);
  if (evaluation.energy > 0) filler.set("energy", evaluation.energy);
  if (evaluation.reference_energy > 0) filler.set("reference_energy", evaluation.reference_energy);
  if (evaluation.needs.registers > 0)
    filler.set("registers", evaluation.needs.registers)
        .set("shared", static_cast<double>(evaluation.needs.shared_bytes))
        .set("spills", static_cast<double>(evaluation.needs.spill_bytes));
  if (!evaluation.timings.empty())
    filler.set("total_speedup", evaluation.speedup)
        .set("total_low", evaluation.interval_low)
        .set("total_high", evaluation.interval_high)
        .set("spread", evaluation.spread);
  // A check that never ran leaves its defaults, which must not read as an error of zero.
  if (evaluation.check.passed || evaluation.verdict == Verdict::wrong_result)
    filler.set("max_error", evaluation.check.max_error)
        .set("tolerance", evaluation.check.tolerance)
        .set("error_norm", evaluation.check.worst_output)
        .set("deterministic", evaluation.check.deterministic ? 1LL : 0LL)
        .set("checked_calls", static_cast<long long>(evaluation.check.calls));
  if (evaluation.timings.empty()) return sink.add(record_);
  const auto cases = row.find("cases");
  for (std::size_t i = 0; i < evaluation.timings.size(); ++i) {
    const TimingSummary& timing = evaluation.timings[i];
    const bool known =
        cases != row.end() && cases->is_array() && i < cases->size() && (*cases)[i].is_number_integer();
    const long long id = first + static_cast<long long>(i);
    const RecordPacker& packer = sink.packer();
    const auto put = [&](std::string_view column, auto value) {
      packer.set(record_.data(), packer.column(column), value);
    };
    put("id", id);
    if (i > 0)
      for (const char* stage :
           {"build_seconds", "check_seconds", "time_seconds", "wait_seconds", "busy_seconds"})
        put(stage, unknown);
    put("case", known ? (*cases)[i].get<long long>() : -1LL);
    put("flags", std::string_view(timing.batch > 1 ? "batched" : ""));
    put("trimmed_mean", timing.trimmed_mean);
    put("median", timing.median);
    put("minimum", timing.minimum);
    put("reference_trimmed_mean", timing.reference_trimmed_mean);
    put("speedup", timing.speedup);
    put("interval_low", timing.interval_low);
    put("interval_high", timing.interval_high);
    put("solo_ratio", timing.solo_ratio);
    put("drift", timing.drift);
    put("disturbed", static_cast<long long>(timing.disturbed));
    Result<void> done = sink.add(record_);
    if (done) done = add_samples(id, timing);
    if (!done) return done;
  }
  return {};
}

Result<void> RecordExpander::add_profile(long long row, const std::vector<ProfileMetric>& profile) {
  TableSink& sink = writer_.table("profiles");
  Result<void> done;
  for (const auto& [metric, value, unit] : profile) {
    RecordFiller(sink.packer(), record_)
        .set("evaluation", row)
        .set("metric", metric)
        .set("value", value)
        .set("unit", unit);
    if (done) done = sink.add(record_);
  }
  return done;
}

// The hot path: 60 samples an evaluation, so offsets are looked up once a call and records made in one block.
Result<void> RecordExpander::add_samples(long long row, const TimingSummary& timing) {
  TableSink& sink = writer_.table("samples");
  const RecordPacker& packer = sink.packer();
  const std::size_t side = packer.column("side"), pair = packer.column("pair"),
                    order = packer.column("order"), seconds = packer.column("seconds"),
                    disturbed = packer.column("disturbed"), size = packer.size();
  std::string model = packer.blank();
  packer.set(model.data(), packer.column("evaluation"), row);
  packer.set(model.data(), packer.column("batch"), static_cast<long long>(timing.batch));
  samples_.clear();
  const std::size_t clock = packer.column("clock"), throttle = packer.column("throttle");
  const auto add_side = [&](const char* name, char letter, const std::vector<double>& values,
                            const DeviceReadings& device) {
    packer.set(model.data(), side, std::string_view(name));
    Turns turns(timing.schedule, letter);
    for (std::size_t i = 0; i < values.size(); ++i) {
      samples_ += model;
      char* record = samples_.data() + samples_.size() - size;
      packer.set(record, pair, static_cast<long long>(i));
      packer.set(record, order, static_cast<long long>(turns.next()));
      packer.set(record, seconds, values[i]);
      packer.set(record, disturbed, static_cast<long long>(turns.disturbed()));
      if (i < device.clocks.size() && device.clocks[i] >= 0) packer.set(record, clock, device.clocks[i]);
      if (i < device.throttles.size() && device.throttles[i] >= 0)
        packer.set(record, throttle, static_cast<long long>(device.throttles[i]));
    }
  };
  add_side("reference", 'a', timing.reference_samples, timing.reference_device);
  add_side("candidate", 'b', timing.samples, timing.device);
  return sink.add_many(samples_);
}

// Complains about the second row of an id: long tables go out as they come, so none can be replaced.
bool RecordExpander::is_first(const JournalRecord& record, std::vector<bool>& seen) {
  const long long id = integer_in(record.row, "id");
  if (id < 0) return problem(record, "it has no id"), false;
  const auto at = static_cast<std::size_t>(id);
  if (at >= seen.size()) seen.resize(at + 1024);
  if (seen[at])
    return problem(record, "row " + std::to_string(id) + " of /" + record.table + " was recorded before"),
           false;
  seen[at] = true;
  return true;
}

void RecordExpander::seen(int run, double time) {
  RunOutcome& outcome = outcomes_[run];
  outcome.last_seen = std::max(outcome.last_seen, time);
}

void RecordExpander::problem(const JournalRecord& record, const std::string& why) {
  if (problems_.size() < JournalFacts::max_problems)
    problems_.push_back(record.place.file->string() + ", record " + std::to_string(record.seq) + ": " + why);
}

}  // namespace noctune
