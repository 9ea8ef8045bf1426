#include "store/journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "store/schema.hpp"

// A line is {"run":..,"seq":..,"schema":..,"table":..,"row":{..}}, a tab, and the CRC-32 of what precedes the
// tab as eight hexadecimal digits. JSON text holds no raw tab or newline, so both are unambiguous.

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr long long batch_records = 32;
constexpr std::chrono::seconds batch_time{1};

// "20260131T210405Z": sorts by time and is safe in file names everywhere.
std::string compact_time(double seconds) {
  std::string out = iso_time(seconds);
  std::erase_if(out, [](char c) { return c == '-' || c == ':'; });
  return out;
}

bool disk_is_full(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

}  // namespace

fs::path journal_folder(const fs::path& target) {
  return target.string() + ".journal";
}

std::string journal_line(const std::string& run_uuid, long long seq, const std::string& table,
                         const Json& row) {
  std::string line = "{\"run\":\"" + run_uuid + "\",\"seq\":" + std::to_string(seq) +
                     ",\"schema\":" + std::to_string(schema_version) + ",\"table\":\"" + table +
                     "\",\"row\":";
  line += row.dump(-1, ' ', false, Json::error_handler_t::replace);
  line += '}';
  char sum[12];
  std::snprintf(sum, sizeof sum, "\t%08x\n", static_cast<unsigned>(crc32(line)));
  return line + sum;
}

Result<std::unique_ptr<Journal>> Journal::create(const fs::path& folder, const std::string& run_uuid,
                                                 double started) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return fail("cannot make the journal folder " + folder.string(), error.message(),
                "the results file's folder must be writable");
  const fs::path path = folder / (compact_time(started) + "-" + run_uuid + ".jsonl");
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
  if (!file) return fail("cannot start the journal " + path.string(), errno_text(errno));
  const Result<void> durable = sync_parent(path).and_then([&] { return sync_parent(folder); });
  if (!durable) return Failure(durable.error());
  return std::unique_ptr<Journal>(new Journal(path, run_uuid, std::move(file)));
}

Journal::Journal(fs::path path, std::string run_uuid, Descriptor file)
    : path_(std::make_shared<const fs::path>(std::move(path))),
      run_uuid_(std::move(run_uuid)),
      file_(std::move(file)) {
  syncer_ = std::thread([this] { sync_in_background(); });
}

Journal::~Journal() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  syncer_.join();
}

Result<RecordPlace> Journal::append(const std::string& table, const Json& row) {
  {
    const std::lock_guard lock(mutex_);
    if (broken_) return Failure(*broken_);
  }
  const std::string line = journal_line(run_uuid_, seq_, table, row);
  const Result<void> written = write_line(line);
  if (!written) return Failure(written.error());
  RecordPlace place{path_, offset_, static_cast<long long>(line.size()) - 1};
  offset_ += static_cast<long long>(line.size());
  ++seq_;
  note_written();
  return place;
}

Result<void> Journal::write_line(std::string_view line) {
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t n = ::write(file_.get(), rest.data(), rest.size());
    if (n >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(n));
      continue;
    }
    if (errno == EINTR) continue;
    const int reason = errno;
    Error error{"cannot append to the journal " + path_->string(), errno_text(reason),
                disk_is_full(reason)
                    ? "free space or raise the quota, then start the same command again: it resumes"
                    : ""};
    const bool mended = rest.size() == line.size() || ::ftruncate(file_.get(), offset_) == 0;
    if (!mended || !disk_is_full(reason)) {
      const std::lock_guard lock(mutex_);
      broken_ = error;
    }
    return Failure(error);
  }
  return {};
}

void Journal::note_written() {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    ++written_;
    wake = written_ - synced_ == 1 || written_ - synced_ >= batch_records;
  }
  if (wake) wake_.notify_one();
}

Result<void> Journal::sync() {
  {
    const std::lock_guard lock(mutex_);
    if (broken_) return Failure(*broken_);
    if (written_ == synced_) return {};
  }
  return sync_now();
}

Result<void> Journal::sync_now() {
  long long upto = 0;
  {
    const std::lock_guard lock(mutex_);
    upto = written_;
  }
  int outcome = 0;
  do outcome = ::fdatasync(file_.get());
  while (outcome != 0 && errno == EINTR);
  const int reason = errno;
  const std::lock_guard lock(mutex_);
  if (outcome != 0) {
    if (!broken_)
      broken_ =
          Error{"cannot sync the journal " + path_->string(), errno_text(reason),
                "what was recorded since the last sync may be lost; check the file system, then start again"};
    return Failure(*broken_);
  }
  synced_ = std::max(synced_, upto);
  return {};
}

void Journal::sync_in_background() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait(lock, [this] { return stopping_ || (written_ > synced_ && !broken_); });
    wake_.wait_for(lock, batch_time, [this] { return stopping_ || written_ - synced_ >= batch_records; });
    if (written_ == synced_ || broken_) continue;
    lock.unlock();
    (void)sync_now();  // kept in broken_, told by the next call
    lock.lock();
  }
}

}  // namespace noctune
