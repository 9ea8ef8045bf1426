#include "sandbox/process_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "base/files.hpp"
#include "sandbox/newer_calls.hpp"

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace noctune {
namespace {

// The whole of a small /proc file, empty when it is gone.
std::string slurp(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string out;
  char block[4096];
  for (ssize_t n = 0; file && (n = ::read(file.get(), block, sizeof block)) > 0;)
    out.append(block, static_cast<std::size_t>(n));
  return out;
}

// Takes the next number off a line of words.
template <class T>
bool take_number(std::string_view& text, T& value) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc{};
}

// Calls f with every number that names an entry of the folder.
template <class F>
void each_numbered(const std::string& folder, F&& f) {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(folder.c_str()), ::closedir);
  while (const dirent* entry = dir ? ::readdir(dir.get()) : nullptr) {
    std::string_view name(entry->d_name);
    pid_t pid = 0;
    if (take_number(name, pid) && name.empty()) f(pid);
  }
}

bool contains(const std::vector<pid_t>& list, pid_t pid) {
  return std::find(list.begin(), list.end(), pid) != list.end();
}

}  // namespace

std::optional<ProcessFacts> parse_stat(std::string_view line) {
  ProcessFacts facts;
  std::string_view start = line;
  const std::size_t bracket = line.rfind(')');
  if (!take_number(start, facts.pid) || bracket == std::string_view::npos) return {};
  line.remove_prefix(bracket + 1);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (line.empty()) return {};
  facts.state = line.front();
  line.remove_prefix(1);
  long long skipped = 0, pages = 0;
  unsigned long long skipped_unsigned = 0;
  bool good = take_number(line, facts.parent);
  for (int field = 5; field <= 19 && good; ++field)  // pgrp ... nice; flags and fault counts are unsigned
    good = field >= 9 && field <= 15 ? take_number(line, skipped_unsigned) : take_number(line, skipped);
  good = good && take_number(line, facts.threads) && take_number(line, skipped);
  good = good && take_number(line, facts.start_ticks) && take_number(line, skipped_unsigned) &&
         take_number(line, pages);
  if (!good) return {};
  facts.resident_bytes = pages * ::sysconf(_SC_PAGESIZE);
  return facts;
}

ProcessTree::ProcessTree(std::string proc) : proc_(std::move(proc)) {
  const std::string self = std::to_string(::getpid());
  has_children_files_ = ::access((proc_ + "/" + self + "/task/" + self + "/children").c_str(), R_OK) == 0;
}

std::optional<ProcessFacts> ProcessTree::read(pid_t pid) const {
  return parse_stat(slurp(proc_ + "/" + std::to_string(pid) + "/stat"));
}

std::vector<ProcessFacts> ProcessTree::all() const {
  std::vector<ProcessFacts> out;
  each_numbered(proc_, [&](pid_t pid) {
    if (auto facts = read(pid)) out.push_back(*facts);
  });
  return out;
}

std::vector<pid_t> ProcessTree::children_of(pid_t pid) const {
  std::vector<pid_t> out;
  const std::string tasks = proc_ + "/" + std::to_string(pid) + "/task";
  each_numbered(tasks, [&](pid_t thread) {
    const std::string text = slurp(tasks + "/" + std::to_string(thread) + "/children");
    std::string_view rest(text);
    for (pid_t child = 0; take_number(rest, child);) out.push_back(child);
  });
  return out;
}

std::vector<ProcessFacts> ProcessTree::descendants(pid_t root, const std::vector<pid_t>& except) const {
  std::vector<ProcessFacts> out;
  // Without the kernel's list of children the whole of /proc is read, and picked from by parent.
  const std::vector<ProcessFacts> everything = has_children_files_ ? std::vector<ProcessFacts>{} : all();
  const auto add_children = [&](pid_t parent) {
    if (has_children_files_) {
      for (pid_t child : children_of(parent))
        if (auto facts = contains(except, child) ? std::nullopt : read(child)) out.push_back(*facts);
    } else {
      for (const ProcessFacts& facts : everything)
        if (facts.parent == parent && !contains(except, facts.pid)) out.push_back(facts);
    }
  };
  add_children(root);
  for (std::size_t i = 0; i < out.size(); ++i) add_children(out[i].pid);
  return out;
}

long ProcessTree::user_tasks(uid_t user) const {
  long tasks = 0;
  each_numbered(proc_, [&](pid_t pid) {
    struct stat facts {};
    if (::stat((proc_ + "/" + std::to_string(pid)).c_str(), &facts) != 0 || facts.st_uid != user) return;
    if (auto process = read(pid)) tasks += process->threads;
  });
  return tasks;
}

void ProcessTree::signal(const ProcessFacts& process, int number) const {
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
  const auto now = read(process.pid);
  if (!now || now->start_ticks != process.start_ticks) return;
  if (!handle)
    ::kill(process.pid, number);  // an old kernel: the moment since the check is all that is open
  else
    ::syscall(SYS_pidfd_send_signal, handle.get(), number, nullptr, 0U);
}

}  // namespace noctune
