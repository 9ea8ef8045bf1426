#include "base/sandbox_protocol.hpp"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <type_traits>

namespace noctune {
namespace {

constexpr std::uint32_t magic = 0x4e425832;    // raise it with every change of the format
constexpr std::size_t most_descriptors = 250;  // the kernel refuses more than 253 in one message

struct Header {
  std::uint32_t magic;
  std::uint32_t kind;
  std::uint64_t job;
  std::uint64_t descriptors;
};

class Writer {
 public:
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
  }
  void put(const std::pair<int, int>& two) {
    put(two.first);
    put(two.second);
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put(static_cast<std::uint64_t>(list.size()));
    for (const T& item : list) put(item);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what Writer wrote; after the first thing that does not fit, good() is false and the rest reads as
// zero.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void get(T& value) {
    value = T{};
    if (!has(sizeof value)) return;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
  }
  void get(std::string& text) {
    const std::size_t size = count();
    if (!has(size)) return;
    text.assign(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
  }
  void get(std::pair<int, int>& two) {
    get(two.first);
    get(two.second);
  }
  template <class T>
  void get(std::vector<T>& list) {
    const std::size_t size = count();
    if (!has(size)) return;  // every item takes a byte at least
    list.resize(size);
    for (T& item : list) get(item);
  }
  bool good() const { return good_ && bytes_.empty(); }

 private:
  std::size_t count() {
    std::uint64_t value = 0;
    get(value);
    return static_cast<std::size_t>(value);
  }
  bool has(std::size_t size) {
    if (bytes_.size() < size) good_ = false;
    return good_;
  }

  std::string_view bytes_;
  bool good_ = true;
};

// One list of fields for both directions.
template <class Stream, class Request>
void each_field(Stream&& at, Request& r) {
  at(r.argv), at(r.working_folder), at(r.environment), at(r.deadline_s), at(r.grace_s), at(r.memory_bytes);
  at(r.reserves_memory);
  at(r.file_bytes), at(r.processes), at(r.output_bytes), at(r.cpus), at(r.nice), at(r.descriptors);
  at(r.folder_bytes), at(r.folder_files);
  auto& c = r.confinement;
  at(c.files), at(c.outreach), at(c.calls), at(c.readable), at(c.writable), at(c.consumable);
}

template <class Stream, class Support>
void each_support_field(Stream&& at, Support& s) {
  at(s.landlock_version), at(s.landlock_error), at(s.seccomp_error), at(s.privileges_error);
  at(s.pidfd_error);
}

template <class Stream, class Outcome>
void each_outcome_field(Stream&& at, Outcome& o) {
  at(o.exit_code), at(o.signal), at(o.seconds), at(o.cpu_seconds), at(o.peak_bytes), at(o.left_processes);
  at(o.output), at(o.reason);
}

bool write_whole(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

union ControlBuffer {
  cmsghdr alignment;
  char bytes[CMSG_SPACE(sizeof(int) * (most_descriptors + 2))];
};

void take_descriptors(msghdr& message, SandboxPacket& packet) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof fd);
      packet.descriptors.emplace_back(fd);
    }
  }
}

}  // namespace

Result<void> add_body(SandboxPacket& packet, std::string_view body) {
  Descriptor file(::memfd_create("noctune", MFD_CLOEXEC));
  if (!file || !write_whole(file.get(), body))
    return fail("cannot pass a message to the sandbox helper", errno_text(errno));
  packet.descriptors.push_back(std::move(file));
  return {};
}

Result<std::string> take_body(SandboxPacket& packet) {
  if (packet.descriptors.empty()) return fail("a message of the sandbox helper has no body");
  const Descriptor file = std::move(packet.descriptors.front());
  packet.descriptors.erase(packet.descriptors.begin());
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return fail("cannot read a message's body", errno_text(errno));
  std::string body(static_cast<std::size_t>(facts.st_size), '\0');
  std::size_t done = 0;
  while (done < body.size()) {
    const ssize_t n = ::pread(file.get(), body.data() + done, body.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail("cannot read a message's body", n < 0 ? errno_text(errno) : "it is cut short");
    done += static_cast<std::size_t>(n);
  }
  return body;
}

int send_packet(int socket, const SandboxPacket& packet, int flags) {
  if (packet.descriptors.size() > most_descriptors) return E2BIG;
  Header header{magic, static_cast<std::uint32_t>(packet.kind), packet.job, packet.descriptors.size()};
  iovec part{&header, sizeof header};
  ControlBuffer control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!packet.descriptors.empty()) {
    const std::size_t size = sizeof(int) * packet.descriptors.size();
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(size);
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(size);
    for (std::size_t i = 0; i < packet.descriptors.size(); ++i) {
      const int fd = packet.descriptors[i].get();
      std::memcpy(CMSG_DATA(c) + i * sizeof(int), &fd, sizeof fd);
    }
  }
  for (;;) {
    if (::sendmsg(socket, &message, flags | MSG_NOSIGNAL) >= 0) return 0;
    if (errno != EINTR) return errno;
  }
}

Receive receive_packet(int socket, SandboxPacket& packet) {
  Header header{};
  iovec part{&header, sizeof header};
  ControlBuffer control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control;
  ssize_t size = -1;
  do size = ::recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  while (size < 0 && errno == EINTR);
  if (size < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? Receive::nothing : Receive::closed;
  if (size == 0) return Receive::closed;
  packet = SandboxPacket{static_cast<SandboxMessage>(header.kind), header.job, {}};
  take_descriptors(message, packet);
  const bool whole = size == sizeof header && header.magic == magic && !(message.msg_flags & MSG_CTRUNC) &&
                     packet.descriptors.size() == header.descriptors;
  return whole ? Receive::packet : Receive::broken;
}

std::string encode(const ChildRequest& request) {
  Writer out;
  each_field([&](const auto& field) { out.put(field); }, request);
  return out.take();
}

std::string encode(const ChildOutcome& outcome) {
  Writer out;
  out.put(static_cast<int>(outcome.end));
  each_outcome_field([&](const auto& field) { out.put(field); }, outcome);
  return out.take();
}

std::string encode(const SandboxSupport& support) {
  Writer out;
  each_support_field([&](const auto& field) { out.put(field); }, support);
  return out.take();
}

Result<ChildRequest> decode_request(std::string_view bytes) {
  ChildRequest request;
  Reader in(bytes);
  each_field([&](auto& field) { in.get(field); }, request);
  if (!in.good() || request.confinement.calls > CallFilter::profiler) return fail("the request is damaged");
  return request;
}

Result<ChildOutcome> decode_outcome(std::string_view bytes) {
  ChildOutcome outcome;
  int end = 0;
  Reader in(bytes);
  in.get(end);
  each_outcome_field([&](auto& field) { in.get(field); }, outcome);
  if (!in.good() || end < 0 || end > static_cast<int>(ChildOutcome::End::helper_lost))
    return fail("the outcome is damaged");
  outcome.end = static_cast<ChildOutcome::End>(end);
  return outcome;
}

Result<SandboxSupport> decode_support(std::string_view bytes) {
  SandboxSupport support;
  Reader in(bytes);
  each_support_field([&](auto& field) { in.get(field); }, support);
  if (!in.good()) return fail("the greeting is damaged");
  return support;
}

}  // namespace noctune
