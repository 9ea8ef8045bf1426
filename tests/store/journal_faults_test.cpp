// Faults of a file system, put between the journal and the kernel: this program's own write and fdatasync
// stand in for libc's.
#include <gmock/gmock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>

#include "store/journal.hpp"
#include "store/journal_reader.hpp"

namespace noctune {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

// What the next calls on the journal do.
struct Faults {
  std::atomic<int> interrupted{0};  // so many writes end with EINTR
  std::atomic<int> short_writes{0};
  std::atomic<int> write_error{0}, sync_error{0};  // errno, for good
  std::mutex mutex;
  std::condition_variable changed;
  bool holds_syncs = false, syncing = false;  // as a file system that does not answer

  void hold_syncs(bool value) {
    const std::lock_guard lock(mutex);
    holds_syncs = value;
    changed.notify_all();
  }
  void wait_for_sync() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return syncing; });
  }
};
Faults faults;

bool is_journal(int fd) {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/fd/" + std::to_string(fd), ignored).string().ends_with(".jsonl");
}

}  // namespace
}  // namespace noctune

extern "C" ssize_t write(int fd, const void* bytes, size_t count) {
  using noctune::faults;
  if (noctune::is_journal(fd)) {
    errno = faults.write_error;
    if (errno != 0) return -1;
    if (faults.interrupted > 0) {
      --faults.interrupted;
      errno = EINTR;
      return -1;
    }
    if (faults.short_writes > 0 && count > 7) {
      --faults.short_writes;
      count = 7;
    }
  }
  return ::syscall(SYS_write, fd, bytes, count);
}

extern "C" int fdatasync(int fd) {
  using noctune::faults;
  if (noctune::is_journal(fd)) {
    std::unique_lock lock(faults.mutex);
    faults.syncing = true;
    faults.changed.notify_all();
    faults.changed.wait(lock, [] { return !faults.holds_syncs; });
    errno = faults.sync_error;
    if (errno != 0) return -1;
  }
  return static_cast<int>(::syscall(SYS_fdatasync, fd));
}

namespace noctune {
namespace {

class JournalFaults : public testing::Test {
 protected:
  void SetUp() override { begin("run"); }
  void begin(const std::string& run) {
    faults.interrupted = faults.short_writes = faults.write_error = faults.sync_error = 0;
    journal_.reset();
    fs::remove_all(folder_);
    journal_ = value_or_throw(Journal::create(folder_, run, 1.77e9));
    value_or_throw(journal_->append("run", {{"generation", 1}, {"accepted", Json::object()}}));
  }
  void TearDown() override { faults.hold_syncs(false); }
  std::vector<long long> read() const {
    std::vector<long long> out;
    JournalReader reader = value_or_throw(JournalReader::open(folder_));
    value_or_throw(reader.each([&](JournalRecord& record) -> Result<void> {
      if (record.table == "numbers") out.push_back(record.row.at("value").get<long long>());
      return {};
    }));
    EXPECT_TRUE(reader.facts().problems.empty());
    return out;
  }
  bool append(long long value) { return journal_->append("numbers", {{"value", value}}).has_value(); }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("journal-faults-test"));
  fs::path folder_ = scratch_.path() / "r.h5.journal";
  std::unique_ptr<Journal> journal_;
};

TEST_F(JournalFaults, InterruptedAndShortWritesAreFinished) {
  faults.interrupted = 3;
  faults.short_writes = 50;
  for (long long value = 0; value < 4; ++value) EXPECT_TRUE(append(value));
  value_or_throw(journal_->sync());
  EXPECT_EQ(read(), (std::vector<long long>{0, 1, 2, 3}));
}

TEST_F(JournalFaults, AnErrorOfTheDeviceEndsWritingForGood) {
  for (const int error : {EIO, ESTALE}) {
    begin("run-" + std::to_string(error));
    EXPECT_TRUE(append(1));
    faults.write_error = error;
    const auto failed = journal_->append("numbers", {{"value", 2}});
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().text(), HasSubstr(errno_text(error)));
    faults.write_error = 0;
    EXPECT_FALSE(append(3)) << "what came between is unknown";
    EXPECT_FALSE(journal_->sync());
    EXPECT_EQ(read(), (std::vector<long long>{1}));
  }
}

TEST_F(JournalFaults, ASyncThatFailsIsToldAndNeverTriedAgain) {
  EXPECT_TRUE(append(1));
  faults.sync_error = EIO;
  const Result<void> failed = journal_->sync();
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().text(), HasSubstr("may be lost"));
  faults.sync_error = 0;
  EXPECT_FALSE(journal_->sync());
  EXPECT_FALSE(append(2));
}

TEST_F(JournalFaults, AFileSystemThatDoesNotAnswerHoldsNoRecordUp) {
  faults.hold_syncs(true);
  EXPECT_TRUE(append(0));
  faults.wait_for_sync();  // the helper thread's
  for (long long value = 1; value < 1000; ++value) EXPECT_TRUE(append(value));
  faults.hold_syncs(false);
  value_or_throw(journal_->sync());
  EXPECT_EQ(read().size(), 1000U);
}

}  // namespace
}  // namespace noctune
