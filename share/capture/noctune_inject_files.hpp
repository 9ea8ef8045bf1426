// The folder of one captured launch, as noctune_capture.hpp leaves it, in version 2 (docs/capture.md).
#ifndef NOCTUNE_INJECT_FILES_HPP
#define NOCTUNE_INJECT_FILES_HPP

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "noctune_inject_names.hpp"

namespace noctune_inject {

using Bytes = unsigned long long;

struct Argument {
  std::size_t offset = 0;  // in the kernel's parameter space
  std::string bytes;       // as passed
};

struct Launch {
  std::string symbol;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  Bytes shared = 0;  // dynamic
  std::vector<Argument> arguments;
};

// The device's memory, as the thread that launches may reach it.
class Memory {
 public:
  virtual ~Memory() = default;
  // From `address` to the end of the allocation it lies in; false where it is none of the device's.
  virtual bool rest(Bytes address, Bytes& bytes) = 0;
  // After everything that the launch would wait for. The reason where it cannot be read, else empty.
  virtual std::string fetch(char* to, Bytes from, std::size_t bytes) = 0;
};

inline std::uint64_t word_of(const std::string& bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 8; ++i)
    out |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return out;
}
inline std::string hexadecimal(const std::string& bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string out = "0x";
  for (const char c : bytes) {
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}
inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e ? ' ' : c;
  }
  return out + "\"";
}
inline std::string triple(const unsigned (&of)[3]) {
  return std::to_string(of[0]) + "," + std::to_string(of[1]) + "," + std::to_string(of[2]);
}

// What becomes of an argument.
struct Kept {
  bool buffer = false;
  Bytes address = 0, bytes = 0;
  std::string declared;
};

// ---- files

inline std::string buffer_path(const std::string& folder, std::size_t index) {
  return folder + "/" + std::to_string(index) + ".bin";
}
inline void discard(const std::string& folder, std::size_t buffers) {
  for (std::size_t i = 0; i < buffers; ++i) std::remove(buffer_path(folder, i).c_str());
  std::remove((folder + "/launch.json").c_str());
  ::rmdir(folder.c_str());
}

inline std::string write_buffer(const std::string& path, const Kept& kept, Memory& memory) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return "cannot write " + path;
  const Bytes most = 32 << 20;
  std::vector<char> part(static_cast<std::size_t>(std::min(most, kept.bytes)));
  std::string failed;
  for (Bytes done = 0; done < kept.bytes && failed.empty(); done += part.size()) {
    const std::size_t now = static_cast<std::size_t>(std::min<Bytes>(part.size(), kept.bytes - done));
    failed = memory.fetch(part.data(), kept.address + done, now);
    if (failed.empty() && std::fwrite(part.data(), 1, now, file) != now) failed = "cannot write " + path;
  }
  if (std::fclose(file) != 0 && failed.empty()) failed = "cannot write " + path;
  return failed;
}
inline bool write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written;
}

inline std::string argument_text(std::size_t index, const Argument& argument, const Kept& kept) {
  std::string out =
      "{\"name\": \"\", \"type\": \"bytes:" + std::to_string(kept.buffer ? 1 : argument.bytes.size()) +
      "\", \"role\": \"" + (kept.buffer ? "inout" : "value") + "\"";
  if (kept.buffer)
    out += ", \"count\": " + std::to_string(kept.bytes) + ", \"file\": \"" + std::to_string(index) + ".bin\"";
  else
    out += ", \"value\": " + quoted(hexadecimal(argument.bytes));
  return out + ", \"offset\": " + std::to_string(argument.offset) +
         ", \"declared\": " + quoted(kept.declared) + "}";
}

inline std::string description(const KernelName& name, const Launch& launch, const std::vector<Kept>& kept) {
  std::string out = "{\"capture_version\": 2, \"kernel\": " + quoted(name.name) +
                    ", \"backend\": \"cuda\", \"grid\": \"" + triple(launch.grid) + "\", \"block\": \"" +
                    triple(launch.block) + "\", \"shared\": " + std::to_string(launch.shared) +
                    ",\n \"symbol\": " + quoted(name.symbol) + ", \"signature\": " + quoted(name.signature) +
                    ",\n \"arguments\": [";
  for (std::size_t i = 0; i < kept.size(); ++i)
    out += (i ? ",\n  " : "\n  ") + argument_text(i, launch.arguments[i], kept[i]);
  return out + "]}\n";
}

// Into a folder of another name first, so that whoever packs sees whole captures only. The reason, or
// empty.
inline std::string write_capture(const std::string& all, const std::string& folder, const KernelName& name,
                                 const Launch& launch, const std::vector<Kept>& kept, Memory& memory) {
  ::mkdir(all.c_str(), 0777);
  const std::string partial = folder + ".partial";
  if (::mkdir(partial.c_str(), 0777) != 0) return "cannot make " + partial;
  std::string failed;
  for (std::size_t i = 0; i < kept.size() && failed.empty(); ++i)
    if (kept[i].buffer) failed = write_buffer(buffer_path(partial, i), kept[i], memory);
  if (failed.empty() && !write_file(partial + "/launch.json", description(name, launch, kept)))
    failed = "cannot write " + partial + "/launch.json";
  if (failed.empty() && std::rename(partial.c_str(), folder.c_str()) != 0)
    failed = "cannot rename " + partial;
  if (!failed.empty()) discard(partial, kept.size());
  return failed;
}

}  // namespace noctune_inject

#endif
