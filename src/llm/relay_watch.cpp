#include "llm/relay_watch.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

#include "base/clock.hpp"
#include "base/digest.hpp"

namespace noctune {
namespace {

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

struct ProcessState {
  char state = '?';
  long long start = 0;  // field 22 of /proc/<pid>/stat
};

ProcessState process_state(long long pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto close = line.rfind(')');
  if (close == std::string::npos) return {};
  std::istringstream fields(line.substr(close + 1));
  ProcessState out;
  fields >> out.state;
  std::string field;
  for (int i = 4; i < 22; ++i) fields >> field;
  fields >> out.start;
  return out;
}

std::string field_of(const SpoolFields& fields, const char* key) {
  const auto found = fields.find(key);
  return found == fields.end() ? "" : found->second;
}

bool process_gone(const SpoolFields& fields) {
  const long long pid = number_in(fields, "pid"), start = number_in(fields, "process_start");
  if (field_of(fields, "host") != host_name() || field_of(fields, "boot") != boot_id() || pid <= 0)
    return false;
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return true;
  const ProcessState now = process_state(pid);
  return now.state == 'Z' || (now.start != 0 && start != 0 && now.start != start);
}

std::string plain(std::string name) {
  for (char& c : name)
    if (c == '/' || c == '@' || c == '\n') c = '_';
  return name;
}

}  // namespace

RelayHeartbeat::RelayHeartbeat(const SpoolFolder& spool)
    : spool_(spool),
      id_(plain(host_name()) + "-" + std::to_string(::getpid()) + "-" + random_uuid().substr(0, 8)) {}

RelayHeartbeat::~RelayHeartbeat() {
  spool_.remove(SpoolPlace::relays, id_ + ".txt");
}

Result<void> RelayHeartbeat::beat() {
  return spool_.put(SpoolPlace::relays, id_ + ".txt",
                    fields_text({{"pid", std::to_string(::getpid())},
                                 {"process_start", std::to_string(process_state(::getpid()).start)},
                                 {"host", host_name()},
                                 {"boot", boot_id()},
                                 {"sequence", std::to_string(++sequence_)},
                                 {"time", iso_time(wall_seconds())}}));
}

void RelayWatch::look() {
  looked_ = steady_seconds();
  std::map<std::string, Seen> now;
  for (const std::string& file : spool_.list(SpoolPlace::relays)) {
    const Result<std::string> text = spool_.read(SpoolPlace::relays, file);
    if (!text) continue;
    const std::string id = file.substr(0, file.size() - 4);
    const auto before = seen_.find(id);
    const bool went_on = before == seen_.end() || before->second.content != *text;
    const Result<SpoolHeader> header = header_from(*text);
    Seen seen{*text, went_on ? looked_ : before->second.changed, header && process_gone(header->fields)};
    seen.gone = seen.gone || looked_ - seen.changed > stale_s_;
    now[id] = std::move(seen);
  }
  seen_ = std::move(now);
}

bool RelayWatch::dead(const std::string& relay) {
  const auto found = seen_.find(relay);
  if (found != seen_.end()) {
    unknown_since_.erase(relay);
    return found->second.gone;
  }
  return looked_ - unknown_since_.try_emplace(relay, looked_).first->second > stale_s_;
}

bool RelayWatch::any_alive() const {
  for (const auto& [id, seen] : seen_)
    if (!seen.gone) return true;
  return false;
}

void RelayWatch::clear_dead() {
  for (const auto& [id, seen] : seen_)
    if (seen.gone) spool_.remove(SpoolPlace::relays, id + ".txt");
}

}  // namespace noctune
