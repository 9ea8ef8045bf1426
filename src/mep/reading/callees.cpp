// Callees first, by depth-first search; what calls itself is left as far as it is known.
#include "mep/reading/callees.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace noctune::reading {
namespace {

constexpr int deepest_call = 64;
constexpr int deepest_local = 6;
constexpr std::size_t most_accesses = 20000;
constexpr std::size_t longest_index = 800;

class Callees {
 public:
  Callees(SourceFacts& facts, const std::vector<PointerCall>& calls)
      : facts_(facts), calls_(facts.functions.size()) {
    for (const PointerCall& call : calls) calls_[call.caller].push_back(&call);
    for (std::size_t i = 0; i < facts.functions.size(); ++i) by_name_.emplace(facts.functions[i].name, i);
    done_.resize(facts.functions.size());
  }

  void run() {
    for (std::size_t i = 0; i < facts_.functions.size(); ++i) visit(i, 0);
  }

 private:
  void visit(std::size_t caller, int depth) {
    if (done_[caller] || depth > deepest_call) return;
    done_[caller] = true;
    for (const PointerCall* call : calls_[caller]) {
      const auto found = by_name_.find(call->callee);
      if (found == by_name_.end() || found->second == caller) continue;
      visit(found->second, depth + 1);
      add(facts_.functions[caller], facts_.functions[found->second], *call);
    }
  }

  void add(SourceFunction& caller, const SourceFunction& callee, const PointerCall& call) {
    const std::map<std::string, std::string> values = values_of(callee),
                                             arguments = arguments_of(callee, call);
    std::set<std::tuple<int, std::string, std::string, std::string>> seen;
    for (const SourceAccess& inner : callee.accesses)
      for (const auto& [argument, place] : call.pointers) {
        if (argument >= callee.params.size() || caller.accesses.size() >= most_accesses) continue;
        const std::string& name = callee.params[argument].name;
        const bool behind = inner.array.size() > name.size() && inner.array.rfind(name + ".", 0) == 0;
        if (inner.array != name && !behind) continue;
        SourceAccess access = inner;
        access.array = place.array + (behind ? inner.array.substr(name.size()) : "");
        access.index = index_in_caller(inner.index, behind ? Place{} : place, values, arguments);
        access.callee = callee.name;
        access.where = call.where;
        access.loop_depth += call.loop_depth;
        access.guard = call.guard;
        if (seen.emplace(static_cast<int>(access.kind), access.array, access.index, access.member).second)
          caller.accesses.push_back(std::move(access));
      }
  }

  // Locals as their values, loop variables as their last value.
  static std::map<std::string, std::string> values_of(const SourceFunction& callee) {
    std::map<std::string, std::string> values;
    for (const SourceLocal& local : callee.locals)
      if (!local.assigned_again && !local.value.empty()) values.emplace(local.name, local.value);
    for (const SourceLoop& loop : callee.loops)
      if (!loop.variable.empty() && !loop.to.empty())
        values[loop.variable] = loop.step.rfind('-', 0) == 0 ? loop.from : plus(loop.to, -1);
    for (const SourceParam& param : callee.params) values.erase(param.name);
    return values;
  }

  static std::map<std::string, std::string> arguments_of(const SourceFunction& callee,
                                                         const PointerCall& call) {
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < std::min(callee.params.size(), call.args.size()); ++i)
      values[callee.params[i].name] = call.args[i];
    return values;
  }

  static std::string index_in_caller(const std::string& index, const Place& place,
                                     const std::map<std::string, std::string>& values,
                                     const std::map<std::string, std::string>& arguments) {
    std::string text = index;
    for (int step = 0; step < deepest_local; ++step) {
      const std::string next = replace_names(text, values);
      if (next == text) break;
      text = next;
    }
    text = replace_names(text, arguments);
    Place moved = place;
    if (text.find('?') == 0 || text.size() > longest_index) return "?";
    if (moved.dims <= 0) return moved.index();
    if (text.find("][") != std::string::npos)
      return moved.offset.empty() && moved.prefix.empty() ? text : "?";
    moved.dims = 1;
    moved.subscript(text);
    return moved.index();
  }

  SourceFacts& facts_;
  std::vector<std::vector<const PointerCall*>> calls_;
  std::map<std::string, std::size_t> by_name_;
  std::vector<bool> done_;
};

}  // namespace

void add_accesses_of_callees(SourceFacts& facts, const std::vector<PointerCall>& calls) {
  Callees(facts, calls).run();
}

}  // namespace noctune::reading
