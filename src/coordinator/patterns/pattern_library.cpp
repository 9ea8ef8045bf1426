#include "coordinator/patterns/pattern_library.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/digest.hpp"
#include "coordinator/patterns/conditions.hpp"
#include "coordinator/patterns/library_lines.hpp"

namespace noctune {
namespace {

constexpr std::uintmax_t largest_file = 64 << 20;
constexpr const char* suffix = ".jsonl";

// The same text, whoever wrote it and whatever became of it.
bool says_the_same(const Pattern& a, const Pattern& b) {
  return a.category == b.category && a.when == b.when && a.what == b.what && a.pitfalls == b.pitfalls;
}

std::string digest_of(Pattern pattern) {
  pattern.status = PatternStatus::draft;
  pattern.drafted_on.clear();
  pattern.revision = 0;
  return sha256(line_of(pattern)).substr(0, 6);
}

// Sorted, so that problems come in the same order everywhere.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, std::error_code& error) {
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == suffix) files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<PatternLibrary> PatternLibrary::open(const std::filesystem::path& folder, const std::string& run,
                                            const std::filesystem::path& snapshot) {
  PatternLibrary library(folder, run);
  if (run.find('/') != std::string::npos)
    return fail("a run of a pattern library cannot be called " + run, "the name holds a '/'");
  std::error_code error;
  if (!folder.empty() && !run.empty()) std::filesystem::create_directories(folder, error);
  if (error) return fail("the pattern library " + folder.string() + " cannot be made", error.message());
  if (!folder.empty())
    if (const auto read = library.read_folder(); !read) return Failure(read.error());
  if (!snapshot.empty())
    if (const auto used = library.use_snapshot(snapshot); !used) return Failure(used.error());
  library.named_ = library.state_;
  return library;
}

Result<void> PatternLibrary::use_snapshot(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    std::string text;
    for (const KnownPattern& known : state_.patterns()) {
      text += line_of(*state_.find(known.pattern.name));  // with the status as it was written
      for (const PatternEvidence& one : known.evidence) text += line_of(one);
      for (const PatternTrial& one : known.trials) text += line_of(one);
    }
    return replace_file(file, text);
  }
  const Result<std::string> text = read_file(file);
  if (!text) return Failure(text.error());
  state_ = {};
  read_lines(*text, file.filename().string(), state_, problems_);
  return {};
}

Result<void> PatternLibrary::read_folder() {
  std::error_code error;
  const std::vector<std::filesystem::path> files = files_in(folder_, error);
  if (error)
    return fail("the pattern library " + folder_.string() + " cannot be read", error.message(),
                "it is a folder of *.jsonl files that campaigns share");
  for (const std::filesystem::path& file : files) {
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    if (error || bytes > largest_file) {
      problems_.push_back(file.string() + ": left out, it " +
                          (error ? "cannot be read: " + error.message() : "has more than 64 MB"));
      continue;
    }
    if (const Result<std::string> text = read_file(file))
      read_lines(*text, file.filename().string(), state_, problems_);
    else
      problems_.push_back(text.error().text());
  }
  return {};
}

Result<std::string> PatternLibrary::add(Pattern pattern) {
  if (pattern.name.empty()) return fail("a pattern cannot be kept", "it has no name");
  if (const auto checked = check_conditions(pattern); !checked) return Failure(checked.error());
  if (const Pattern* known = named_.find(pattern.name)) {
    if (says_the_same(*known, pattern)) return pattern.name;
    if (known->revision >= pattern.revision) {
      pattern.name += "-" + digest_of(pattern);
      if (named_.find(pattern.name)) return pattern.name;
    }
  }
  named_.add(pattern);
  if (!frozen_) state_.add(pattern);
  if (const auto kept = append(line_of(pattern)); !kept) return Failure(kept.error());
  return pattern.name;
}

Result<void> PatternLibrary::add(const PatternEvidence& evidence) {
  if (!frozen_) state_.add(evidence);
  return append(line_of(evidence));
}

Result<void> PatternLibrary::add_trial(const PatternTrial& trial) {
  if (!frozen_) state_.add(trial);
  return append(line_of(trial));
}

// One write a line; the file is this run's alone, so nobody else's line can come between.
Result<void> PatternLibrary::append(const std::string& line) {
  if (folder_.empty() || run_.empty()) return {};
  const std::filesystem::path path = folder_ / (run_ + suffix);
  const std::string problem = "the pattern library " + path.string() + " cannot be written";
  if (line.size() > longest_line) return fail(problem, "a line has more than 64 kB");
  if (!file_) {
    file_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!file_) return fail(problem, errno_text(errno));
    torn_ = ::lseek(file_.get(), 0, SEEK_END) > 0;  // an earlier process may have died within a line
  }
  const std::string text = torn_ ? "\n" + line : line;
  const ssize_t written = ::write(file_.get(), text.data(), text.size());
  torn_ = written != static_cast<ssize_t>(text.size()) && (torn_ || written > 0);
  if (written == static_cast<ssize_t>(text.size())) return {};
  return fail(problem, written < 0 ? errno_text(errno) : "the disk is full");
}

}  // namespace noctune
