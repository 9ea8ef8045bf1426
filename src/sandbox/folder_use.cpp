#include "sandbox/folder_use.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cstring>
#include <memory>

#include "base/files.hpp"

namespace noctune {
namespace {

constexpr int deepest = 200;  // each level costs a descriptor; a deeper tree counts as far as this

class Counter {
 public:
  explicit Counter(long long most_entries) : most_entries_(most_entries) {}

  void look_into(int parent, const char* name, int depth) {
    const int fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    const std::unique_ptr<DIR, int (*)(DIR*)> dir(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
    while (const dirent* entry = dir ? ::readdir(dir.get()) : nullptr) {
      if (most_entries_ > 0 && use_.entries > most_entries_) return;
      if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
        count(fd, entry->d_name, depth);
    }
  }
  const FolderUse& use() const { return use_; }

 private:
  void count(int folder, const char* name, int depth) {
    struct stat facts {};
    if (::fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return;  // gone again
    ++use_.entries;
    use_.bytes += 512LL * facts.st_blocks;
    if (S_ISDIR(facts.st_mode) && depth < deepest) look_into(folder, name, depth + 1);
  }

  long long most_entries_;
  FolderUse use_;
};

}  // namespace

FolderUse folder_use(const std::string& path, long long most_entries) {
  Counter counter(most_entries);
  counter.look_into(AT_FDCWD, path.c_str(), 0);
  return counter.use();
}

}  // namespace noctune
