#include "sandbox/descriptors.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>

#include "sandbox/newer_calls.hpp"

namespace noctune {
namespace {

bool close_span(unsigned first, unsigned last) {
  return first > last || ::syscall(SYS_close_range, first, last, 0U) == 0;
}

// Fails as a whole on kernels without close_range: nothing is closed then.
bool close_gaps(const std::vector<int>& keep) {
  unsigned first = 0;
  for (int fd : keep) {
    if (fd > 0 && !close_span(first, static_cast<unsigned>(fd) - 1)) return false;
    first = static_cast<unsigned>(fd) + 1;
  }
  return close_span(first, UINT_MAX);
}

std::vector<int> open_descriptors() {
  std::vector<int> out;
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir("/proc/self/fd"), ::closedir);
  while (const dirent* entry = dir ? ::readdir(dir.get()) : nullptr)
    if (entry->d_name[0] != '.') out.push_back(std::atoi(entry->d_name));
  if (dir) return out;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  for (int fd = 0; fd < static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 65536)); ++fd) out.push_back(fd);
  return out;
}

}  // namespace

void close_all_except(std::vector<int> keep, CloseBy how) {
  std::sort(keep.begin(), keep.end());
  if (how == CloseBy::range_or_each && close_gaps(keep)) return;
  for (int fd : open_descriptors())
    if (!std::binary_search(keep.begin(), keep.end(), fd)) ::close(fd);
}

int first_free_number(const std::vector<std::pair<int, int>>& wanted) {
  int free = 3;
  for (const auto& [fd, number] : wanted) free = std::max(free, number + 1);
  return free;
}

bool place_descriptors(const std::vector<std::pair<int, int>>& wanted) {
  const int free = first_free_number(wanted);
  std::vector<int> aside;
  for (const auto& [fd, number] : wanted) {
    aside.push_back(::fcntl(fd, F_DUPFD_CLOEXEC, free));
    if (aside.back() < 0) return false;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (::dup2(aside[i], wanted[i].second) < 0) return false;
  for (int fd : aside) ::close(fd);
  return true;
}

}  // namespace noctune
