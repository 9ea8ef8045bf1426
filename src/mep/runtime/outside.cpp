#include "outside.hpp"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <deque>

#include "buffer.hpp"
#include "entry.hpp"

namespace noctune {
namespace {

std::size_t part_named(const JointSet& set, const std::string& name) {
  std::size_t index = 0;
  while (index + 1 < set.parts.size() && set.parts[index].name != name) ++index;
  return index;
}

// Maps each file once; pages come as they are read.
class FileMaker final : public JointMaker {
 public:
  FileMaker(const JointSet& set, Report& report) : set_(set) {
    for (const JointPart& part : set.parts) maps_.push_back(open_part(part, report));
  }
  FileMaker(const FileMaker&) = delete;
  ~FileMaker() override {
    for (std::size_t i = 0; i < maps_.size(); ++i)
      if (maps_[i]) munmap(maps_[i], set_.parts[i].bytes);
  }

  void block(const JointRequest&, std::uint64_t, std::size_t, double*) const override {}
  const char* bytes(const JointRequest& wanted) const override {
    return static_cast<const char*>(maps_[part_named(set_, wanted.part)]);
  }

 private:
  static void* open_part(const JointPart& part, Report& report) {
    if (part.bytes == 0) return nullptr;
    const int fd = open(part.file.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts {};
    if (fd < 0 || fstat(fd, &facts) != 0)
      report.refuse(Fault::driver, part.file + " cannot be read: " + strerror(errno));
    if (static_cast<std::uint64_t>(facts.st_size) < part.bytes)
      report.refuse(Fault::driver, part.file + " holds " + std::to_string(facts.st_size) +
                                       " bytes, fewer than the " + std::to_string(part.bytes) + " that " +
                                       part.name + " needs");
    void* map = mmap(nullptr, part.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED) report.refuse(Fault::driver, part.file + " cannot be mapped: " + strerror(errno));
    close(fd);
    return map;
  }

  const JointSet& set_;
  std::vector<void*> maps_;
};

// All parts of a set are made by one call, and kept until another seed is asked for.
class CodeMaker final : public JointMaker {
 public:
  CodeMaker(const JointSet& set, std::size_t index, Report& report)
      : set_(set), index_(index), report_(report), sizes_(set.words.begin(), set.words.end()) {
    for (const JointPart& part : set.parts) {
      buffers_.emplace_back();
      if (!buffers_.back().allocate(part.bytes, 0))
        report.refuse(Fault::driver,
                      "no memory for " + part.name + ": " + std::to_string(part.bytes) + " bytes");
    }
  }

  void block(const JointRequest&, std::uint64_t, std::size_t, double*) const override {}
  bool varies(const std::string&) const override { return true; }
  const char* bytes(const JointRequest& wanted) const override {
    if (!made_ || wanted.values != seed_) make(wanted.values);
    return buffers_[part_named(set_, wanted.part)].data();
  }

 private:
  void make(std::uint64_t seed) const {
    std::vector<void*> parts;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      memset(buffers_[i].data(), 0, buffers_[i].size());
      parts.push_back(buffers_[i].data());
    }
    make_inputs(index_, sizes_.data(), seed, parts.data());
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (const std::string damage = buffers_[i].damage(); !damage.empty())
        report_.refuse(Fault::driver,
                       "inputs.cpp writes outside of the part " + set_.parts[i].name + ": " + damage);
    made_ = true;
    seed_ = seed;
  }

  const JointSet& set_;
  std::size_t index_;
  Report& report_;
  std::vector<long long> sizes_;
  std::deque<GuardedBuffer> buffers_;
  mutable bool made_ = false;
  mutable std::uint64_t seed_ = 0;
};

}  // namespace

std::unique_ptr<JointMaker> make_outside(const JointSet& set, std::size_t index, Report& report) {
  if (set.generator == "file") return std::make_unique<FileMaker>(set, report);
  if (set.generator == "code") return std::make_unique<CodeMaker>(set, index, report);
  return nullptr;
}

}  // namespace noctune
