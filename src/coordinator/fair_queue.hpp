// Who is served next when devices are short: weighted fair queueing (A. Demers, S. Keshav, S. Shenker, 1989)
// over the hotspots, in device seconds. Each hotspot has a line; each second that it used moves its turn on
// by a second over its weight, and the line with the earliest turn is served. So a hotspot with dear
// evaluations gets fewer of them, and neither starves the other. Who was away gains no credit by that.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace noctune {

template <class Call>
class FairQueue {
 public:
  void push(const std::string& hotspot, Call call) { line_for(hotspot).calls.push_back(std::move(call)); }
  // In front of its line: it has waited before.
  void push_front(const std::string& hotspot, Call call) {
    line_for(hotspot).calls.push_front(std::move(call));
  }

  // The first call of the line whose turn it is. `preference` says of a line's first call which class it is
  // in, smaller before greater; none: not now.
  using Preference = std::function<std::optional<int>(const std::string& hotspot, const Call& first)>;
  std::optional<Call> pop(const Preference& preference) {
    const std::string* best = nullptr;
    std::pair<int, double> best_place;
    for (const std::string& hotspot : waiting_) {
      const Line& line = lines_.at(hotspot);
      const std::optional<int> preferred = preference(hotspot, line.calls.front());
      if (!preferred) continue;
      const std::pair<int, double> place(*preferred, line.turn);
      if (best && !(place < best_place)) continue;
      best = &hotspot;
      best_place = place;
    }
    if (!best) return std::nullopt;
    Line& line = lines_.at(*best);
    Call call = std::move(line.calls.front());
    line.calls.pop_front();
    --size_;
    now_ = std::max(now_, line.turn);
    if (line.calls.empty()) waiting_.erase(*best);
    return call;
  }

  // Device seconds that the hotspot used; less than 0 takes back what was charged too much.
  void charge(const std::string& hotspot, double seconds) {
    Line& line = lines_[hotspot];
    line.turn += seconds / line.weight;
  }
  // Its part of the devices relative to the others', 1 at first; must be greater than 0.
  void weigh(const std::string& hotspot, double weight) { lines_[hotspot].weight = weight; }

  std::size_t size() const { return size_; }
  std::vector<Call> take_all() {
    std::vector<Call> out;
    for (const std::string& hotspot : std::exchange(waiting_, {}))
      for (Call& call : std::exchange(lines_.at(hotspot).calls, {})) out.push_back(std::move(call));
    size_ = 0;
    return out;
  }

 private:
  struct Line {
    std::deque<Call> calls;
    double turn = 0;
    double weight = 1;
  };

  Line& line_for(const std::string& hotspot) {
    Line& line = lines_[hotspot];
    if (waiting_.insert(hotspot).second) line.turn = std::max(line.turn, now_);
    ++size_;
    return line;
  }

  std::map<std::string, Line> lines_;
  std::set<std::string> waiting_;  // lines with calls
  double now_ = 0;                 // the latest turn that was served
  std::size_t size_ = 0;
};

}  // namespace noctune
