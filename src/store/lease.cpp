#include "store/lease.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <utility>

#include "base/clock.hpp"
#include "base/json.hpp"

// The content is one padded line, rewritten in place through the descriptor the holder keeps. A takeover
// renames a new file over it, so a late beat of the old holder falls into a file that no name leads to.

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t content_bytes = 1024;

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  file >> id;
  return id;
}

struct ProcessFacts {
  std::string state;    // "R", "S" ... "Z" once it has ended; empty when unknown
  long long start = 0;  // ticks since boot; 0 when unknown
};

// Fields 3 and 22 of /proc/<pid>/stat, counted behind the command's closing parenthesis.
ProcessFacts process_facts(long long pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto close = line.rfind(')');
  if (close == std::string::npos) return {};
  std::istringstream fields(line.substr(close + 1));
  ProcessFacts facts;
  fields >> facts.state;
  std::string field;
  for (int i = 4; i <= 22; ++i) fields >> field;
  facts.start = std::atoll(field.c_str());
  return facts;
}

std::string content_of(const LeaseOwner& owner) {
  std::string text = Json({{"run", owner.run_uuid},
                           {"job", owner.job_id},
                           {"restarts", owner.restarts},
                           {"host", owner.host},
                           {"boot", owner.boot_id},
                           {"pid", owner.pid},
                           {"process_start", owner.process_start},
                           {"started", owner.started},
                           {"heartbeat", owner.heartbeat}})
                         .dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize(std::max(text.size(), content_bytes - 1), ' ');
  return text + "\n";
}

std::optional<LeaseOwner> read_owner(const fs::path& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return {};
  const Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return {};
  try {
    LeaseOwner owner;
    owner.run_uuid = json.at("run").get<std::string>();
    owner.job_id = json.value("job", "");
    owner.restarts = json.value("restarts", 0);
    owner.host = json.value("host", "");
    owner.boot_id = json.value("boot", "");
    owner.pid = json.value("pid", 0LL);
    owner.process_start = json.value("process_start", 0LL);
    owner.started = json.value("started", 0.0);
    owner.heartbeat = json.value("heartbeat", 0.0);
    return owner;
  } catch (const Json::exception&) {
    return {};
  }
}

bool process_gone(const LeaseOwner& owner) {
  if (owner.host != host_name() || owner.boot_id != boot_id() || owner.pid <= 0) return false;
  if (::kill(static_cast<pid_t>(owner.pid), 0) != 0 && errno == ESRCH) return true;
  const ProcessFacts facts = process_facts(owner.pid);
  if (facts.state == "Z") return true;  // its parent, a launcher that was killed say, does not wait for it
  return facts.start != 0 && owner.process_start != 0 && facts.start != owner.process_start;
}

// A heartbeat from the future is one of a clock that was wrong, and would otherwise count until then.
bool is_stale(const LeaseOwner& owner) {
  return process_gone(owner) || std::abs(wall_seconds() - owner.heartbeat) > Lease::stale_after_s;
}

bool given_up(const LeaseOwner& owner, const LeaseOwner& self) {
  return !owner.job_id.empty() && owner.job_id == self.job_id && owner.restarts < self.restarts;
}

bool may_replace(const LeaseOwner& owner, const LeaseOwner& self) {
  return is_stale(owner) || given_up(owner, self);
}

// A lease that cannot be read was being made when its owner died; its age decides.
bool unreadable_is_old(const fs::path& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return errno == ENOENT;
  return wall_seconds() - static_cast<double>(facts.st_mtime) > Lease::stale_after_s;
}

Failure held(const fs::path& path, const LeaseOwner& owner) {
  const std::string job = owner.job_id.empty() ? "" : ", job " + owner.job_id;
  return fail("the results file is in use by another run (" + path.string() + ")",
              "process " + std::to_string(owner.pid) + " on " + owner.host + job +
                  " holds it; last sign of life " +
                  std::to_string(std::lround(wall_seconds() - owner.heartbeat)) + " s ago",
              "wait for it to end, or give this run another --output; a dead run's lease expires after " +
                  std::to_string(std::lround(Lease::stale_after_s)) + " s");
}

Result<void> write_content(int fd, const std::string& content, const fs::path& path) {
  ssize_t n = 0;
  do n = ::pwrite(fd, content.data(), content.size(), 0);
  while (n < 0 && errno == EINTR);
  if (n < 0) return fail("cannot write the lease " + path.string(), errno_text(errno));
  if (static_cast<std::size_t>(n) != content.size())
    return fail("cannot write the lease " + path.string(), "the disk is full");
  return {};
}

int open_new(const fs::path& path) {
  return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
}

// Only one run may replace a stale lease: whoever makes this marker. A marker left by a crash ages like a
// lease.
class TakeoverMarker {
 public:
  explicit TakeoverMarker(const fs::path& lease) : path_(lease.string() + ".takeover") {
    Descriptor marker(open_new(path_));
    if (!marker && errno == EEXIST && unreadable_is_old(path_)) {
      ::unlink(path_.c_str());
      marker = Descriptor(open_new(path_));
    }
    ours_ = static_cast<bool>(marker);
  }
  ~TakeoverMarker() {
    if (ours_) ::unlink(path_.c_str());
  }
  TakeoverMarker(const TakeoverMarker&) = delete;
  TakeoverMarker& operator=(const TakeoverMarker&) = delete;
  bool ours() const { return ours_; }

 private:
  fs::path path_;
  bool ours_ = false;
};

Result<Descriptor> replace_stale(const fs::path& path, const LeaseOwner& self,
                                 const std::optional<LeaseOwner>& stale) {
  const TakeoverMarker marker(path);
  const std::optional<LeaseOwner> now = read_owner(path);
  const bool same = now.has_value() == stale.has_value() && (!now || now->run_uuid == stale->run_uuid);
  if (now && (!same || !may_replace(*now, self))) return held(path, *now);
  if (!marker.ours() || !same)
    return fail("cannot take over the stale lease " + path.string(), "another run is doing so", "try again");
  const fs::path temporary = path.string() + "." + self.run_uuid;
  Descriptor file(open_new(temporary));
  if (!file) return fail("cannot write the lease " + temporary.string(), errno_text(errno));
  Result<void> done = write_content(file.get(), content_of(self), temporary);
  if (done && ::rename(temporary.c_str(), path.c_str()) != 0)
    done = fail("cannot take over the lease " + path.string(), errno_text(errno));
  if (!done) {
    ::unlink(temporary.c_str());
    return Failure(done.error());
  }
  return file;
}

}  // namespace

fs::path lease_path(const fs::path& target) {
  return target.string() + ".lease";
}

std::optional<LeaseOwner> live_owner(const fs::path& lease) {
  std::optional<LeaseOwner> owner = read_owner(lease);
  if (owner && is_stale(*owner)) owner.reset();
  return owner;
}

Lease::Lease(fs::path path, LeaseOwner self, Descriptor file)
    : path_(std::move(path)), self_(std::move(self)), file_(std::move(file)) {}

Lease& Lease::operator=(Lease&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(self_, other.self_);
  std::swap(file_, other.file_);
  std::swap(predecessor_, other.predecessor_);
  return *this;
}

Result<Lease> Lease::take(const fs::path& path, const std::string& run_uuid, const std::string& job_id,
                          int restarts) {
  const double now = wall_seconds();
  const LeaseOwner self{
      run_uuid, job_id, host_name(), boot_id(), restarts, ::getpid(), process_facts(::getpid()).start,
      now,      now};
  Descriptor file(open_new(path));
  if (file) {
    if (Result<void> done = write_content(file.get(), content_of(self), path); !done) {
      ::unlink(path.c_str());
      return Failure(done.error());
    }
    return Lease(path, self, std::move(file));
  }
  if (errno != EEXIST)
    return fail("cannot make the lease " + path.string(), errno_text(errno),
                "the results file's folder must exist and be writable");
  const std::optional<LeaseOwner> owner = read_owner(path);
  if (owner && !may_replace(*owner, self)) return held(path, *owner);
  if (!owner && !unreadable_is_old(path))
    return fail("the results file is in use by another run (" + path.string() + ")",
                "its lease is being written", "try again; if nothing runs, it expires after 90 s");
  Result<Descriptor> taken = replace_stale(path, self, owner);
  if (!taken) return Failure(taken.error());
  Lease lease(path, self, std::move(*taken));
  lease.predecessor_ = owner ? *owner : LeaseOwner{};
  return lease;
}

Result<void> Lease::beat() {
  if (Result<void> ours = check(); !ours) return ours;
  self_.heartbeat = wall_seconds();
  return write_content(file_.get(), content_of(self_), path_);
}

Result<void> Lease::check() const {
  const std::optional<LeaseOwner> owner = read_owner(path_);
  if (owner && owner->run_uuid == self_.run_uuid) return {};
  return fail("this run lost its lease on the results (" + path_.string() + ")",
              owner ? "process " + std::to_string(owner->pid) + " on " + owner->host + " took it over"
                    : "the lease file is gone or unreadable",
              "this run was taken for dead; what it had committed is kept");
}

void Lease::release() {
  if (!file_) return;
  if (check()) ::unlink(path_.c_str());
  file_.reset();
}

}  // namespace noctune
