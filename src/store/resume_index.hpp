// What earlier runs, and this one so far, have recorded: ids by natural key, and where evaluations lie.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "base/json.hpp"
#include "store/journal_reader.hpp"

namespace noctune {

class ResumeIndex {
 public:
  struct Named {
    long long id = 0;
    Json row;  // as recorded last, id included
  };
  struct Known {
    long long id = 0;
    RecordPlace place;
  };

  // Takes note of one record, read back or just appended.
  void note(const std::string& table, const Json& row, const RecordPlace& place);

  // Hotspots, cases and devices by the key that named_key() gives.
  const Named* named(const std::string& table, const std::string& key) const;
  std::optional<long long> candidate(const std::string& key) const;
  const Known* evaluation(const std::string& key) const;
  // A model call by the key of its slot, as recorded last.
  const Named* call(const std::string& key) const;
  const std::unordered_map<std::string, Named>& calls() const { return calls_; }
  const RecordPlace* text(const std::string& sha) const;
  long long case_id(long long hotspot, const std::string& name) const;
  // The next free id of a table; `width` ids are taken together.
  long long next_id(const std::string& table, long long width = 1);
  std::size_t evaluations() const { return evaluations_.size(); }

  // Natural keys; empty for tables without one.
  static std::string named_key(const std::string& table, const Json& row);
  static std::string candidate_key(long long hotspot, const std::string& arm, long long replicate,
                                   long long round, long long index, const std::string& sha);
  static std::string call_key(const Json& row);

 private:
  void raise(const std::string& table, const Json& row, long long width);

  std::map<std::string, std::unordered_map<std::string, Named>> named_;
  std::unordered_map<std::string, long long> candidates_;
  std::unordered_map<std::string, Known> evaluations_;
  std::unordered_map<std::string, Named> calls_;
  std::unordered_map<std::string, RecordPlace> texts_;
  std::map<std::string, long long> last_id_;
};

}  // namespace noctune
