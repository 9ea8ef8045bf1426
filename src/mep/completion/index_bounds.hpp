// Which elements an index text of one kernel can reach: every variable goes to the end that its loop, the
// guards around the text, or the launch gives it.
#pragma once

#include <map>
#include <set>
#include <string>

#include "mep/completion/index_names.hpp"

namespace noctune {

// Bounds may name what only the contents of arrays decide: "col!max" is the largest value in col.
inline std::string largest_value_in(const std::string& array) {
  return array + "!max";
}

class IndexBounds final : public IndexNames {
 public:
  using IndexNames::IndexNames;

  // Of one dimension's text, as an access has it.
  IndexRange range(const std::string& index, const IndexPlace& place);
  IndexRange range(const Polynomial& polynomial, const IndexPlace& place);
  // Sizes that a step or an unguarded block must divide, with the divisors.
  const std::map<std::string, std::set<long long>>& divisors() const { return divisors_; }
  // Bounds of a loop: what it starts from, and one less than what it stops at.
  IndexRange loop_range(const SourceLoop& loop, bool host, std::size_t number);
  IndexRange callee_loop_range(const SourceLoop& loop, const IndexPlace& place);
  // Number of threads along an axis by the guards; absent where no guard says.
  std::optional<Polynomial> guarded_threads(char axis);

 private:
  std::optional<Polynomial> end_of(const Polynomial& polynomial, bool upper,
                                   const IndexPlace& place) override;
  IndexRange range_of(const std::string& variable, const IndexPlace& place);
  IndexRange loop_ends(const SourceLoop& loop, const std::optional<Polynomial>& from,
                       const std::optional<Polynomial>& to, const std::optional<Polynomial>& step);
  IndexRange thread_range(const std::string& variable);
  void narrow(IndexRange& range, const std::string& variable, const IndexPlace& place);
  void narrow_by(IndexRange& range, const std::string& variable, const CComparison& comparison,
                 const IndexPlace& place, bool widest);
  static void exclude(IndexRange& range, const Polynomial& value);
  std::vector<CComparison> certain(const IndexPlace& place) const;
  std::vector<CComparison> possible() const;
  void must_divide(const Polynomial& size, const Polynomial& divisor);

  std::map<std::string, std::set<long long>> divisors_;
  std::set<std::string> open_;  // variables whose ranges are being worked out
};

}  // namespace noctune
