#include <vector>

#include "corpus/reference.hpp"

// A queue from the nodes that are in the frontier at the start.
std::string corpus::reference(const Call& call) {
  const long long nodes = call.integer("nodes");
  const int *row = call.before<int>("row"), *col = call.before<int>("col");
  const char *frontier = call.before<char>("frontier"), *seen = call.before<char>("visited");
  std::vector<int> cost(call.before<int>("cost"), call.before<int>("cost") + nodes);
  std::vector<char> visited(seen, seen + nodes);
  std::vector<int> queue;
  for (int v = 0; v < nodes; ++v)
    if (frontier[v] != 0) queue.push_back(v);
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (int e = row[queue[at]]; e < row[queue[at] + 1]; ++e) {
      if (visited[col[e]] != 0) continue;
      visited[col[e]] = 1;
      cost[col[e]] = cost[queue[at]] + 1;
      queue.push_back(col[e]);
    }
  const int* got = call.after<int>("cost");
  for (long long v = 0; v < nodes; ++v) {
    std::string wrong = differs("cost", v, got[v], cost[v], 0, 0);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
