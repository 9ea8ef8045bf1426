#include "coordinator/rules/gpu/gpu_plan.hpp"

namespace noctune::rules::gpu {
namespace {

using Params = std::map<std::string, std::string>;

// What gives the kernel another form and sets the block itself.
const std::vector<std::string>& structural() {
  static const std::vector<std::string> rules = {"register-tiles", "stage",     "transpose-tiles",
                                                 "warp-rows",      "block-sum", "private-bins",
                                                 "vector-loads",   "stride"};
  return rules;
}

std::vector<Params> params_of(const std::string& rule) {
  if (rule == "register-tiles")
    return {{{"rows", "8"}, {"cols", "8"}, {"depth", "8"}},
            {{"rows", "4"}, {"cols", "4"}, {"depth", "8"}},
            {{"rows", "8"}, {"cols", "4"}, {"depth", "16"}},
            {{"rows", "2"}, {"cols", "4"}, {"depth", "16"}},
            {{"rows", "4"}, {"cols", "8"}, {"depth", "16"}},
            {{"rows", "4"}, {"cols", "4"}, {"depth", "32"}},
            {{"rows", "2"}, {"cols", "2"}, {"depth", "16"}},
            {{"rows", "4"}, {"cols", "4"}, {"depth", "16"}, {"x", "8"}, {"y", "8"}},
            {{"rows", "1"}, {"cols", "1"}, {"depth", "16"}}};
  if (rule == "stage")
    return {{{"unroll", "8"}}, {{"size", "128"}}, {{"size", "128"}, {"unroll", "4"}},
            {{"size", "512"}}, {{"size", "64"}},  {{"size", "1024"}}};
  if (rule == "warp-rows")
    return {{{"vector", "1"}},  {{"lanes", "16"}}, {{"x", "128"}},
            {{"lanes", "256"}}, {{"lanes", "8"}},  {{"lanes", "256"}, {"vector", "1"}},
            {{"x", "512"}},     {{"lanes", "4"}}};
  if (rule == "thread-rows")
    return {{{"groups", "16"}}, {{"groups", "8"}}, {{"x", "64"}, {"groups", "16"}}, {{"groups", "4"}}};
  if (rule == "block-sum")
    return {{{"vector", "1"}},
            {{"vector", "1"}, {"waves", "2"}},
            {{"x", "512"}},
            {{"waves", "2"}},
            {{"waves", "16"}},
            {{"x", "1024"}, {"waves", "2"}},
            {{"vector", "1"}, {"x", "512"}, {"waves", "4"}}};
  if (rule == "private-bins")
    return {
        {{"x", "512"}}, {{"waves", "2"}}, {{"waves", "16"}}, {{"x", "1024"}, {"waves", "2"}}, {{"x", "128"}}};
  if (rule == "transpose-tiles") return {{{"rows", "16"}}, {{"rows", "4"}}, {{"rows", "32"}}};
  if (rule == "stride")
    return {{{"factor", "2"}}, {{"factor", "4"}}, {{"waves", "4"}},
            {{"waves", "16"}}, {{"factor", "8"}}, {{"waves", "2"}}};
  return {};
}

std::vector<Steps> structure_variations(const Steps& best) {
  std::vector<Steps> list;
  for (const std::string& rule : structural())
    if (uses(best, rule))
      for (const Params& params : params_of(rule)) list.push_back(with_params(best, rule, params));
  return list;
}

// A shape of its own for kernels whose form is still the usual one.
std::vector<Steps> shape_variations(const Steps& best) {
  std::vector<Steps> list;
  // Those of two and three dimensions find no kernel of one.
  for (const char* shape :
       {"x=32,y=8", "x=128", "x=16,y=16", "x=512", "x=64,y=4", "x=64", "x=32,y=4", "x=1024", "x=32,y=16",
        "x=256", "x=128,y=2", "x=32,y=32", "x=16,y=8", "x=8,y=8", "x=32", "x=32,y=4,z=2", "x=8,y=8,z=4"})
    list.push_back(with(without(best, "block"), std::string("block(") + shape + ")",
                        {"vector-loads", "stride", "bounds", "read-only", "unroll-loops"}));
  return list;
}

std::vector<Steps> thread_variations(const Steps& best) {
  std::vector<Steps> list;
  const std::vector<std::string> before = {"bounds", "read-only", "unroll-loops"};
  for (const char* step :
       {"stride(factor=2)", "stride(waves=8)", "vector-loads", "stride(factor=4)", "stride(waves=4)"})
    if (!uses(best, steps_of(step).front().rule)) list.push_back(with(best, step, before));
  return list;
}

std::vector<Steps> compiler_variations(const Steps& best) {
  std::vector<Steps> list;
  for (const char* times : {"4", "8", "2", "16"})
    list.push_back(with(without(best, "unroll-loops"), std::string("unroll-loops(times=") + times + ")", {}));
  for (const char* blocks : {"0", "2", "4"})
    list.push_back(with(without(best, "bounds"), std::string("bounds(blocks=") + blocks + ")",
                        {"read-only", "unroll-loops"}));
  for (const char* ldg : {"0", "1"})
    list.push_back(
        with(without(best, "read-only"), std::string("read-only(ldg=") + ldg + ")", {"unroll-loops"}));
  // Ahead of what gives the kernel another form, and the accumulation first.
  std::vector<std::string> later = structural();
  later.insert(later.end(), {"thread-rows", "block", "bounds", "read-only", "unroll-loops"});
  for (const char* rule : {"reciprocal-root", "accumulate"}) {
    if (!uses(best, rule)) list.push_back(with(best, rule, later));
    later.emplace_back("reciprocal-root");
  }
  for (const char* rule : {"reciprocal-root", "unroll-loops", "bounds", "read-only", "block"})
    if (uses(best, rule)) list.push_back(without(best, rule));
  return list;
}

}  // namespace

const std::vector<Opening>& openings() {
  static const std::vector<Opening> list = {
      {"accumulate;register-tiles;read-only", {"register-tiles"}},
      {"accumulate;warp-rows;thread-rows;read-only", {"warp-rows"}},
      {"accumulate;warp-rows(vector=1);thread-rows;read-only;unroll-loops(times=4)", {"warp-rows"}},
      {"accumulate;reciprocal-root;thread-rows;read-only;unroll-loops(times=4)", {"thread-rows"}},
      {"accumulate;reciprocal-root;stage(unroll=4);read-only", {"stage"}},
      {"accumulate;reciprocal-root;thread-rows(groups=8);read-only", {"thread-rows"}},
      {"transpose-tiles;read-only", {"transpose-tiles"}},
      {"elements;private-bins", {"private-bins"}},
      {"elements;block-sum;read-only", {"block-sum"}},
      {"elements;block-sum(vector=1);read-only;unroll-loops(times=4)", {"block-sum"}},
      {"accumulate;read-only;unroll-loops(times=4)", {"accumulate"}},
      {"elements;vector-loads;read-only", {"vector-loads"}},
      {"read-only(ldg=1)", {"read-only"}},
      {"block(x=32,y=8)", {"block"}},
      {"block(x=128)", {"block"}},
      {"stride(factor=2);read-only", {"stride"}},
      {"stride(waves=8);read-only", {"stride"}},
      {"accumulate;register-tiles(cols=1,rows=1);read-only", {"register-tiles"}},
      {"unroll-loops(times=4);read-only", {"unroll-loops"}},
      {"reciprocal-root;read-only", {"reciprocal-root"}},
      {"bounds", {"bounds"}},
  };
  return list;
}

std::vector<std::vector<Steps>> variations(const Steps& best) {
  return {structure_variations(best), shape_variations(best), compiler_variations(best),
          thread_variations(best)};
}

}  // namespace noctune::rules::gpu
