// Undirected neighbourhoods without tables: n places on a ring, joined at a few distances. Some distances
// join every place, the others are thrown for each place; both ends of a join know of it by the same throw.
#pragma once

#include <cstdint>
#include <vector>

#include "random.hpp"

namespace noctune {

class Chords {
 public:
  // Distances of which the first `fixed` hold for all places; none beyond what a ring of n has room for.
  Chords(std::uint64_t n, std::uint64_t fixed, std::uint64_t distances, std::uint64_t key)
      : n_(n), key_(mix_bits(key)) {
    const std::uint64_t room = n < 3 ? 0 : (n - 1) / 2;
    const std::uint64_t total = distances < room ? distances : room;
    fixed_ = fixed < total ? fixed : total;
    for (std::uint64_t k = 0; k < total; ++k)
      distances_.push_back(k == 0 ? 1 : 2 + csr_column(draw(key, k), k - 1, total - 1, room - 1));
    words_ = (total - fixed_ + 63) / 64;
  }

  std::uint64_t most() const { return 2 * distances_.size(); }  // neighbours of one place

  // Of all joins, each counted once.
  std::uint64_t joins() const {
    std::uint64_t sum = n_ * fixed_;
    for (std::uint64_t i = 0; i < n_ * words_; ++i)
      sum += static_cast<std::uint64_t>(__builtin_popcountll(draw(key_, i) & valid(i % words_)));
    return sum;
  }
  // Appends the places that i is joined to.
  template <class Add>
  void neighbours(std::uint64_t i, Add&& add) const {
    for (std::uint64_t k = 0; k < distances_.size(); ++k) {
      const std::uint64_t up = i + distances_[k] < n_ ? i + distances_[k] : i + distances_[k] - n_;
      const std::uint64_t down = i >= distances_[k] ? i - distances_[k] : i + n_ - distances_[k];
      if (joined(down, k)) add(down);
      if (joined(i, k)) add(up);
    }
  }

 private:
  std::uint64_t valid(std::uint64_t word) const {
    const std::uint64_t left = distances_.size() - fixed_ - 64 * word;
    return left >= 64 ? ~0ULL : (1ULL << left) - 1;
  }
  bool joined(std::uint64_t lower, std::uint64_t k) const {
    if (k < fixed_) return true;
    const std::uint64_t bit = k - fixed_;
    return ((draw(key_, lower * words_ + bit / 64) >> (bit % 64)) & 1) != 0;
  }

  std::uint64_t n_, key_, fixed_ = 0, words_ = 0;
  std::vector<std::uint64_t> distances_;
};

}  // namespace noctune
