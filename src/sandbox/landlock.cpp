// The numbers are spelled out here because the headers of older distributions know only the first versions.
// A rule is tied to what its path names now, not to the name; a path that does not exist needs no rule.
// Descriptors that are already open stay usable: so the child keeps its report and its pipes.
#include "sandbox/landlock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "base/files.hpp"

namespace noctune {
namespace {

constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;  // the same on every processor
constexpr unsigned ask_version = 1;
constexpr int path_beneath = 1;

namespace right {
constexpr std::uint64_t execute = 1 << 0, write_file = 1 << 1, read_file = 1 << 2, read_folder = 1 << 3,
                        remove_folder = 1 << 4, remove_file = 1 << 5, make_folder = 1 << 7,
                        make_file = 1 << 8, make_socket = 1 << 9, make_pipe = 1 << 10, make_link = 1 << 12;
constexpr std::uint64_t first_version = (1 << 13) - 1;
constexpr std::uint64_t move = 1 << 13;            // between folders; version 2
constexpr std::uint64_t truncate = 1 << 14;        // version 3
constexpr std::uint64_t control_device = 1 << 15;  // ioctl; version 5
constexpr std::uint64_t of_a_file = execute | write_file | read_file | truncate | control_device;

constexpr std::uint64_t reading = execute | read_file | read_folder;
constexpr std::uint64_t writing = write_file | read_file | read_folder | remove_folder | remove_file |
                                  make_folder | make_file | make_socket | make_pipe | make_link | move |
                                  truncate | control_device;
constexpr std::uint64_t consuming = read_file | read_folder | remove_file;
}  // namespace right

constexpr std::uint64_t bind_and_connect_tcp = 3;      // version 4
constexpr std::uint64_t abstract_sockets_signals = 3;  // version 6

struct Ruleset {
  std::uint64_t files, network, scope;
};
struct __attribute__((packed)) PathRule {
  std::uint64_t allowed;
  std::int32_t folder;
};

std::uint64_t file_rights(int version) {
  std::uint64_t out = right::first_version;
  if (version >= 2) out |= right::move;
  if (version >= 3) out |= right::truncate;
  if (version >= 5) out |= right::control_device;
  return out;
}

// Older kernels know a shorter structure.
std::size_t size_for(int version) {
  if (version >= landlock_signal_version) return sizeof(Ruleset);
  return version >= landlock_network_version ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

std::string trouble(const std::string& what) {
  return "cannot restrict it with Landlock: " + what + ": " + errno_text(errno);
}

class Rules {
 public:
  Rules(int ruleset, std::uint64_t handled) : ruleset_(ruleset), handled_(handled) {}

  std::string allow(const std::vector<std::string>& paths, std::uint64_t rights) const {
    for (const std::string& path : paths) {
      const Descriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC));
      struct stat facts {};
      if (!file || ::fstat(file.get(), &facts) != 0) continue;
      PathRule rule{rights & handled_, file.get()};
      if (!S_ISDIR(facts.st_mode)) rule.allowed &= right::of_a_file;
      if (::syscall(add_rule, ruleset_, path_beneath, &rule, 0U) != 0) return trouble(path);
    }
    return {};
  }

 private:
  int ruleset_;
  std::uint64_t handled_;
};

}  // namespace

int landlock_version() {
  const long version = ::syscall(create_ruleset, nullptr, 0UL, ask_version);
  return version < 0 ? -errno : static_cast<int>(version);
}

std::string apply_landlock(const Confinement& confinement) {
  if (!confinement.files && !confinement.outreach) return {};
  const int version = landlock_version();
  if (version < 1) {
    errno = -version;
    return trouble("asking for its version");
  }
  Ruleset set{};
  if (confinement.files) set.files = file_rights(version);
  if (confinement.outreach && version >= landlock_network_version) set.network = bind_and_connect_tcp;
  if (confinement.outreach && version >= landlock_signal_version) set.scope = abstract_sockets_signals;
  if (set.files == 0 && set.network == 0 && set.scope == 0) return {};
  const Descriptor ruleset(static_cast<int>(::syscall(create_ruleset, &set, size_for(version), 0U)));
  if (!ruleset) return trouble("making a set of rules");
  if (confinement.files) {
    const Rules rules(ruleset.get(), set.files);
    std::string bad = rules.allow(confinement.readable, right::reading);
    if (bad.empty()) bad = rules.allow(confinement.writable, right::writing);
    if (bad.empty()) bad = rules.allow(confinement.consumable, right::consuming);
    if (!bad.empty()) return bad;
  }
  return ::syscall(restrict_self, ruleset.get(), 0U) == 0 ? std::string() : trouble("applying the rules");
}

}  // namespace noctune
