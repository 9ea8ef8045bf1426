// The truth while a campaign runs: an append-only file per run of the program, one checksummed line per
// record. Use from one thread; a helper thread syncs in batches. A record counts as committed once sync()
// returned. After a failed sync the journal refuses everything, for the kernel may have dropped what was not
// written.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"

namespace noctune {

// "<F>.journal" for results file F.
std::filesystem::path journal_folder(const std::filesystem::path& target);

// Where a record lies: a line without its end, in the run's file. There are a few places an evaluation in
// memory, so those of a file share its path.
struct RecordPlace {
  std::shared_ptr<const std::filesystem::path> file;
  long long offset = 0;
  long long length = 0;
};

class Journal {
 public:
  // Starts <folder>/<started>-<run uuid>.jsonl; the folder is made if need be.
  static Result<std::unique_ptr<Journal>> create(const std::filesystem::path& folder,
                                                 const std::string& run_uuid, double started);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // One write(2). After an error the file ends with the last whole record; a full disk may be tried again.
  Result<RecordPlace> append(const std::string& table, const Json& row);
  Result<void> sync();

  const std::filesystem::path& path() const { return *path_; }
  long long records() const { return seq_; }

 private:
  Journal(std::filesystem::path path, std::string run_uuid, Descriptor file);
  Result<void> write_line(std::string_view line);
  Result<void> sync_now();
  void note_written();
  void sync_in_background();

  std::shared_ptr<const std::filesystem::path> path_;
  std::string run_uuid_;
  Descriptor file_;
  long long seq_ = 0;     // of the next record
  long long offset_ = 0;  // end of the last whole record

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  long long written_ = 0, synced_ = 0;
  bool stopping_ = false;
  std::optional<Error> broken_;
  std::thread syncer_;
};

// A record as its line, newline included.
std::string journal_line(const std::string& run_uuid, long long seq, const std::string& table,
                         const Json& row);

}  // namespace noctune
