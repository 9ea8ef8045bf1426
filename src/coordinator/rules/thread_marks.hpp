// The author's own "#pragma omp parallel for": what the loops mean without it is what they mean with it, so
// the rules read the source as if it were not there, and see to it that a version does not lose its threads.
#pragma once

#include <string>
#include <vector>

namespace noctune::rules {

struct SequentialSource {
  std::string text;                // of the same length, with those lines blank
  std::vector<std::size_t> marks;  // where each of them ended, ascending
};

// Lines with other directives, or with clauses that change what is computed (firstprivate, if, ordered ...),
// stay.
SequentialSource without_thread_marks(const std::string& source);

// Whether the statement at `begin` was marked.
bool is_marked(const SequentialSource& source, std::size_t begin);

}  // namespace noctune::rules
