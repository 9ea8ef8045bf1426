#include "store/resume_index.hpp"

#include <algorithm>

#include "model/evaluation.hpp"
#include "store/row_access.hpp"

namespace noctune {
namespace {

// An evaluation takes an id for each of its rows.
long long rows_of(const Json& evaluation) {
  const auto timings = evaluation.find("timings");
  const bool listed = timings != evaluation.end() && timings->is_array();
  return listed ? std::max<long long>(1, static_cast<long long>(timings->size())) : 1;
}

}  // namespace

std::string ResumeIndex::named_key(const std::string& table, const Json& row) {
  if (table == "hotspots") return "/" + text_in(row, "name");
  if (table == "cases") return std::to_string(integer_in(row, "hotspot")) + "/" + text_in(row, "name");
  if (table == "patterns") return "/" + text_in(row, "name");
  if (table == "pattern_evidence")
    return std::to_string(integer_in(row, "pattern")) + "/" + std::to_string(integer_in(row, "candidate"));
  if (table == "pattern_trials")
    return std::to_string(integer_in(row, "pattern")) + "/" + std::to_string(integer_in(row, "hotspot")) +
           "/" + text_in(row, "slot");
  if (table == "meps") return std::to_string(integer_in(row, "hotspot"));
  if (table == "arms")
    return std::to_string(integer_in(row, "hotspot")) + "/" + text_in(row, "arm") + "/" +
           std::to_string(integer_in(row, "replicate"));
  if (table == "devices")
    return std::to_string(integer_in(row, "rank")) + "/" + text_in(row, "host") + "/" + text_in(row, "uuid");
  return {};
}

std::string ResumeIndex::candidate_key(long long hotspot, const std::string& arm, long long replicate,
                                       long long round, long long index, const std::string& sha) {
  return std::to_string(hotspot) + "/" + arm + "/" + std::to_string(replicate) + "/" + std::to_string(round) +
         "/" + std::to_string(index) + "/" + sha;
}

std::string ResumeIndex::call_key(const Json& row) {
  std::string out = std::to_string(integer_in(row, "hotspot")) + "/" + text_in(row, "arm");
  for (const char* part : {"replicate", "node", "sample", "repair"})
    out += "/" + std::to_string(integer_in(row, part));
  return out + "/" + text_in(row, "purpose");
}

void ResumeIndex::note(const std::string& table, const Json& row, const RecordPlace& place) {
  if (table == "evaluations") {
    const Json& evaluation = object_in(row, "evaluation");
    raise(table, row, rows_of(evaluation));
    const std::string key = text_in(row, "key");
    // What was lost through our own fault is measured again.
    if (!key.empty() && text_in(evaluation, "verdict") != to_text(Verdict::lost))
      evaluations_.insert_or_assign(key, Known{integer_in(row, "id"), place});
    return;
  }
  if (table == "texts") {
    texts_.try_emplace(text_in(row, "sha"), place);
    return;
  }
  raise(table, row, 1);
  if (table == "candidates") {
    const std::string sha = text_in(object_in(row, "candidate"), "sha");
    candidates_[candidate_key(integer_in(row, "hotspot"), text_in(row, "arm"),
                              integer_in(row, "replicate", 0), integer_in(row, "round"),
                              integer_in(row, "index"), sha)] = integer_in(row, "id");
    return;
  }
  if (table == "llm_calls") {
    calls_[call_key(row)] = {integer_in(row, "id"), row};
    return;
  }
  if (const std::string key = named_key(table, row); !key.empty())
    named_[table][key] = {integer_in(row, "id"), row};
}

void ResumeIndex::raise(const std::string& table, const Json& row, long long width) {
  const long long id = integer_in(row, "id");
  if (id >= 0) last_id_[table] = std::max(last_id_[table], id + width - 1);
}

const ResumeIndex::Named* ResumeIndex::named(const std::string& table, const std::string& key) const {
  const auto rows = named_.find(table);
  if (rows == named_.end()) return nullptr;
  const auto found = rows->second.find(key);
  return found == rows->second.end() ? nullptr : &found->second;
}

std::optional<long long> ResumeIndex::candidate(const std::string& key) const {
  const auto found = candidates_.find(key);
  if (found == candidates_.end()) return {};
  return found->second;
}

const ResumeIndex::Known* ResumeIndex::evaluation(const std::string& key) const {
  const auto found = evaluations_.find(key);
  return found == evaluations_.end() ? nullptr : &found->second;
}

const ResumeIndex::Named* ResumeIndex::call(const std::string& key) const {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : &found->second;
}

const RecordPlace* ResumeIndex::text(const std::string& sha) const {
  const auto found = texts_.find(sha);
  return found == texts_.end() ? nullptr : &found->second;
}

long long ResumeIndex::case_id(long long hotspot, const std::string& name) const {
  const Named* known = named("cases", std::to_string(hotspot) + "/" + name);
  return known ? known->id : -1;
}

long long ResumeIndex::next_id(const std::string& table, long long width) {
  const long long first = last_id_[table] + 1;
  last_id_[table] += width;
  return first;
}

}  // namespace noctune
