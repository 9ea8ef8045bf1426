#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

namespace noctune {
namespace fs = std::filesystem;
namespace {

Result<void> write_all(int fd, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail("cannot write " + path.string(), errno_text(errno));
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace

std::string errno_text(int error) {
  return std::generic_category().message(error);
}

Result<std::string> read_file(const fs::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail("cannot read " + path.string(), errno_text(errno));
  struct stat facts {};
  if (::fstat(file.get(), &facts) == 0 && S_ISDIR(facts.st_mode))
    return fail("cannot read " + path.string(), "it is a folder");
  std::string out;
  char block[65536];
  for (;;) {
    const ssize_t n = ::read(file.get(), block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail("cannot read " + path.string(), errno_text(errno));
    if (n == 0) return out;
    out.append(block, static_cast<std::size_t>(n));
  }
}

Result<void> write_file(const fs::path& path, std::string_view content) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file) return fail("cannot write " + path.string(), errno_text(errno));
  return write_all(file.get(), content, path);
}

Result<void> sync_parent(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0)
    return fail("cannot sync the folder " + folder.string(), errno_text(errno));
  return {};
}

Result<void> replace_file(const fs::path& path, std::string_view content) {
  const fs::path temporary = path.string() + ".tmp-" + std::to_string(::getpid());
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file) return fail("cannot write " + temporary.string(), errno_text(errno));
  Result<void> done = write_all(file.get(), content, temporary);
  if (done && ::fsync(file.get()) != 0) done = fail("cannot sync " + temporary.string(), errno_text(errno));
  if (done && ::rename(temporary.c_str(), path.c_str()) != 0)
    done = fail("cannot replace " + path.string(), errno_text(errno));
  if (!done) {
    ::unlink(temporary.c_str());
    return done;
  }
  return sync_parent(path);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

int Descriptor::release() {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

void Descriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Result<ScratchFolder> ScratchFolder::make(std::string_view prefix, const fs::path& parent) {
  const char* tmpdir = std::getenv("TMPDIR");
  const fs::path base = !parent.empty() ? parent : fs::path(tmpdir && *tmpdir ? tmpdir : "/tmp");
  std::string pattern = (base / (std::string(prefix) + "-XXXXXX")).string();
  if (!::mkdtemp(pattern.data()))
    return fail("cannot make a scratch folder in " + base.string(), errno_text(errno),
                "set TMPDIR to a folder that can be written, best on a local disk of the node");
  return ScratchFolder(pattern);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path_(std::move(other.path_)) {
  other.path_.clear();
}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace noctune
