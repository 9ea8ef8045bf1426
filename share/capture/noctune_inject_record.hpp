// What noctune_inject.cpp does with a launch once it has it: select, count, limit, have it written. Knows
// nothing of CUDA, so that it can be tested without.
#ifndef NOCTUNE_INJECT_RECORD_HPP
#define NOCTUNE_INJECT_RECORD_HPP

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "noctune_inject_files.hpp"

namespace noctune_inject {

struct Settings {
  std::string folder;    // empty: nothing is captured
  std::string patterns;  // empty: every kernel
  Bytes skip = 0, every = 1, shapes = 8;
  Bytes launch_bytes = ~Bytes(0), all_bytes = 1024000000;
};

inline Bytes number_from(const char* name, Bytes fallback) {
  const char* text = std::getenv(name);
  return text && *text ? std::strtoull(text, nullptr, 10) : fallback;
}
inline std::string text_from(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}
inline Settings settings_from_environment() {
  Settings out;
  out.folder = text_from("NOCTUNE_CAPTURE_DIR");
  out.patterns = text_from("NOCTUNE_CAPTURE_KERNELS");
  out.skip = number_from("NOCTUNE_CAPTURE_SKIP", 0);
  out.every = std::max<Bytes>(1, number_from("NOCTUNE_CAPTURE_EVERY", 1));
  out.shapes = number_from("NOCTUNE_CAPTURE_SHAPES", 8);
  out.all_bytes = number_from("NOCTUNE_CAPTURE_MB", 1024) * 1000000;
  out.launch_bytes = out.all_bytes;
  if (std::getenv("NOCTUNE_CAPTURE_LAUNCH_MB"))
    out.launch_bytes = number_from("NOCTUNE_CAPTURE_LAUNCH_MB", 1024) * 1000000;
  return out;
}

// Threads may call it at the same time. No lock is held while the device is waited for, since what it waits
// for may need another thread's launch.
class Recorder {
 public:
  explicit Recorder(Settings settings) : settings_(std::move(settings)), bytes_left_(settings_.all_bytes) {
    char host[256] = "";
    ::gethostname(host, sizeof host - 1);
    process_ = ::getpid();
    place_ = std::string(host) + "." + std::to_string(static_cast<long long>(process_));
  }
  ~Recorder() { finish(); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // The cheap question that comes first; each call counts as a launch.
  bool looks_at(const char* symbol) {
    const std::lock_guard<std::mutex> guard(lock_);
    Kernel& kernel = kernel_of(symbol);
    if (!kernel.wanted) return false;
    const Bytes number = kernel.seen++;
    return number >= settings_.skip && (number - settings_.skip) % settings_.every == 0;
  }

  void launch(const Launch& launch, Memory& memory) {
    std::unique_lock<std::mutex> guard(lock_);
    Kernel& kernel = kernel_of(launch.symbol);
    guard.unlock();
    const std::vector<Kept> kept = look(kernel.name, launch, memory);
    guard.lock();
    const std::string key = shape_of(launch, kept);
    const auto found = kernel.shapes.find(key);
    if (found != kernel.shapes.end()) {
      ++found->second.count;
      return;
    }
    const Bytes bytes = total(kept);
    if (!room_for(kernel, bytes)) {
      ++kernel.left_out;
      return;
    }
    Shape& shape = kernel.shapes[key];
    shape.count = 1;
    bytes_left_ -= bytes;
    const std::string folder = settings_.folder + "/" + file_name(kernel.name.name) + "." + place_ + ".i" +
                               std::to_string(++folders_);
    guard.unlock();
    const std::string failed = write_capture(settings_.folder, folder, kernel.name, launch, kept, memory);
    guard.lock();
    if (failed.empty()) {
      shape.folder = folder;
      return;
    }
    bytes_left_ += bytes;
    say_locked("a launch of " + kernel.name.name + " is not kept: " + failed);
  }

  // Each text once.
  void say(const std::string& text) {
    const std::lock_guard<std::mutex> guard(lock_);
    say_locked(text);
  }

  // Counts are known only at the end; a process that is killed leaves its launches with a weight of 1.
  void finish() {
    const std::lock_guard<std::mutex> guard(lock_);
    if (finished_ || process_ != ::getpid()) return;  // a forked child has nothing to add
    finished_ = true;
    Bytes kept = 0;
    for (const auto& one : kernels_) {
      const Kernel& kernel = one.second;
      Bytes left_out = kernel.left_out;
      for (const auto& shape : kernel.shapes)
        (write_count(shape.second) ? kept : left_out) += shape.second.folder.empty() ? shape.second.count : 1;
      if (left_out > 0)
        std::fprintf(stderr, "noctune capture: %llu launches of %s were not kept\n", left_out,
                     kernel.name.name.c_str());
    }
    if (kept == 0)
      std::fprintf(stderr, "noctune capture: nothing was captured (%zu different kernels were launched)\n",
                   kernels_.size());
  }

 private:
  struct Shape {
    Bytes count = 0;
    std::string folder;  // empty: not kept, or not yet
  };
  struct Kernel {
    KernelName name;
    bool wanted = false;
    Bytes seen = 0, left_out = 0;
    std::map<std::string, Shape> shapes;
  };
  Kernel& kernel_of(const std::string& symbol) {
    const auto found = kernels_.find(symbol);
    if (found != kernels_.end()) return found->second;
    Kernel& made = kernels_[symbol];
    made.name = kernel_name(symbol);
    made.wanted = !settings_.folder.empty() && selects(settings_.patterns, made.name);
    return made;
  }

  std::vector<Kept> look(const KernelName& kernel, const Launch& launch, Memory& memory) {
    const std::vector<std::string>& declared = kernel.declared;
    const bool typed = kernel.knows_types && declared.size() == launch.arguments.size();
    std::vector<Kept> out;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const std::string& bytes = launch.arguments[i].bytes;
      Kept one;
      if (typed) one.declared = declared[i];
      if (bytes.size() == 8 && (!typed || is_pointer(declared[i]))) {
        one.address = word_of(bytes);
        one.buffer = one.address != 0 && memory.rest(one.address, one.bytes);
      }
      if (typed && is_pointer(declared[i]) && !one.buffer && word_of(bytes) != 0)
        say_argument(kernel, i, "points to no memory that CUDA knows; it is kept without contents");
      if (bytes.size() > 8 && holds_pointers(bytes, memory))
        say_argument(kernel, i, "is a struct with device pointers; what they point to is not captured");
      out.push_back(std::move(one));
    }
    return out;
  }
  static bool holds_pointers(const std::string& bytes, Memory& memory) {
    Bytes rest = 0;
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8)
      if (const Bytes word = word_of(bytes.substr(at, 8)))
        if (memory.rest(word, rest)) return true;
    return false;
  }
  void say_argument(const KernelName& kernel, std::size_t index, const std::string& what) {
    say("argument " + std::to_string(index + 1) + " of " + kernel.name + " " + what);
  }
  void say_locked(const std::string& text) {
    if (said_.insert(text).second) std::fprintf(stderr, "noctune capture: %s\n", text.c_str());
  }

  static Bytes total(const std::vector<Kept>& kept) {
    Bytes out = 0;
    for (const Kept& one : kept) out += one.buffer ? one.bytes : 0;
    return out;
  }

  // Numbers of unknown type count too; structs and what is known to be floating do not.
  static std::string shape_of(const Launch& launch, const std::vector<Kept>& kept) {
    std::string out = triple(launch.grid) + "/" + triple(launch.block) + "/" + std::to_string(launch.shared);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      out += "/";
      if (kept[i].buffer)
        out += "b" + std::to_string(kept[i].bytes);
      else if (launch.arguments[i].bytes.size() <= 8 && !is_floating(kept[i].declared))
        out += hexadecimal(launch.arguments[i].bytes);
    }
    return out;
  }

  bool room_for(const Kernel& kernel, Bytes bytes) {
    if (kernel.shapes.size() >= settings_.shapes) {
      say_locked(kernel.name.name +
                 " has more shapes than NOCTUNE_CAPTURE_SHAPES=" + std::to_string(settings_.shapes));
      return false;
    }
    const bool small = bytes <= settings_.launch_bytes;
    if (small && bytes <= bytes_left_) return true;
    say_locked("a launch of " + kernel.name.name + " needs " + std::to_string(bytes) + " bytes, more than " +
               (small ? "NOCTUNE_CAPTURE_MB has left" : "NOCTUNE_CAPTURE_LAUNCH_MB allows"));
    return false;
  }

  // False for a shape that was not kept.
  static bool write_count(const Shape& shape) {
    if (shape.folder.empty()) return false;
    std::FILE* file = std::fopen((shape.folder + "/count").c_str(), "w");
    if (!file) return true;
    std::fprintf(file, "%llu\n", shape.count);
    std::fclose(file);
    return true;
  }

  const Settings settings_;
  std::mutex lock_;
  std::string place_;
  ::pid_t process_ = 0;
  bool finished_ = false;
  Bytes bytes_left_ = 0, folders_ = 0;
  std::map<std::string, Kernel> kernels_;  // by symbol; entries stay where they are
  std::set<std::string> said_;
};

}  // namespace noctune_inject

#endif
