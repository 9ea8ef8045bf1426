#include "sandbox/restrict.hpp"

#include <sys/prctl.h>

#include <cerrno>

#include "base/files.hpp"

namespace noctune {

std::string restrict_child(const ChildRequest&) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "cannot set no_new_privs: " + errno_text(errno);
  return {};
}

}  // namespace noctune
