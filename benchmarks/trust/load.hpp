// Other people on the machine: processes that compute or sweep memory for as long as this object lives.
#pragma once

#include <sys/types.h>

#include <vector>

namespace noctune::trust {

class Load {
 public:
  // Forks `count` processes, asleep until start(); call it before any thread is made. They end with this
  // process, however it ends.
  explicit Load(int count);
  ~Load();
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  void start();
  int count() const { return static_cast<int>(children_.size()); }

 private:
  std::vector<pid_t> children_;
};

}  // namespace noctune::trust
