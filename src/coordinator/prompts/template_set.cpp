// Templates of the stable part may use only what never changes while a hotspot is tuned: providers cache that
// part, and one changed byte in it would cost the whole prompt again.
#include "coordinator/prompts/template_set.hpp"

#include <array>
#include <cstdlib>

#include "base/files.hpp"
#include "coordinator/prompts/embedded_prompts.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

const std::set<std::string>& stable_names() {
  static const std::set<std::string> names = {
      "allowed_flags", "backend",      "backend_allows", "backend_example", "backend_words", "caches",
      "ceilings",      "compile_line", "compiler",       "context",         "entry",         "hotspot",
      "libraries",     "original",     "parameters",     "processor",       "mechanisms",    "prototype",
      "sizes",         "threads",      "tolerance",      "vectors",         "work"};
  return names;
}

const std::set<std::string>& all_names() {
  static const std::set<std::string> names = [] {
    std::set<std::string> out = stable_names();
    for (const char* name :
         {"attempts_left", "base_source", "base_words", "diagnostics", "failed_source", "failure", "features",
          "guidance", "hypotheses", "hypothesis", "ledger", "patterns", "references", "reply", "rounds_left"})
      out.insert(name);
    return out;
  }();
  return names;
}

// Completion has requests of its own, made before there is a spec.
const std::set<std::string>& completion_names() {
  static const std::set<std::string> names = {
      "attempts_left", "backend", "call_site", "compile_line", "defines",  "diagnostics", "draft", "facts",
      "failure",       "hotspot", "kernels",   "limits",       "original", "refusal",     "reply", "source"};
  return names;
}

// So has the way of a winner into its application.
const std::set<std::string>& placement_names() {
  static const std::set<std::string> names = {"attempts_left", "call_site", "diagnostics", "failure",
                                              "file",          "head",      "hotspot",     "original",
                                              "refusal",       "reply",     "symbols"};
  return names;
}

bool is_completion(const std::string& name) {
  return name.rfind("complete", 0) == 0;
}

bool is_stable(const std::string& name) {
  static const std::set<std::string> names = {"system",     "hotspot",     "allows_cpu",
                                              "allows_gpu", "example_cpu", "example_gpu"};
  return names.count(name) > 0 || name.rfind("backend_", 0) == 0;
}

const std::set<std::string>& names_for(const std::string& name) {
  static const std::set<std::string> contract = {"backend"};
  if (name == "complete_system") return contract;
  if (is_completion(name)) return completion_names();
  if (name.rfind("place", 0) == 0) return placement_names();
  return is_stable(name) ? stable_names() : all_names();
}

constexpr std::array wanted = {"system",
                               "allows_cpu",
                               "allows_gpu",
                               "example_cpu",
                               "example_gpu",
                               "hotspot",
                               "plan",
                               "write",
                               "direct",
                               "repair_build",
                               "repair_run",
                               "repair_result",
                               "format",
                               "summarise",
                               "complete_system",
                               "complete_hotspot",
                               "complete",
                               "complete_repair",
                               "complete_format",
                               "place_system",
                               "place",
                               "place_repair"};

}  // namespace

Result<PromptTemplates> PromptTemplates::load(const fs::path& folder) {
  std::map<std::string, std::pair<std::string, std::string>> texts;  // name -> file, text
  for (const auto& [name, text] : embedded_prompts()) texts[name] = {"share/prompts/" + name + ".md", text};
  std::error_code error;
  if (!folder.empty()) {
    fs::directory_iterator files(folder, error), end;
    if (error)
      return fail("the prompt templates cannot be read", folder.string() + ": " + error.message(),
                  "set NOCTUNE_PROMPTS to a folder with .md files, or unset it for the built-in ones");
    for (; files != end; files.increment(error)) {
      if (error) return fail("the prompt templates cannot be read", folder.string() + ": " + error.message());
      const fs::path& file = files->path();
      if (file.extension() != ".md") continue;
      Result<std::string> text = read_file(file);
      if (!text) return Failure(text.error());
      texts[file.stem().string()] = {file.string(), std::move(*text)};
    }
  }
  PromptTemplates out;
  for (const auto& [name, source] : texts) {
    Result<PromptTemplate> parsed = PromptTemplate::parse(source.second, source.first, name, names_for(name));
    if (!parsed) return Failure(parsed.error());
    out.templates_.emplace(name, std::move(*parsed));
  }
  for (const char* name : wanted)
    if (!out.has(name)) return fail(std::string("the prompt template ") + name + ".md is missing");
  return out;
}

fs::path prompts_folder() {
  if (const char* chosen = std::getenv("NOCTUNE_PROMPTS"); chosen && *chosen) return chosen;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& one :
       {folder / "share" / "prompts", folder.parent_path() / "share" / "noctune" / "prompts"})
    if (fs::is_directory(one, error)) return one;
  return {};
}

}  // namespace noctune
