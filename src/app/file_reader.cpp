#include "app/file_reader.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"

namespace noctune {
namespace {

constexpr rlim_t longest_cpu_s = 1800;

std::string damage_hint(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_directory(file + ".journal", ignored)
             ? "its journal is there: noctune rebuild " + file + " makes it again"
             : "take a copy of it from where it was made";
}

void write_all(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

// Without core dumps, and with an end even where the library walks in circles.
void limit_child() {
  const struct rlimit no_core { 0, 0 }, cpu{longest_cpu_s, longest_cpu_s};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_CPU, &cpu);
}

int run_child(const std::string& file, const std::function<std::string()>& work, int fd) {
  try {
    write_all(fd, work());
    return 0;
  } catch (const UserError& error) {
    write_all(fd, error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    write_all(fd, Error{"cannot read " + file, "it seems to be damaged (" + std::string(error.what()) + ")",
                        damage_hint(file)}
                      .text());
    return static_cast<int>(Exit::failure);
  }
}

std::string read_all(int fd) {
  std::string out;
  std::array<char, 65536> block{};
  for (;;) {
    const ssize_t count = ::read(fd, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return out;
    out.append(block.data(), static_cast<std::size_t>(count));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

ChildText read_in_child(const std::string& file, const std::function<std::string()>& work) {
  std::fflush(nullptr);
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) throw UserError({"cannot start reading " + file, errno_text(errno)}, Exit::failure);
  Descriptor from(ends[0]), to(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) throw UserError({"cannot start reading " + file, errno_text(errno)}, Exit::failure);
  if (child == 0) {
    from.reset();
    limit_child();
    ::_exit(run_child(file, work, to.get()));
  }
  to.reset();
  ChildText out{0, read_all(from.get())};
  const int status = wait_for(child);
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(Exit::failure);
  const bool ended_by_itself = WIFEXITED(status) && (out.code == 0 || !out.text.empty());
  if (ended_by_itself) return out;
  const std::string how = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                              : "exit code " + std::to_string(out.code);
  const std::string reason = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
                                 ? "the process that read it was killed; the memory may have run out"
                                 : "it is damaged: the HDF5 library did not survive it (" + how + ")";
  out.text = Error{"cannot read " + file, reason, damage_hint(file)}.text();
  return out;
}

}  // namespace noctune
