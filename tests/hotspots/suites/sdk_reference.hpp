// References for the SDK samples: other algorithms than theirs, in long double or whole numbers.
#pragma once

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace noctune::sdk {

using Reals = std::vector<long double>;
using Words = std::vector<unsigned int>;

// Coefficients of the Haar transform from their definition: differences between the sums over the halves of
// each block, scaled by the root of its length.
inline Reals haar_by_blocks(const std::vector<float>& signal) {
  const std::size_t n = signal.size();
  const auto sum = [&](std::size_t first, std::size_t count) {
    long double total = 0;
    for (std::size_t i = first + count; i > first; --i) total += signal[i - 1];
    return total;
  };
  Reals coefficients(n);
  coefficients[0] = sum(0, n) / std::sqrt(static_cast<long double>(n));
  for (std::size_t blocks = 1; blocks < n; blocks *= 2) {
    const std::size_t length = n / blocks;
    for (std::size_t b = 0; b < blocks; ++b)
      coefficients[blocks + b] = (sum(b * length, length / 2) - sum(b * length + length / 2, length / 2)) /
                                 std::sqrt(static_cast<long double>(length));
  }
  return coefficients;
}

// The Walsh-Hadamard matrix times the values: an entry is the sign of the bits that row and column share.
inline Reals walsh_by_signs(const std::vector<float>& values) {
  Reals sums(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    for (std::size_t i = 0; i < values.size(); ++i)
      sums[k] += std::bitset<64>(i & k).count() % 2 == 0 ? values[i] : -values[i];
  }
  return sums;
}

// Shortest paths from each node in turn by Dijkstra's algorithm, without a queue.
inline Words paths_from_each(std::size_t n, const Words& length) {
  Words shortest(n * n);
  for (std::size_t from = 0; from < n; ++from) {
    std::vector<std::uint64_t> best(n, std::numeric_limits<std::uint64_t>::max());
    std::vector<bool> done(n);
    best[from] = 0;
    for (std::size_t round = 0; round < n; ++round) {
      std::size_t at = n;
      for (std::size_t i = 0; i < n; ++i) {
        if (!done[i] && (at == n || best[i] < best[at])) at = i;
      }
      done[at] = true;
      for (std::size_t i = 0; i < n; ++i) best[i] = std::min(best[i], best[at] + length[at * n + i]);
    }
    for (std::size_t i = 0; i < n; ++i) shortest[from * n + i] = static_cast<unsigned int>(best[i]);
  }
  return shortest;
}

// How often each of 256 values occurs, from where it begins and ends in sorted order.
inline Words counts_when_sorted(Words values) {
  std::sort(values.begin(), values.end());
  Words counts(256);
  for (unsigned int bin = 0; bin < 256; ++bin) {
    const auto [first, end] = std::equal_range(values.begin(), values.end(), bin);
    counts[bin] = static_cast<unsigned int>(end - first);
  }
  return counts;
}

struct Market {
  long double rate, volatility;
};
struct Option {
  long double spot, strike, years;
};

inline long double normal_below(long double d) {
  return std::erfc(-d / std::sqrt(2.0L)) / 2;
}

// Black and Scholes' call; the put is call - spot + discounted strike.
inline long double call_value(const Market& market, const Option& option) {
  const long double spread = market.volatility * std::sqrt(option.years);
  const long double forward =
      std::log(option.spot) - std::log(option.strike) + market.rate * option.years;  // of the logarithms
  return option.spot * normal_below(forward / spread + spread / 2) -
         option.strike * std::exp(-market.rate * option.years) * normal_below(forward / spread - spread / 2);
}

// The mean payoff at the ends of a binomial tree, each weighted by its chance, discounted once.
inline long double tree_value(const Market& market, const Option& option, int steps) {
  const long double step = option.years / steps, spread = market.volatility * std::sqrt(step);
  const long double up = std::exp(spread), growth = std::exp(market.rate * step);
  const long double chance = (growth * up - 1) / (up * up - 1);
  long double mean = 0;
  for (int ups = steps; ups >= 0; --ups) {
    const long double payoff =
        std::max(0.0L, option.spot * std::exp(spread * (2 * ups - steps)) - option.strike);
    const long double ways =
        std::lgamma(steps + 1.0L) - std::lgamma(ups + 1.0L) - std::lgamma(steps - ups + 1.0L);
    mean += payoff * std::exp(ways + ups * std::log(chance) + (steps - ups) * std::log1p(-chance));
  }
  return mean * std::exp(-market.rate * option.years);
}

}  // namespace noctune::sdk
