// Turns rows into the packed records of a table. What a row lacks is NaN, -1, empty text or "none".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hdf5.hpp"
#include "base/json.hpp"
#include "store/schema.hpp"

namespace noctune {

class RecordPacker {
 public:
  explicit RecordPacker(const Table& table);

  const std::vector<Hdf5Member>& members() const { return members_; }
  std::size_t size() const { return blank_.size(); }
  // A record of which everything is missing.
  const std::string& blank() const { return blank_; }
  // Position of a column, which must exist.
  std::size_t column(std::string_view name) const;
  std::size_t offset(std::size_t column) const { return offsets_[column]; }

  void set(char* record, std::size_t column, double value) const;
  void set(char* record, std::size_t column, long long value) const;
  void set(char* record, std::size_t column, std::string_view value) const;  // cut at a whole character
  // What does not fit its column, or has none, is left out and complained about.
  std::optional<std::string> pack(const Json& row, std::string& record) const;

 private:
  bool set_json(char* record, std::size_t column, const Json& value) const;

  const Table& table_;
  std::vector<Hdf5Member> members_;
  std::vector<std::size_t> offsets_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::string blank_;
};

}  // namespace noctune
