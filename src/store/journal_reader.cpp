#include "store/journal_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "store/schema.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr long long block_bytes = 1 << 20;

// Whole lines of a growing file, each with its place; what follows the last newline is the tail. It ends
// where the file ended at first: a fast writer would otherwise keep a reader busy for ever.
class LineReader {
 public:
  explicit LineReader(Descriptor file) : file_(std::move(file)) {
    struct stat facts {};
    if (::fstat(file_.get(), &facts) == 0) unread_ = facts.st_size;
  }

  // False at the end of what is there. An error sets error().
  bool next(std::string_view& line, long long& offset) {
    for (;;) {
      const void* end = std::memchr(buffer_.data() + searched_, '\n', buffer_.size() - searched_);
      if (end) {
        const auto stop = static_cast<std::size_t>(static_cast<const char*>(end) - buffer_.data());
        line = std::string_view(buffer_).substr(start_, stop - start_);
        offset = base_ + static_cast<long long>(start_);
        start_ = searched_ = stop + 1;
        return true;
      }
      searched_ = buffer_.size();
      if (!refill()) return false;
    }
  }
  bool has_tail() const { return start_ < buffer_.size(); }
  int error() const { return error_; }

 private:
  bool refill() {
    buffer_.erase(0, start_);
    base_ += static_cast<long long>(start_);
    searched_ -= start_;
    start_ = 0;
    const std::size_t old = buffer_.size();
    const auto wanted = static_cast<std::size_t>(std::min<long long>(unread_, block_bytes));
    buffer_.resize(old + wanted);
    ssize_t n = 0;
    do n = ::read(file_.get(), buffer_.data() + old, wanted);
    while (n < 0 && errno == EINTR);
    if (n < 0) error_ = errno;
    unread_ -= std::max<ssize_t>(n, 0);
    buffer_.resize(old + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    return n > 0;
  }

  Descriptor file_;
  std::string buffer_;
  std::size_t start_ = 0, searched_ = 0;
  long long base_ = 0, unread_ = 0;
  int error_ = 0;
};

// The JSON text of a line whose checksum holds, or why it does not.
Result<std::string_view> checked_content(std::string_view line) {
  constexpr std::size_t sum_bytes = 9;
  if (line.size() < sum_bytes || line[line.size() - sum_bytes] != '\t') return fail("no checksum at its end");
  const std::string_view content = line.substr(0, line.size() - sum_bytes);
  char sum[12];
  std::snprintf(sum, sizeof sum, "%08x", static_cast<unsigned>(crc32(content)));
  if (line.substr(line.size() - 8) != sum) return fail("its checksum does not match");
  return content;
}

Result<Json> parse_line(std::string_view line) {
  const Result<std::string_view> content = checked_content(line);
  if (!content) return Failure(content.error());
  Json record = Json::parse(*content, nullptr, /*allow_exceptions=*/false);
  if (record.is_discarded() || !record.is_object()) return fail("it is not JSON");
  if (!record.value("schema", Json()).is_number_integer()) return fail("it has no schema version");
  return record;
}

bool is_whole(const Json& record) {
  const auto is = [&](const char* key, bool (Json::*test)() const noexcept) {
    const auto found = record.find(key);
    return found != record.end() && ((*found).*test)();
  };
  return is("run", &Json::is_string) && is("seq", &Json::is_number_unsigned) &&
         is("table", &Json::is_string) && is("row", &Json::is_object);
}

Failure newer_schema(const fs::path& file, const Json& record) {
  return fail("cannot read the journal " + file.string(),
              "it was written by a newer Noctune (schema " + record["schema"].dump() +
                  "; this one knows up to " + std::to_string(schema_version) + ")",
              "use the Noctune that started this campaign, or a newer one");
}

bool is_newer(const Json& record) {
  return record["schema"].get<long long>() > schema_version;
}

// "20260131T210405Z-<uuid>.jsonl" -> uuid
std::string uuid_in_name(const fs::path& file) {
  const std::string stem = file.stem().string();
  const auto dash = stem.find('-');
  return dash == std::string::npos ? stem : stem.substr(dash + 1);
}

Result<std::optional<JournalRun>> read_head(const fs::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail("cannot read the journal " + path.string(), errno_text(errno));
  LineReader lines(std::move(file));
  std::string_view line;
  long long offset = 0;
  if (!lines.next(line, offset)) {
    if (lines.error()) return fail("cannot read the journal " + path.string(), errno_text(lines.error()));
    return std::optional<JournalRun>();  // killed before its first record
  }
  JournalRun run;
  run.file = path;
  run.uuid = uuid_in_name(path);
  Result<Json> record = parse_line(line);
  if (record && is_newer(*record)) return newer_schema(path, *record);
  if (record && is_whole(*record) && (*record)["table"] == "run") {
    run.uuid = (*record)["run"].get<std::string>();
    run.header = (*record)["row"];
    const auto generation = run.header.find("generation");
    if (generation != run.header.end() && generation->is_number_integer()) run.generation = *generation;
  }
  return std::optional<JournalRun>(std::move(run));
}

Result<std::vector<fs::path>> journal_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  if (!fs::exists(folder, error) && !error) return files;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error))
    if (entries->path().extension() == ".jsonl") files.push_back(entries->path());
  if (error) return fail("cannot read the journal folder " + folder.string(), error.message());
  std::sort(files.begin(), files.end());
  return files;
}

// By generation, since clocks of nodes differ; a run whose header is lost stays behind its neighbour by name.
void order_by_start(std::vector<JournalRun>& runs) {
  std::vector<std::pair<long long, std::size_t>> keys;
  long long last = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].generation > 0) last = runs[i].generation;
    keys.emplace_back(last, i);
  }
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<JournalRun> ordered;
  for (const auto& [generation, i] : keys) ordered.push_back(std::move(runs[i]));
  runs = std::move(ordered);
}

}  // namespace

Result<JournalReader> JournalReader::open(const fs::path& folder) {
  const Result<std::vector<fs::path>> files = journal_files(folder);
  if (!files) return Failure(files.error());
  JournalReader reader;
  std::vector<JournalRun> heads;
  for (const fs::path& file : *files) {
    Result<std::optional<JournalRun>> head = read_head(file);
    if (!head) return Failure(head.error());
    if (*head)
      heads.push_back(std::move(**head));
    else
      ++reader.facts_.torn_tails;
  }
  order_by_start(heads);
  for (JournalRun& run : heads) {
    reader.files_.push_back(run.file);
    const auto accepted = run.header.find("accepted");
    if (accepted != run.header.end() && accepted->is_object())
      for (const auto& item : accepted->items())
        if (item.value().is_number_integer()) {
          const auto [at, fresh] = reader.accepted_.emplace(item.key(), item.value().get<long long>());
          if (!fresh) at->second = std::min(at->second, item.value().get<long long>());
        }
    const bool copy = std::any_of(reader.runs_.begin(), reader.runs_.end(),
                                  [&](const JournalRun& known) { return known.uuid == run.uuid; });
    if (!copy) reader.runs_.push_back(std::move(run));
  }
  return reader;
}

Result<void> JournalReader::each(const std::function<Result<void>(JournalRecord&)>& use) {
  for (const fs::path& file : files_)
    if (Result<void> done = read_file(file, use); !done) return done;
  return {};
}

Result<void> JournalReader::read_file(const fs::path& path,
                                      const std::function<Result<void>(JournalRecord&)>& use) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail("cannot read the journal " + path.string(), errno_text(errno));
  LineReader lines(std::move(file));
  std::string_view line;
  RecordPlace place{std::make_shared<const fs::path>(path), 0, 0};
  for (long long number = 1; lines.next(line, place.offset); ++number) {
    place.length = static_cast<long long>(line.size());
    if (Result<void> done = take_line(line, number, place, use); !done) return done;
  }
  if (lines.error()) return fail("cannot read the journal " + path.string(), errno_text(lines.error()));
  if (lines.has_tail()) ++facts_.torn_tails;
  return {};
}

Result<void> JournalReader::take_line(std::string_view line, long long number, const RecordPlace& place,
                                      const std::function<Result<void>(JournalRecord&)>& use) {
  Result<Json> parsed = parse_line(line);
  if (parsed && is_newer(*parsed)) return newer_schema(*place.file, *parsed);
  if (!parsed || !is_whole(*parsed)) {
    problem(*place.file, number, parsed ? "it is no record" : parsed.error().problem);
    return {};
  }
  Json& whole = *parsed;
  JournalRecord record;
  record.seq = whole["seq"].get<long long>();
  record.run = run_of(whole["run"].get_ref<const std::string&>(), *place.file);
  JournalRun& run = runs_[static_cast<std::size_t>(record.run)];
  std::vector<bool>& seen = seen_[run.uuid];
  const auto at = static_cast<std::size_t>(record.seq);
  if (at > seen.size() + 100'000'000) {
    problem(*place.file, number, "its sequence number is absurd");
    return {};
  }
  if (at >= seen.size()) seen.resize(at + 1);
  if (seen[at]) {
    ++facts_.duplicates;
    return {};
  }
  seen[at] = true;
  const auto accepted = accepted_.find(run.uuid);
  if (accepted != accepted_.end() && record.seq > accepted->second) {
    ++facts_.fenced;
    return {};
  }
  record.table = std::move(whole["table"].get_ref<std::string&>());
  record.row = std::move(whole["row"]);
  record.place = place;
  ++run.records;
  run.last_seq = std::max(run.last_seq, record.seq);
  ++facts_.records;
  return use(record);
}

int JournalReader::run_of(const std::string& uuid, const fs::path& file) {
  for (std::size_t i = runs_.size(); i-- > 0;)
    if (runs_[i].uuid == uuid) return static_cast<int>(i);
  JournalRun run;  // its first line is lost, or files were put together by hand
  run.uuid = uuid;
  run.file = file;
  runs_.push_back(std::move(run));
  return static_cast<int>(runs_.size()) - 1;
}

void JournalReader::problem(const fs::path& file, long long line, const std::string& why) {
  if (facts_.problems.size() < JournalFacts::max_problems)
    facts_.problems.push_back(file.string() + ":" + std::to_string(line) + ": " + why +
                              "; the line is left out");
}

Result<Json> read_record(const RecordPlace& place) {
  Descriptor file(::open(place.file->c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail("cannot read the journal " + place.file->string(), errno_text(errno));
  std::string line(static_cast<std::size_t>(place.length), '\0');
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t n = ::pread(file.get(), line.data() + done, line.size() - done,
                              static_cast<off_t>(place.offset + static_cast<long long>(done)));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return fail("cannot read the journal " + place.file->string(),
                  n == 0 ? "it got shorter" : errno_text(errno));
    done += static_cast<std::size_t>(n);
  }
  Result<Json> record = parse_line(line);
  if (!record) return fail("cannot read the journal " + place.file->string(), record.error().problem);
  return std::move((*record)["row"]);
}

}  // namespace noctune
