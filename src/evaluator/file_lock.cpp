#include "evaluator/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace noctune {
namespace {

Descriptor open_lock(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) throw std::runtime_error("cannot open the lock " + path.string() + ": " + errno_text(errno));
  return file;
}

// False where the lock is not free and is not waited for.
bool lock(const Descriptor& file, const std::filesystem::path& path, int operation) {
  while (::flock(file.get(), operation) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) throw std::runtime_error("cannot lock " + path.string() + ": " + errno_text(errno));
  }
  return true;
}

}  // namespace

std::filesystem::path lock_folder() {
  std::error_code ignored;
  return std::filesystem::is_directory("/dev/shm", ignored) ? "/dev/shm"
                                                            : std::filesystem::temp_directory_path();
}

std::filesystem::path lock_path(const std::filesystem::path& folder, const std::string& name) {
  return folder / ("noctune-" + std::to_string(::getuid()) + "-" + name);
}

Descriptor lock_file(const std::filesystem::path& path, int operation) {
  Descriptor file = open_lock(path);
  lock(file, path, operation);
  return file;
}

std::optional<Descriptor> try_lock_file(const std::filesystem::path& path, int operation) {
  Descriptor file = open_lock(path);
  if (!lock(file, path, operation | LOCK_NB)) return std::nullopt;
  return file;
}

}  // namespace noctune
