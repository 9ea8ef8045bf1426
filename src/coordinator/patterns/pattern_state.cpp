#include "coordinator/patterns/pattern_state.hpp"

#include "coordinator/patterns/pattern_status.hpp"
#include "model/pattern_json.hpp"

namespace noctune {
namespace {

std::string key_of(const PatternEvidence& e) {
  return Json::array({e.campaign, e.hotspot, e.platform, e.candidate, e.base}).dump();
}

std::string key_of(const PatternTrial& t) {
  return Json::array({t.campaign, t.hotspot, t.slot}).dump();
}

// Which of two accounts of one thing holds.
bool holds_before(const Pattern& a, const Pattern& b) {
  return a.revision != b.revision ? a.revision > b.revision : to_json(a).dump() < to_json(b).dump();
}

bool holds_before(const PatternEvidence& a, const PatternEvidence& b) {
  return to_json(a).dump() < to_json(b).dump();
}

bool holds_before(const PatternTrial& a, const PatternTrial& b) {
  if (a.used != b.used) return a.used;
  if (a.outcome.empty() != b.outcome.empty()) return b.outcome.empty();
  return to_json(a).dump() < to_json(b).dump();
}

template <class T>
void merge(std::map<std::string, T>& into, const std::string& key, const T& one) {
  const auto [found, fresh] = into.emplace(key, one);
  if (!fresh && holds_before(one, found->second)) found->second = one;
}

template <class T>
std::vector<T> values_of(const std::map<std::string, T>& map) {
  std::vector<T> out;
  for (const auto& [key, value] : map) out.push_back(value);
  return out;
}

}  // namespace

void PatternState::add(const Pattern& pattern) {
  merge(written_, pattern.name, pattern);
}

void PatternState::add(const PatternEvidence& evidence) {
  merge(entries_[evidence.pattern].evidence, key_of(evidence), evidence);
}

void PatternState::add(const PatternTrial& trial) {
  merge(entries_[trial.pattern].trials, key_of(trial), trial);
}

const Pattern* PatternState::find(const std::string& name) const {
  const auto found = written_.find(name);
  return found == written_.end() ? nullptr : &found->second;
}

std::vector<KnownPattern> PatternState::patterns() const {
  std::vector<KnownPattern> out;
  for (const auto& [name, pattern] : written_) {
    KnownPattern one;
    one.pattern = pattern;
    if (const auto found = entries_.find(name); found != entries_.end()) {
      one.evidence = values_of(found->second.evidence);
      one.trials = values_of(found->second.trials);
    }
    one.pattern.status = status_from(pattern.status, pattern.drafted_on, one.evidence);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace noctune
