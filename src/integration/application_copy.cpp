#include "integration/application_copy.hpp"

#include <system_error>

#include "base/digest.hpp"
#include "base/files.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t largest_read = 256u << 20;

Failure trouble(const fs::path& path, const std::string& what, const std::error_code& error) {
  return fail("cannot " + what + " " + path.string(), error.message());
}

Result<std::string> digest_of(const fs::directory_entry& entry) {
  std::error_code error;
  if (entry.is_symlink(error)) return "link " + fs::read_symlink(entry.path(), error).string();
  const std::string mode = std::to_string(static_cast<int>(entry.status(error).permissions()));
  if (entry.is_directory(error)) return "folder " + mode;
  if (!entry.is_regular_file(error)) return "other " + mode;
  const std::uintmax_t size = entry.file_size(error);
  if (error) return trouble(entry.path(), "look at", error);
  if (size > largest_read)
    return "file " + mode + " " + std::to_string(size) + " " +
           std::to_string(entry.last_write_time(error).time_since_epoch().count());
  const Result<std::string> content = read_file(entry.path());
  if (!content) return Failure(content.error());
  return "file " + mode + " " + sha256(*content);
}

bool left_out(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.path().filename() == ".git" || (entry.is_directory(error) && !entry.is_symlink(error) &&
                                               fs::exists(entry.path() / "CMakeCache.txt", error));
}

class Copier {
 public:
  Copier(fs::path from, fs::path to) : from_(std::move(from)), to_(std::move(to)) {}

  Result<void> folder(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::create_directory(to, from, error);
    if (error) return trouble(to, "make", error);
    for (fs::directory_iterator at(from, error), end; !error && at != end; at.increment(error)) {
      if (left_out(*at)) continue;
      if (Result<void> done = one(*at, to / at->path().filename()); !done) return done;
    }
    if (error) return trouble(from, "read", error);
    fs::last_write_time(to, fs::last_write_time(from, error), error);
    return {};
  }

 private:
  Result<void> one(const fs::directory_entry& entry, const fs::path& to) {
    std::error_code error;
    if (entry.is_symlink(error)) return link(entry.path(), to);
    if (entry.is_directory(error)) return folder(entry.path(), to);
    if (!entry.is_regular_file(error)) return {};  // a socket or a pipe of somebody's
    fs::copy_file(entry.path(), to, error);
    if (error) return trouble(entry.path(), "copy", error);
    // What is newer decides what make builds.
    fs::last_write_time(to, entry.last_write_time(error), error);
    if (error) return trouble(to, "set the time of", error);
    return {};
  }

  Result<void> link(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::path target = fs::read_symlink(from, error);
    const fs::path inner = target.lexically_relative(from_);
    if (target.is_absolute() && !inner.empty() && *inner.begin() != "..") target = to_ / inner;
    if (!error) fs::create_symlink(target, to, error);
    if (error) return trouble(from, "copy the link", error);
    return {};
  }

  fs::path from_, to_;
};

}  // namespace

std::string FolderState::sha() const {
  std::string all;
  for (const auto& [path, digest] : entries) all += path + '\0' + digest + '\n';
  return sha256(all);
}

Result<FolderState> state_of(const fs::path& folder) {
  FolderState out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error), end;
  for (; !error && at != end; at.increment(error)) {
    if (at->path().filename() == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    Result<std::string> digest = digest_of(*at);
    if (!digest) return Failure(digest.error());
    out.entries[at->path().lexically_relative(folder).string()] = std::move(*digest);
  }
  if (error) return trouble(folder, "read", error);
  return out;
}

std::vector<std::string> changed_entries(const FolderState& before, const FolderState& after) {
  std::vector<std::string> out;
  for (const auto& [path, digest] : before.entries) {
    const auto found = after.entries.find(path);
    if (found == after.entries.end() || found->second != digest) out.push_back(path);
  }
  for (const auto& [path, digest] : after.entries)
    if (!before.entries.contains(path)) out.push_back(path);
  return out;
}

Result<void> copy_application(const fs::path& from, const fs::path& to) {
  return Copier(from, to).folder(from, to);
}

}  // namespace noctune
