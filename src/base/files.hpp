// Files and folders: whole reads, atomic writes, private scratch that cleans up after itself.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace noctune {

Result<std::string> read_file(const std::filesystem::path& path);
Result<void> write_file(const std::filesystem::path& path, std::string_view content);
// Writes a temporary file beside the target, syncs it, renames it over the target and syncs the folder.
Result<void> replace_file(const std::filesystem::path& path, std::string_view content);
// Makes a rename durable: fsync of the folder that holds `path`.
Result<void> sync_parent(const std::filesystem::path& path);

// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release();
  void reset();

 private:
  int fd_ = -1;
};

// A new private folder (mode 0700) under $TMPDIR, or the given parent; removed with all it holds when it
// goes.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make(std::string_view prefix, const std::filesystem::path& parent = {});
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&& other) noexcept;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// The text of errno for messages.
std::string errno_text(int error);

}  // namespace noctune
