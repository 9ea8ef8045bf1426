// noctune-sandbox: started by every Noctune process before MPI; runs compilers and candidates for it.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sandbox/descriptors.hpp"
#include "sandbox/helper.hpp"

namespace {

constexpr const char* usage =
    "usage: noctune-sandbox --control DESCRIPTOR\n"
    "\n"
    "Runs untrusted programs for one Noctune process and supervises them. Noctune starts it by itself; "
    "DESCRIPTOR is\n"
    "an open SOCK_SEQPACKET socket to it. When that hangs up, everything that was started is killed.\n";

bool is_control_socket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

// Whoever reads the rank's output must not have to wait for this process, nor for anything that it starts.
void detach_from_terminal() {
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int fd : {0, 1, 2}) ::dup2(nothing, fd);
  if (nothing > 2) ::close(nothing);
}

}  // namespace

int main(int count, char** arguments) {
  const int fd = count == 3 && std::strcmp(arguments[1], "--control") == 0 ? std::atoi(arguments[2]) : -1;
  if (fd < 3 || !is_control_socket(fd)) {
    std::fputs(usage, count == 2 && std::strcmp(arguments[1], "--help") == 0 ? stdout : stderr);
    return count == 2 && std::strcmp(arguments[1], "--help") == 0 ? 0 : 2;
  }
  noctune::close_all_except({0, 1, 2, fd});
  detach_from_terminal();
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  {
    noctune::Helper helper{noctune::Descriptor(fd)};
    helper.serve();
  }
  ::_exit(0);
}
