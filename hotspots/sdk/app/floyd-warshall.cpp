// Distances between all places of a road map that changes each step. From each place eight roads lead to
// others, any one among them.
#include <functional>
#include <queue>
#include <utility>

#include "device.hpp"
#include "program.hpp"

extern "C" void floyd_warshall(int n, unsigned int* distance STREAM_PARAM);

namespace {

constexpr int roads = 8;
constexpr unsigned int no_road = 1u << 30;  // two of them still fit an unsigned number

// Road e of place i leads to to[roads * i + e].
struct Map {
  std::vector<unsigned int> to, length;

  Map(long n, int step)
      : to(host::varied<unsigned int>(roads * n, 2 * step + 1, 0, static_cast<double>(n))),
        length(host::varied<unsigned int>(roads * n, 2 * step + 2, 1, 1 << 20)) {}
};

void draw(const Map& map, std::size_t n, std::vector<unsigned int>& distance) {
  distance.assign(n * n, no_road);
  for (std::size_t road = 0; road < roads * n; ++road) {
    unsigned int& direct = distance[road / roads * n + map.to[road]];
    if (map.length[road] < direct) direct = map.length[road];
  }
  for (std::size_t i = 0; i < n; ++i) distance[i * n + i] = 0;
}

// Dijkstra's algorithm.
std::vector<unsigned int> distances_from(const Map& map, std::size_t n, unsigned int place) {
  using Visit = std::pair<unsigned int, unsigned int>;  // distance, place
  std::priority_queue<Visit, std::vector<Visit>, std::greater<Visit>> visits;
  std::vector<unsigned int> shortest(n, no_road);
  shortest[place] = 0;
  visits.push({0, place});
  while (!visits.empty()) {
    const auto [distance, at] = visits.top();
    visits.pop();
    if (distance > shortest[at]) continue;
    for (std::size_t road = roads * at; road < roads * (at + std::size_t{1}); ++road) {
      const unsigned int there = distance + map.length[road];
      if (there >= shortest[map.to[road]]) continue;
      shortest[map.to[road]] = there;
      visits.push({there, map.to[road]});
    }
  }
  return shortest;
}

double wrong_distances(const Map& map, std::size_t n, const std::vector<unsigned int>& distance) {
  double wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<unsigned int> shortest = distances_from(map, n, static_cast<unsigned int>(i));
    for (std::size_t j = 0; j < n; ++j) wrong += distance[i * n + j] != shortest[j];
  }
  return wrong;
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  host::Buffer<unsigned int> distance(static_cast<std::size_t>(n) * n);
  host::Outcome outcome;
  for (int step = 0; step < repeats; ++step) {
    const Map map(n, step);
    draw(map, n, distance.host);
    distance.upload();
    outcome.seconds += host::seconds_of([&] { floyd_warshall(n, distance.data() STREAM_ARG); });
    distance.download();
    outcome.error += wrong_distances(map, n, distance.host);
  }
  outcome.work = 1e-9 * n * n * n * repeats;
  outcome.unit = "Gpaths/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"floyd-warshall", 1024, 2, run};
