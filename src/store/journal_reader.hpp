// Reads a campaign's journals, runs in order of start. Left out and counted: torn tails, duplicate lines, and
// lines of a run that had lost its lease. Left out and reported: lines that fail their checksum. Safe while a
// run appends.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"
#include "store/journal.hpp"

namespace noctune {

struct JournalRun {
  std::string uuid;
  std::filesystem::path file;
  long long generation = 0;  // 1 + runs before it; 0 where the first line cannot be read
  Json header = Json::object();
  long long records = 0;  // read so far
  long long last_seq = -1;
};

struct JournalRecord {
  int run = 0;  // position in runs()
  long long seq = 0;
  std::string table;
  Json row;
  RecordPlace place;
};

struct JournalFacts {
  long long records = 0, torn_tails = 0, duplicates = 0, fenced = 0;
  std::vector<std::string> problems;  // "file:line: why", at most max_problems of them
  static constexpr std::size_t max_problems = 100;
};

class JournalReader {
 public:
  // A folder that does not exist reads as one without runs.
  static Result<JournalReader> open(const std::filesystem::path& folder);

  const std::vector<JournalRun>& runs() const { return runs_; }
  const JournalFacts& facts() const { return facts_; }
  // Hands over every record once, in order. Stops at the first error of `use`.
  Result<void> each(const std::function<Result<void>(JournalRecord&)>& use);

 private:
  Result<void> read_file(const std::filesystem::path& path,
                         const std::function<Result<void>(JournalRecord&)>& use);
  Result<void> take_line(std::string_view line, long long number, const RecordPlace& place,
                         const std::function<Result<void>(JournalRecord&)>& use);
  int run_of(const std::string& uuid, const std::filesystem::path& file);
  void problem(const std::filesystem::path& file, long long line, const std::string& why);

  std::vector<JournalRun> runs_;
  std::vector<std::filesystem::path> files_;
  std::map<std::string, long long> accepted_;  // by run: last record a later run took over
  std::map<std::string, std::vector<bool>> seen_;
  JournalFacts facts_;
};

// One record again, by its place.
Result<Json> read_record(const RecordPlace& place);

}  // namespace noctune
