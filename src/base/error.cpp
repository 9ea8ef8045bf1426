#include "base/error.hpp"

namespace noctune {

std::string Error::text() const {
  std::string out = problem;
  if (!reason.empty()) out += ": " + reason;
  if (!hint.empty()) out += "\n  hint: " + hint;
  return out;
}

}  // namespace noctune
