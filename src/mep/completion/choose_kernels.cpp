// Preferred: what the user names; then what the call site launches; then the only kernel there is; then all
// kernels in the order of the source, where they share buffers.
#include "mep/completion/choose_kernels.hpp"

#include <algorithm>
#include <set>

#include "mep/completion/comment_calls.hpp"
#include "mep/completion/loop_ranges.hpp"
#include "mep/completion/text_words.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

using Functions = std::vector<const SourceFunction*>;

bool gpu_source(const SourceFacts& facts) {
  return facts.language == "cuda" || facts.language == "hip";
}

bool called_elsewhere(const SourceFacts& facts, const SourceFunction& function) {
  return std::any_of(facts.functions.begin(), facts.functions.end(), [&](const SourceFunction& one) {
    return one.name != function.name && one.name != "main" && contains(one.calls, function.name);
  });
}

bool works_on_buffers(const SourceFunction& function) {
  return std::any_of(function.params.begin(), function.params.end(),
                     [](const SourceParam& param) { return param.is_pointer(); }) ||
         std::any_of(function.accesses.begin(), function.accesses.end(),
                     [](const SourceAccess& access) { return access.kind != SourceAccess::Kind::read; });
}

// Functions that could be meant: kernels on a GPU; elsewhere those that nobody else calls.
Functions candidates(const SourceFacts& facts) {
  Functions out;
  for (const SourceFunction& one : facts.functions) {
    const bool kernel = gpu_source(facts) ? one.kind == SourceFunction::Kind::kernel
                                          : one.name != "main" && works_on_buffers(one);
    if (kernel) out.push_back(&one);
  }
  if (gpu_source(facts)) return out;
  const auto keep_only = [&](auto test) {
    Functions kept;
    std::copy_if(out.begin(), out.end(), std::back_inserter(kept), test);
    if (!kept.empty()) out = kept;
  };
  keep_only([&](const SourceFunction* one) { return !called_elsewhere(facts, *one); });
  keep_only([](const SourceFunction* one) {
    return one->has_pragma_omp || !one->loops.empty() || !one->calls.empty();
  });
  return out;
}

std::string names_of(const Functions& functions) {
  std::string out;
  for (const SourceFunction* one : functions) out += (out.empty() ? "" : ", ") + one->name;
  return out;
}

std::string seen_in(const SourceFacts& facts) {
  std::string out;
  for (const SourceFunction& one : facts.functions) out += (out.empty() ? "" : ", ") + one.name;
  return out.empty() ? "it defines no function" : "the functions seen are " + out;
}

Result<Functions> named_ones(const CompletionInput& input, const SourceFacts& facts) {
  Functions out;
  for (const std::string& name : input.kernels) {
    const SourceFunction* found = facts.function(name);
    for (const SourceFunction& one : facts.functions) {
      const std::size_t cut = one.name.rfind("::");
      if (found == nullptr && cut != std::string::npos && one.name.substr(cut + 2) == name) found = &one;
    }
    if (found == nullptr)
      return fail(input.file, "it has no function \"" + name + "\"; " + seen_in(facts),
                  "correct \"kernel\" of this hotspot");
    if (std::find(out.begin(), out.end(), found) == out.end()) out.push_back(found);
  }
  return out;
}

// Snippets count before the source's own host code, and that before comments.
std::vector<SourceLaunch> best_launches(const std::vector<SourceLaunch>& all, const Functions& wanted) {
  std::vector<SourceLaunch> best;
  for (int choice = 0; choice < 3 && best.empty(); ++choice)
    for (const SourceLaunch& one : all) {
      const int kind = one.in_snippet ? 0 : one.in_comment ? 2 : 1;
      const bool meant = std::any_of(wanted.begin(), wanted.end(), [&](const SourceFunction* function) {
        return function->name == one.kernel && function->params.size() == one.args.size();
      });
      if (kind == choice && meant) best.push_back(one);
    }
  return best;
}

bool share_buffers(const Functions& functions) {
  std::set<std::string> seen;
  for (const SourceFunction* one : functions) {
    bool shared = seen.empty();
    for (const SourceParam& param : one->params)
      if (param.is_pointer()) shared = !seen.insert(param.name).second || shared;
    if (!shared) return false;
  }
  return true;
}

Failure several(const CompletionInput& input, const Functions& functions) {
  return fail(input.file, "several functions could be the hotspot: " + names_of(functions),
              "name it: \"kernel\": \"" + functions.front()->name +
                  "\", or add the host code that calls them as \"call_site\"");
}

Result<void> can_be_isolated(const CompletionInput& input, const SourceFacts& facts,
                             const SourceFunction& kernel) {
  for (const SourceProblem& problem : facts.problems)
    if (problem.fatal && (problem.function.empty() || problem.function == kernel.name ||
                          contains(kernel.calls, problem.function)))
      return fail(input.file + ":" + std::to_string(problem.line), problem.text,
                  "rewrite the kernel without it, or write its MEP by hand");
  if (kernel.name.find("::") != std::string::npos)
    for (const SourceStruct& one : facts.structs)
      if (kernel.name.rfind(one.name + "::", 0) == 0)
        return fail(input.file, kernel.name + " is a member of a class and needs an object",
                    "hand in a free function that takes what it works on");
  for (const SourceParam& param : kernel.params)
    if (param.pointers > 1 && param.extents.empty())
      return fail(input.file,
                  "parameter " + param.name + " of " + kernel.name + " is " + param.type +
                      ": no rule lays out pointers to pointers",
                  "pass one flat array, or write the MEP by hand");
  return {};
}

Failure none_found(const CompletionInput& input, const SourceFacts& facts) {
  const char* wanted = input.backend == "openmp" ? "function that works on buffers" : "__global__ function";
  return fail(
      input.file, std::string("it has no ") + wanted + "; " + seen_in(facts),
      "hand in the source that defines the kernel; functors, lambdas and kernels of a domain-specific "
      "language must be written out as a function first");
}

}  // namespace

Result<ChosenKernels> choose_kernels(const CompletionInput& input, const SourceFacts& facts) {
  if (gpu_source(facts) != (input.backend == "cuda" || input.backend == "hip"))
    return fail(input.file, "it is a " + facts.language + " source, but the backend is " + input.backend,
                "set \"backend\" to what the source is written for");
  Functions meant = candidates(facts);
  if (!input.kernels.empty()) {
    const Result<Functions> named = named_ones(input, facts);
    if (!named) return Failure(named.error());
    meant = *named;
  }
  if (meant.empty()) return none_found(input, facts);
  std::vector<SourceLaunch> launches = read_call_site(input.call_site, facts);
  for (SourceLaunch& one : launches) one.in_snippet = true;
  for (const SourceLaunch& one : facts.launches)
    if (!one.in_comment) launches.push_back(one);
  const CommentedCalls commented = calls_in_comments(input.source, facts, meant);
  launches.insert(launches.end(), commented.launches.begin(), commented.launches.end());

  ChosenKernels out;
  out.launches = best_launches(launches, meant);
  out.launch_text = input.source;
  if (!out.launches.empty() && out.launches[0].in_snippet) out.launch_text = input.call_site;
  if (!out.launches.empty() && out.launches[0].in_comment) out.launch_text = commented.text;
  for (SourceLaunch& one : out.launches) extend_to_bodies(one.loops, out.launch_text);
  std::stable_sort(
      out.launches.begin(), out.launches.end(),
      [](const SourceLaunch& a, const SourceLaunch& b) { return a.where.begin < b.where.begin; });
  for (const SourceLaunch& one : out.launches) {
    const SourceFunction* function = facts.function(one.kernel);
    if (std::find(out.kernels.begin(), out.kernels.end(), function) == out.kernels.end())
      out.kernels.push_back(function);
  }
  const bool all_launched = out.kernels.size() == meant.size();
  if (out.kernels.empty() || (!input.kernels.empty() && !all_launched)) {
    if (meant.size() > 1 && input.kernels.empty() && !share_buffers(meant)) return several(input, meant);
    if (!all_launched) out.launches.clear();
    out.kernels = meant;
    if (meant.size() > 1)
      out.assumed.push_back("the kernels run in the order of the source, once each: " + names_of(meant));
  } else if (!all_launched) {
    out.assumed.push_back("only what the host code launches is meant: " + names_of(out.kernels));
  }
  for (const SourceFunction* kernel : out.kernels)
    if (const Result<void> good = can_be_isolated(input, facts, *kernel); !good) return Failure(good.error());
  return out;
}

}  // namespace noctune
