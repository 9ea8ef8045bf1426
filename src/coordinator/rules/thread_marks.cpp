#include "coordinator/rules/thread_marks.hpp"

#include <algorithm>
#include <regex>

namespace noctune::rules {
namespace {

// Clauses without which the same values come out, whatever they say.
const std::regex& loop_mark() {
  static const std::regex mark(
      R"(\s*#\s*pragma\s+omp\s+parallel\s+for)"
      R"((\s*,?\s*(schedule|collapse|default|shared|private|reduction)\s*\([^()]*\))*\s*)");
  return mark;
}

}  // namespace

SequentialSource without_thread_marks(const std::string& source) {
  SequentialSource out{source, {}};
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    if (std::regex_match(source.begin() + static_cast<std::ptrdiff_t>(begin),
                         source.begin() + static_cast<std::ptrdiff_t>(end), loop_mark())) {
      std::fill(out.text.begin() + static_cast<std::ptrdiff_t>(begin),
                out.text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      out.marks.push_back(end);
    }
    begin = end + 1;
  }
  return out;
}

bool is_marked(const SequentialSource& source, std::size_t begin) {
  const auto after = std::upper_bound(source.marks.begin(), source.marks.end(), begin);
  return after != source.marks.begin() &&
         source.text.find_first_not_of(" \t\r\n", *std::prev(after)) == begin;
}

}  // namespace noctune::rules
