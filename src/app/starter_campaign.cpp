#include "app/starter_campaign.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/kernel_groups.hpp"
#include "base/json.hpp"
#include "coordinator/prompts/facts_text.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest_comment = 400;

std::string comment(const std::string& word, const std::string& text) {
  return "    // " + word + one_line(text, longest_comment) + "\n";
}

std::string backend_of(const std::string& language) {
  return language == "cuda" || language == "hip" ? language : "openmp";
}

struct Found {
  const StarterSource* source = nullptr;
  SourceFacts facts;
  std::vector<std::string> kernels;
};

class Starter {
 public:
  Starter(std::string name, const Completer& completer) : name_(std::move(name)), completer_(completer) {}

  Result<StarterCampaign> write(const std::vector<StarterSource>& sources) {
    std::string why;
    for (const StarterSource& source : sources) {
      SourceFacts facts = read_source(source.text);
      const auto groups = kernel_groups(facts);
      if (groups.empty()) why += (why.empty() ? "" : "; ") + source.path + ": " + nothing_in(facts);
      for (const std::vector<std::string>& kernels : groups) found_.push_back({&source, facts, kernels});
    }
    if (found_.empty())
      return fail(
          "no kernel was found", why,
          "a kernel is a __global__ function, or a C or C++ function that works on arrays it is given");
    settle_backend();
    out_.text = head(why);
    for (std::size_t i = 0; i < found_.size(); ++i) add(found_[i], i + 1 == found_.size());
    out_.text += "  ]\n}\n";
    return std::move(out_);
  }

 private:
  static std::string nothing_in(const SourceFacts& facts) {
    if (!facts.problems.empty()) return facts.problems.front().text;
    if (facts.functions.empty()) return "it defines no function";
    std::string names;
    for (const SourceFunction& one : facts.functions) names += (names.empty() ? "" : ", ") + one.name;
    return "none of its functions works on arrays: " + names;
  }

  // One campaign has one backend: that of most kernels.
  void settle_backend() {
    std::map<std::string, int> counts;
    for (const Found& one : found_) ++counts[backend_of(one.facts.language)];
    backend_ = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
                 return a.second < b.second;
               })->first;
  }

  std::string head(const std::string& without) const {
    std::string out =
        "// Written by noctune init: a start, to be read and corrected. Then:\n"
        "//   noctune mep " +
        name_ +
        ".json     completes, sizes and checks the MEPs, and writes them as files\n"
        "//   noctune tune " +
        name_ +
        ".json    tunes them; --dry-run shows the plan first\n"
        "// A hotspot may also say: \"call_site\", a file with the host code that launches its kernels; "
        "\"defines\",\n"
        "// macros that the build supplies; \"context\", declarations that the source lacks; \"mep\", a spec "
        "of one's own.\n"
        "// With a section \"model\" (docs/model.md) a language model completes what rules cannot.\n";
    if (!without.empty()) out += "// Without a kernel: " + one_line(without, longest_comment) + "\n";
    if (backend_ != "openmp")
      out += "// The kernels are " + backend_ + "; see noctune --version for what this build can run.\n";
    return out + "{\n  \"name\": " + Json(name_).dump() +
           ",\n  \"mep\": {\"t_min_ms\": 1, \"t_max_s\": 30, \"s_max_mb\": 512},\n"
           "  \"platform\": {\"backend\": \"" +
           backend_ +
           "\"},  // flags: those of your application's build\n"
           "  \"proposers\": [\"rules\"],\n  \"hotspots\": [\n";
  }

  std::string unique_name(const Found& found) {
    std::string base = found.kernels.front();
    std::string name = base;
    for (int i = 2; !names_.insert(name).second; ++i) name = base + "-" + std::to_string(i);
    return name;
  }

  void add(const Found& found, bool last) {
    const std::string name = unique_name(found);
    CompletionInput input;
    input.hotspot = name;
    input.file = found.source->path;
    input.source = found.source->text;
    input.backend = backend_;
    input.kernels = found.kernels;
    out_.text += comment("", found.source->path + ":");
    for (const std::string& kernel : found.kernels)
      if (const SourceFunction* one = found.facts.function(kernel))
        out_.text += comment("  ", function_text(*one));
    const Result<MepDraft> draft = completer_(input);
    if (draft) {
      for (const std::string& one : draft->understood) out_.text += comment("understood: ", one);
      for (const std::string& one : draft->assumed) out_.text += comment("assumed: ", one);
    } else {
      out_.text += comment("not completed by rules: ", draft.error().text());
    }
    OrderedJson entry{{"name", name}, {"source", found.source->path}};
    entry["kernel"] =
        found.kernels.size() == 1 ? OrderedJson(found.kernels.front()) : OrderedJson(found.kernels);
    out_.text += "    " + entry.dump() + (last ? "\n" : ",\n");
    out_.hotspots.push_back(name + " (" + found.source->path + "): " +
                            (draft ? "completed by rules, entry " + draft->spec.entry
                                   : "not completed by rules: " + draft.error().text()));
  }

  std::string name_;
  const Completer& completer_;
  std::string backend_;
  std::vector<Found> found_;
  std::set<std::string> names_;
  StarterCampaign out_;
};

}  // namespace

Result<StarterCampaign> starter_campaign(const std::string& name, const std::vector<StarterSource>& sources,
                                         const Completer& completer) {
  return Starter(name, completer).write(sources);
}

}  // namespace noctune
