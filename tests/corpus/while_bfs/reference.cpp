#include <deque>
#include <vector>

#include "corpus/reference.hpp"

// A queue from the nodes that are in the frontier at the start.
std::string corpus::reference(const Call& call) {
  const long long nodes = call.integer("nodes");
  const int *row = call.before<int>("row"), *col = call.before<int>("col");
  const char *frontier = call.before<char>("frontier"), *seen = call.before<char>("visited");
  std::vector<int> cost(call.before<int>("cost"), call.before<int>("cost") + nodes);
  std::vector<char> visited(seen, seen + nodes);
  std::deque<int> queue;
  for (int v = 0; v < nodes; ++v)
    if (frontier[v] != 0) queue.push_back(v);
  for (; !queue.empty(); queue.pop_front())
    for (int e = row[queue.front()]; e < row[queue.front() + 1]; ++e) {
      if (visited[col[e]] != 0) continue;
      visited[col[e]] = 1;
      cost[col[e]] = cost[queue.front()] + 1;
      queue.push_back(col[e]);
    }
  for (long long v = 0; v < nodes; ++v) {
    std::string wrong = differs("cost", v, call.after<int>("cost")[v], cost[v], 0, 0);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
