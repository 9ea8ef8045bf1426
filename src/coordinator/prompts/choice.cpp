#include "coordinator/prompts/choice.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "coordinator/prompts/ledger.hpp"

namespace noctune {
namespace {

enum class Wish { radical, combines, own_idea };

std::string plain(const std::string& name) {
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool fulfils(const Hypothesis& hypothesis, Wish wish) {
  switch (wish) {
    case Wish::radical:
      return hypothesis.radical;
    case Wish::combines:
      return hypothesis.combines;
    case Wish::own_idea:
      return hypothesis.patterns.empty();
  }
  return false;
}

class Choice {
 public:
  Choice(std::vector<Hypothesis> plan, std::size_t n) : left_(std::move(plan)), n_(n) {}

  void grant(Wish wish) {
    const auto has = [&](const Hypothesis& one) { return fulfils(one, wish); };
    if (std::any_of(out_.begin(), out_.end(), has)) return;
    if (!take([&](const Hypothesis& one) { return has(one) && is_new(one); })) take(has);
  }
  void fill() {
    while (take([&](const Hypothesis& one) { return is_new(one); })) {
    }
    while (take([](const Hypothesis&) { return true; })) {
    }
  }
  std::vector<Hypothesis> result() { return std::move(out_); }

 private:
  bool is_new(const Hypothesis& one) const { return used_.count(one.mechanism) == 0; }

  template <class Condition>
  bool take(Condition condition) {
    if (out_.size() >= n_) return false;
    const auto found = std::find_if(left_.begin(), left_.end(), condition);
    if (found == left_.end()) return false;
    used_.insert(found->mechanism);
    out_.push_back(std::move(*found));
    left_.erase(found);
    return true;
  }

  std::vector<Hypothesis> left_, out_;
  std::set<std::string> used_;
  std::size_t n_;
};

}  // namespace

std::vector<Hypothesis> choose(std::vector<Hypothesis> plan, int n, const std::vector<Attempt>& history,
                               int round) {
  std::set<std::string> tried;
  for (const Attempt& attempt : history)
    for (const std::string& name : attempt.candidate.strategies) tried.insert(plain(name));
  std::stable_partition(plan.begin(), plan.end(),
                        [&](const Hypothesis& one) { return tried.count(plain(one.name)) == 0; });
  std::vector<Wish> wishes = {Wish::radical, Wish::own_idea};
  if (count_wins(history) >= 2) wishes.insert(wishes.begin() + 1, Wish::combines);
  const auto turn = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(std::max(round, 0)) % wishes.size());
  std::rotate(wishes.begin(), wishes.begin() + turn, wishes.end());
  Choice choice(std::move(plan), static_cast<std::size_t>(std::max(n, 0)));
  for (const Wish wish : wishes) choice.grant(wish);
  choice.fill();
  return choice.result();
}

}  // namespace noctune
