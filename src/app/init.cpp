#include "app/init.hpp"

#include <cstdio>
#include <filesystem>

#include "app/starter_campaign.hpp"
#include "base/files.hpp"
#include "base/mpi.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

// As the campaign names it: relative to the campaign's folder.
std::string path_from(const fs::path& folder, const std::string& source) {
  const fs::path absolute = fs::absolute(source).lexically_normal();
  const fs::path relative = absolute.lexically_relative(fs::absolute(folder).lexically_normal());
  return relative.empty() ? absolute.string() : relative.string();
}

}  // namespace

int init_campaign(const Options& options) {
  if (launcher_rank() != 0) return 0;
  const fs::path target = options.output.empty() ? "campaign.json" : options.output;
  std::error_code ignored;
  if (fs::exists(target, ignored) && !options.force)
    throw UserError({target.string() + " is there already", "it is not overwritten",
                     "choose another name by --output, or replace it by --force"});
  std::vector<StarterSource> sources;
  const fs::path folder = target.parent_path().empty() ? "." : target.parent_path();
  for (const std::string& source : options.sources)
    sources.push_back({path_from(folder, source), value_or_throw(read_file(source))});
  const StarterCampaign made = value_or_throw(starter_campaign(target.stem().string(), sources));
  value_or_throw(replace_file(target, made.text));
  for (const std::string& line : made.hotspots) std::printf("%s\n", line.c_str());
  std::printf("\n%s is written: read what was understood and assumed, then run\n  noctune mep %s\n",
              target.string().c_str(), target.string().c_str());
  return 0;
}

}  // namespace noctune
