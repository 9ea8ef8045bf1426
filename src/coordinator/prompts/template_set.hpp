// All templates of a run: those built in, and over them those of a folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "coordinator/prompts/prompt_template.hpp"

namespace noctune {

class PromptTemplates {
 public:
  // Files <name>.md in `folder` replace the built-in ones of the same name; an empty path means built-in
  // alone. Errors name file and line.
  static Result<PromptTemplates> load(const std::filesystem::path& folder = {});
  // Only for names that load() checks: the prompts of the search, of completion and of placement, and every
  // backend_<name>.
  const PromptTemplate& at(const std::string& name) const { return templates_.at(name); }
  bool has(const std::string& name) const { return templates_.count(name) > 0; }

 private:
  std::map<std::string, PromptTemplate> templates_;
};

// $NOCTUNE_PROMPTS; else share/prompts or ../share/noctune/prompts beside the program; empty where there is
// none.
std::filesystem::path prompts_folder();

}  // namespace noctune
