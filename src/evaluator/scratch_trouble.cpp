#include "evaluator/scratch_trouble.hpp"

#include <cerrno>

#include "base/files.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t largest_output = 256 << 20;  // of a compiler, which removes it when it fails
constexpr std::uintmax_t smallest_write = 64 << 10;

bool has_less_than(const fs::path& folder, std::uintmax_t bytes) {
  std::error_code failed;
  const fs::space_info space = fs::space(folder, failed);
  return !failed && space.available < bytes;
}

bool says_full(const std::string& text) {
  for (const int error : {ENOSPC, EDQUOT})
    if (text.find(errno_text(error)) != std::string::npos) return true;
  return false;
}

}  // namespace

std::string scratch_trouble(const fs::path& folder, const std::vector<std::string>& files,
                            const std::string& diagnostics) {
  std::error_code ignored;
  for (const std::string& file : files)
    if (!fs::exists(file, ignored)) return "the scratch folder has lost " + file;
  if (says_full(diagnostics) && has_less_than(folder, largest_output))
    return "the scratch folder " + folder.string() + " is full";
  return {};
}

bool scratch_is_full(const fs::path& folder) {
  return has_less_than(folder, smallest_write);
}

}  // namespace noctune
