#include "model/pattern.hpp"

#include <array>
#include <stdexcept>

namespace noctune {
namespace {

constexpr std::array statuses = {"draft", "admitted", "retired"};

}  // namespace

const char* to_text(PatternStatus status) {
  return statuses[static_cast<std::size_t>(status)];
}

PatternStatus pattern_status_from(const std::string& text) {
  for (std::size_t i = 0; i < statuses.size(); ++i)
    if (text == statuses[i]) return static_cast<PatternStatus>(i);
  throw std::invalid_argument("no status of patterns is called \"" + text + "\"");
}

}  // namespace noctune
