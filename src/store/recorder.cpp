#include "store/recorder.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "model/chat_json.hpp"
#include "model/evaluation_json.hpp"
#include "store/earlier_runs.hpp"
#include "store/journal.hpp"
#include "store/lease.hpp"
#include "store/resume_index.hpp"
#include "store/row_access.hpp"
#include "store/rows_json.hpp"
#include "store/schema.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr double beat_every_s = 20;

Json header_row(const RunHeader& header, const EarlierRuns& earlier, double started) {
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  return {{"generation", std::max(earlier.generation, static_cast<long long>(earlier.runs)) + 1},
          {"campaign", text_to_json(header.campaign)},
          {"config", text_to_json(header.config_json)},
          {"version", text_to_json(header.version)},
          {"job_id", text_to_json(header.job_id)},
          {"decides", header.decides},
          {"fingerprint", sha256(Json(header.decides).dump())},
          {"host", text_to_json(host)},
          {"pid", ::getpid()},
          {"started", started},
          {"accepted", earlier.accepted}};
}

bool plain_name(const std::string& text) {
  return !text.empty() && text.find_first_not_of(
                              "0123456789abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.") == std::string::npos;
}

Result<void> check_campaign(const fs::path& target, const RunHeader& header, const EarlierRuns& earlier) {
  if (earlier.runs > 0 && !earlier.campaign.empty() && earlier.campaign != header.campaign)
    return fail(
        "will not mix two campaigns in " + journal_folder(target).string(),
        "it belongs to the campaign \"" + earlier.campaign + "\", this one is \"" + header.campaign + "\"",
        "give another --output");
  if (const std::string changed = differences(earlier.decides, header.decides); !changed.empty())
    return fail(
        "the campaign differs from the one that the results in " + target.string() + " were made with",
        changed, "put it back to go on, give another --output, or --force-new to begin a file beside them");
  return check_target(target, earlier.campaign_uuid);
}

Json slot_row(long long hotspot, const CallSlot& slot) {
  return {{"hotspot", hotspot},          {"arm", slot.arm},
          {"replicate", slot.replicate}, {"node", slot.round},
          {"sample", slot.sample},       {"repair", slot.repair},
          {"purpose", slot.purpose},     {"hotspot_name", slot.hotspot}};
}

// The whole conversation as one text, for /texts.
std::string prompt_text(const ChatRequest& request) {
  std::string out;
  for (const ChatMessage& message : request.messages)
    out += std::string("=== ") + to_text(message.role) + " ===\n" + message.content + "\n";
  return out;
}

// Outcomes that asking again would not change, or should not.
bool settles(ChatOutcome outcome) {
  return outcome == ChatOutcome::ok || outcome == ChatOutcome::truncated || outcome == ChatOutcome::refused ||
         outcome == ChatOutcome::empty || outcome == ChatOutcome::context_too_long ||
         outcome == ChatOutcome::bad_request;
}

// All that a slot has used so far, this row's earlier tries included.
Json spent_on(const Json& row) {
  const Json& earlier = object_in(row, "earlier");
  Json out{{"cost", number_in(earlier, "cost")},
           {"tokens", integer_in(earlier, "tokens", 0)},
           {"requests", integer_in(earlier, "requests", 0)},
           {"unanswered", integer_in(earlier, "unanswered", 0)}};
  const Result<ChatReply> reply = chat_reply_from(object_in(row, "reply"));
  if (!reply) {
    out["unanswered"] = integer_in(out, "unanswered", 0) + 1;
    return out;
  }
  out["cost"] = number_in(out, "cost") + reply->cost;
  out["tokens"] = integer_in(out, "tokens", 0) + reply->usage.in + reply->usage.out;
  out["requests"] = integer_in(out, "requests", 0) + reply->attempts;
  return out;
}

SpentCall spent_call(const Json& row) {
  const Json spent = spent_on(row);
  SpentCall out;
  out.hotspot = text_in(row, "hotspot_name");
  out.prompt_bytes = integer_in(row, "prompt_bytes", 0);
  out.max_output_tokens = static_cast<int>(integer_in(row, "max_output_tokens", 0));
  out.cost = number_in(spent, "cost");
  out.tokens = integer_in(spent, "tokens", 0);
  out.requests = integer_in(spent, "requests", 0);
  out.unanswered = static_cast<int>(integer_in(spent, "unanswered", 0));
  return out;
}

}  // namespace

struct Recorder::State {
  fs::path target;
  RunHeader header;
  Lease lease;
  std::unique_ptr<Journal> journal;
  ResumeIndex index;
  std::size_t earlier_runs = 0;
  bool finished_before = false, worked_before = true, worked = false;
  std::optional<Error> failure = {};
  double last_beat = steady_seconds();
  std::future<Result<BuildFacts>> building = {};

  void keep(const Error& error) {
    if (!failure) failure = error;
  }
  void append(const std::string& table, const Json& row) {
    if (steady_seconds() - last_beat > beat_every_s) beat();
    if (failure) return;
    worked = worked || table == "evaluations" || table == "llm_calls" || table == "placements";
    const Result<RecordPlace> place = journal->append(table, row);
    if (place)
      index.note(table, row, *place);
    else
      keep(place.error());
  }
  void beat() {
    last_beat = steady_seconds();
    if (const Result<void> alive = lease.beat(); !alive) keep(alive.error());
  }
  // Hotspots, cases, devices: the old id for a known key, a record only where something changed.
  long long put_named(const std::string& table, Json row) {
    const ResumeIndex::Named* known = index.named(table, ResumeIndex::named_key(table, row));
    const long long id = known ? known->id : index.next_id(table);
    row["id"] = id;
    if (!known || known->row != row) append(table, row);
    return id;
  }
};

Result<std::unique_ptr<Recorder>> Recorder::open(const fs::path& target, RunHeader header) {
  if (header.run_uuid.empty()) header.run_uuid = random_uuid();
  if (!plain_name(header.run_uuid))
    return fail("cannot start a run", "its UUID \"" + header.run_uuid + "\" is no plain name");
  Result<Lease> lease = Lease::take(lease_path(target), header.run_uuid, header.job_id, header.job_restarts);
  if (!lease) return Failure(lease.error());
  Result<EarlierRuns> earlier = read_earlier_runs(journal_folder(target));
  if (!earlier) return Failure(earlier.error());
  if (Result<void> ours = check_campaign(target, header, *earlier); !ours) return Failure(ours.error());
  const double started = wall_seconds();
  Result<std::unique_ptr<Journal>> journal =
      Journal::create(journal_folder(target), header.run_uuid, started);
  if (!journal) return Failure(journal.error());

  auto state =
      std::unique_ptr<State>(new State{target, std::move(header), std::move(*lease), std::move(*journal),
                                       std::move(earlier->index), earlier->runs});
  state->finished_before = earlier->status == "finished" && earlier->config == state->header.config_json &&
                           earlier->version == state->header.version;
  state->worked_before = earlier->worked;
  state->append("run", header_row(state->header, *earlier, started));
  std::unique_ptr<Recorder> recorder(new Recorder(std::move(state)));
  recorder->tell_start(earlier->facts.torn_tails, earlier->facts.fenced, earlier->facts.problems);
  if (Result<void> safe = recorder->sync(); !safe) return Failure(safe.error());
  return recorder;
}

Recorder::Recorder(std::unique_ptr<State> state) : state_(std::move(state)) {}

Recorder::~Recorder() {
  if (state_->building.valid()) state_->building.wait();
}

void Recorder::tell_start(long long torn_tails, long long fenced, const std::vector<std::string>& problems) {
  if (const auto& dead = state_->lease.predecessor())
    event(0, EventLevel::warning, -1,
          "took over the lease of run " + dead->run_uuid + " (process " + std::to_string(dead->pid) + " on " +
              dead->host + "), which is gone or was given up");
  if (torn_tails > 0)
    event(0, EventLevel::info, -1,
          std::to_string(torn_tails) + " journals end in a torn line; it was never committed");
  if (fenced > 0)
    event(0, EventLevel::warning, -1,
          std::to_string(fenced) + " records of a run that had lost its lease are left out");
  for (const std::string& problem : problems) event(0, EventLevel::error, -1, "journal: " + problem);
}

long long Recorder::hotspot(const HotspotRow& row) {
  const ResumeIndex::Named* known = state_->index.named("hotspots", "/" + row.name);
  if (known && row.verdict == HotspotVerdict::pending &&
      hotspot_from_json(known->row).verdict != HotspotVerdict::pending)
    return known->id;
  return state_->put_named("hotspots", to_json(row));
}

long long Recorder::case_(const CaseRow& row) {
  return state_->put_named("cases", to_json(row));
}

long long Recorder::arm(const ArmRow& row) {
  return state_->put_named("arms", to_json(row));
}

long long Recorder::device(const DeviceRow& row) {
  return state_->put_named("devices", to_json(row));
}

long long Recorder::candidate(long long hotspot, int round, int index, const Candidate& candidate) {
  Candidate stored = candidate;
  if (stored.sha.empty()) stored.sha = candidate_sha(stored);
  if (const auto known = state_->index.candidate(
          ResumeIndex::candidate_key(hotspot, stored.arm, stored.replicate, round, index, stored.sha)))
    return *known;
  const std::string source_sha = text("source", stored.source);
  stored.source.clear();  // kept once, however many candidates share it
  stored.id = state_->index.next_id("candidates");
  state_->append("candidates", {{"id", stored.id},
                                {"hotspot", hotspot},
                                {"arm", stored.arm},
                                {"replicate", stored.replicate},
                                {"round", round},
                                {"index", index},
                                {"source_sha", source_sha},
                                {"candidate", to_json(stored)}});
  return stored.id;
}

long long Recorder::call_sent(long long hotspot, const CallSlot& slot, const ChatRequest& request) {
  Json row = slot_row(hotspot, slot);
  const ResumeIndex::Named* known = state_->index.call(ResumeIndex::call_key(row));
  const std::string prompt = prompt_text(request);
  row["id"] = known ? known->id : state_->index.next_id("llm_calls");
  row["template"] = text_to_json(request.prompt_template);
  row["prompt_sha"] = text("prompt", prompt);
  row["request"] = stored_request(request);
  row["prompt_bytes"] = prompt.size();
  row["max_output_tokens"] = request.max_output_tokens;
  row["outcome"] = "sent";
  row["sent"] = wall_seconds();
  if (known) row["earlier"] = spent_on(known->row);  // is paid, whatever comes of this try
  state_->append("llm_calls", row);
  return integer_in(row, "id");
}

// The request without its messages, which are texts of their own: most of each is shared by many calls.
Json Recorder::stored_request(const ChatRequest& request) {
  Json out = to_json(request);
  for (Json& message : out["messages"])
    message["content"] = text("prompt", message["content"].get<std::string>());
  return out;
}

std::optional<ChatRequest> Recorder::open_call(long long hotspot, const CallSlot& slot) const {
  const ResumeIndex::Named* known = state_->index.call(ResumeIndex::call_key(slot_row(hotspot, slot)));
  if (!known || !known->row.contains("request")) return {};
  Json request = known->row["request"];
  for (Json& message : request["messages"]) {
    const std::optional<std::string> content = known_text(text_in(message, "content"));
    if (!content) return {};
    message["content"] = *content;
  }
  Result<ChatRequest> out = chat_request_from(request);
  if (!out) return {};
  return std::move(*out);
}

std::optional<std::string> Recorder::known_text(const std::string& sha) const {
  const RecordPlace* place = state_->index.text(sha);
  if (!place) return {};
  const Result<Json> stored = read_record(*place);
  if (!stored) return {};
  return text_in(*stored, "content");
}

void Recorder::call_answered(long long hotspot, const CallSlot& slot, const ChatReply& reply) {
  const ResumeIndex::Named* sent = state_->index.call(ResumeIndex::call_key(slot_row(hotspot, slot)));
  Json row = sent ? sent->row : slot_row(hotspot, slot);
  if (!sent) row["id"] = state_->index.next_id("llm_calls");
  Json stored = to_json(reply);
  stored.erase("text");
  row["reply"] = std::move(stored);
  row["reply_sha"] = text("reply", reply.text);
  row["outcome"] = to_text(reply.outcome);
  state_->append("llm_calls", row);
}

void Recorder::call_read(long long hotspot, const CallSlot& slot, const std::string& reading) {
  const ResumeIndex::Named* known = state_->index.call(ResumeIndex::call_key(slot_row(hotspot, slot)));
  if (!known || text_in(known->row, "reading") == reading) return;
  Json row = known->row;
  row["reading"] = text_to_json(reading);
  state_->append("llm_calls", row);
}

std::optional<RecordedReply> Recorder::known_call(long long hotspot, const CallSlot& slot) const {
  const ResumeIndex::Named* known = state_->index.call(ResumeIndex::call_key(slot_row(hotspot, slot)));
  if (!known || !known->row.contains("reply")) return {};
  Result<ChatReply> reply = chat_reply_from(known->row["reply"]);
  if (!reply || !settles(reply->outcome)) return {};
  std::optional<std::string> content = known_text(text_in(known->row, "reply_sha"));
  if (!content) return {};
  reply->text = std::move(*content);
  return RecordedReply{known->id, std::move(*reply)};
}

std::vector<SpentCall> Recorder::spent_calls() const {
  std::vector<SpentCall> out;
  for (const auto& [key, call] : state_->index.calls()) out.push_back(spent_call(call.row));
  return out;
}

long long Recorder::evaluation(const EvaluationContext& context, const Evaluation& evaluation) {
  if (!context.key.empty())
    if (const ResumeIndex::Known* known = state_->index.evaluation(context.key)) return known->id;
  Json cases = Json::array();
  for (const TimingSummary& timing : evaluation.timings)
    cases.push_back(state_->index.case_id(context.hotspot, timing.case_name));
  const auto rows = std::max<long long>(1, static_cast<long long>(evaluation.timings.size()));
  const long long id = state_->index.next_id("evaluations", rows);
  state_->append("evaluations", {{"id", id},
                                 {"hotspot", context.hotspot},
                                 {"candidate", context.candidate},
                                 {"purpose", to_text(context.purpose)},
                                 {"reference", context.reference},
                                 {"process", context.process},
                                 {"key", text_to_json(context.key)},
                                 {"key_sha", context.key.empty() ? "" : sha256(context.key)},
                                 {"cases", std::move(cases)},
                                 {"evaluation", to_json(evaluation)}});
  return id;
}

void Recorder::decision(long long hotspot, const std::string& text, const Json& rows) {
  state_->append("decisions", {{"time", wall_seconds()},
                               {"hotspot", hotspot},
                               {"text", text_to_json(text)},
                               {"rows", rows.dump(-1, ' ', false, Json::error_handler_t::replace)}});
}

void Recorder::event(int rank, EventLevel level, long long hotspot, const std::string& text) {
  state_->append("events", {{"time", wall_seconds()},
                            {"rank", rank},
                            {"level", to_text(level)},
                            {"hotspot", hotspot},
                            {"text", text_to_json(text)}});
}

std::string Recorder::text(const std::string& kind, const std::string& content) {
  std::string sha = sha256(content);
  if (!state_->index.text(sha))
    state_->append("texts", {{"sha", sha}, {"kind", kind}, {"content", text_to_json(content)}});
  return sha;
}

long long Recorder::row(const std::string& table, Json row) {
  const Table* known = find_table(table);
  if (!known) {
    state_->keep(Error{"cannot record a row", "there is no table " + table});
    return -1;
  }
  if (!ResumeIndex::named_key(table, row).empty()) return state_->put_named(table, std::move(row));
  if (known->find("id") && !row.contains("id")) row["id"] = state_->index.next_id(table);
  state_->append(table, row);
  return row.value("id", -1LL);
}

std::optional<Evaluation> Recorder::known_evaluation(const std::string& key) const {
  const ResumeIndex::Known* known = state_->index.evaluation(key);
  if (!known) return {};
  const Result<Json> row = read_record(known->place);
  if (!row || !row->contains("evaluation")) return {};
  Result<Evaluation> evaluation = evaluation_from_json((*row)["evaluation"]);
  if (!evaluation) return {};
  return std::move(*evaluation);
}

std::optional<HotspotRow> Recorder::known_hotspot(const std::string& name) const {
  const ResumeIndex::Named* known = state_->index.named("hotspots", "/" + name);
  if (!known) return {};
  return hotspot_from_json(known->row);
}

Result<void> Recorder::sync() {
  if (state_->failure) return Failure(*state_->failure);
  Result<void> done = state_->lease.check();
  if (done) done = state_->journal->sync();
  if (!done) state_->keep(done.error());
  return done;
}

Result<void> Recorder::beat() {
  state_->beat();
  if (state_->failure) return Failure(*state_->failure);
  return {};
}

Result<BuildFacts> Recorder::rebuild() {
  if (state_->building.valid()) state_->building.wait();
  if (Result<void> safe = sync(); !safe) return Failure(safe.error());
  return build_results(journal_folder(state_->target), state_->target);
}

bool Recorder::start_rebuild() {
  if (state_->building.valid()) return false;
  if (!sync()) return false;
  state_->building =
      std::async(std::launch::async, [folder = journal_folder(state_->target), target = state_->target] {
        return build_results(folder, target);
      });
  return true;
}

std::optional<Result<BuildFacts>> Recorder::take_rebuild() {
  if (!state_->building.valid() ||
      state_->building.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return {};
  return state_->building.get();
}

Result<BuildFacts> Recorder::finish(const std::string& status) {
  state_->append("run_end", {{"status", status}, {"finished", wall_seconds()}});
  Result<BuildFacts> facts = rebuild();
  state_->lease.release();
  return facts;
}

bool Recorder::resumed() const {
  return state_->earlier_runs > 0;
}
bool Recorder::finished_before() const {
  return state_->finished_before;
}
bool Recorder::idle_twice() const {
  return !state_->worked_before && !state_->worked;
}
std::size_t Recorder::known_evaluations() const {
  return state_->index.evaluations();
}
const std::string& Recorder::run_uuid() const {
  return state_->header.run_uuid;
}
const std::optional<Error>& Recorder::failure() const {
  return state_->failure;
}

}  // namespace noctune
