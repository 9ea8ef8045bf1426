// Records real launches of a kernel in your application, so that Noctune can tune it on the data it meets
// there. One header, C++11 or later, nothing to link; the same for CUDA, HIP and OpenMP or plain C++.
//
//   #include "noctune_capture.hpp"
//   ...
//   NOCTUNE_CAPTURE("smooth", NOCTUNE_GRID(grid, block, shared), NOCTUNE_VALUE(n), NOCTUNE_VALUE(a),
//                   NOCTUNE_IN(x, n), NOCTUNE_INOUT(y, n), NOCTUNE_OUT(r, 1));
//   smooth<<<grid, block, shared>>>(n, a, x, y, r);
//
// Put it directly before the launch (or the call: NOCTUNE_NO_GRID there), name the arguments in the kernel's
// order. Counts are elements. IN and INOUT buffers are copied, OUT buffers only counted. Nothing happens
// unless the environment says so:
//
//   NOCTUNE_CAPTURE_DIR=DIR       where captures go, one folder a launch; without it nothing is recorded
//   NOCTUNE_CAPTURE_KERNELS=a,b   only these (all)
//   NOCTUNE_CAPTURE_SKIP=N        passes over the first N launches of each kernel (0)
//   NOCTUNE_CAPTURE_SHAPES=N      different shapes kept per kernel and process (8)
//   NOCTUNE_CAPTURE_MB=M          all that one process writes, in 10^6 bytes (1024)
//
// A shape is a grid, the whole numbers passed and the buffers' sizes. The first launch of each shape is kept
// whole, later ones are counted; the counts become the weights of the cases. `noctune capture DIR -o F.h5`
// packs a folder.
#ifndef NOCTUNE_CAPTURE_HPP
#define NOCTUNE_CAPTURE_HPP

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#if defined(__HIPCC__) || defined(__HIP__)
#include <hip/hip_runtime.h>
#define NOCTUNE_CAPTURE_BACKEND "hip"
#elif defined(__CUDACC__)
#include <cuda_runtime.h>
#define NOCTUNE_CAPTURE_BACKEND "cuda"
#else
#define NOCTUNE_CAPTURE_BACKEND "openmp"
#endif

namespace noctune_capture {

struct Argument {
  std::string name, type, role;  // role: value, in, inout, out
  std::string value;             // by value
  bool whole = false;            // a by-value whole number: part of the shape
  const void* data = nullptr;
  unsigned long long count = 0, size = 0;  // elements, bytes of one
};

struct Grid {
  std::string grid, block;  // "8,4,1"; empty where nothing is launched
  unsigned long long shared = 0;
};

// ---- names of types; what has none here is a number of bytes ("bytes:24")

template <class T, class Enable = void>
struct TypeName {
  static std::string text() { return "bytes:" + std::to_string(sizeof(T)); }
};
template <class T>
struct TypeName<T, typename std::enable_if<std::is_integral<T>::value>::type> {
  static std::string text() {
    if (std::is_same<T, bool>::value) return "bool";
    return std::string(std::is_signed<T>::value ? "int" : "uint") + std::to_string(8 * sizeof(T)) + "_t";
  }
};
template <class T>
struct TypeName<T, typename std::enable_if<std::is_enum<T>::value>::type> {
  static std::string text() { return "int" + std::to_string(8 * sizeof(T)) + "_t"; }
};
template <>
struct TypeName<float> {
  static std::string text() { return "float"; }
};
template <>
struct TypeName<double> {
  static std::string text() { return "double"; }
};

template <class T>
typename std::enable_if<std::is_integral<T>::value || std::is_enum<T>::value, std::string>::type value_text(
    T value) {
  return std::is_signed<T>::value ? std::to_string(static_cast<long long>(value))
                                  : std::to_string(static_cast<unsigned long long>(value));
}
template <class T>
typename std::enable_if<std::is_floating_point<T>::value, std::string>::type value_text(T value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
  return text;
}
// A struct: its bytes in hexadecimal.
template <class T>
typename std::enable_if<!std::is_integral<T>::value && !std::is_enum<T>::value &&
                            !std::is_floating_point<T>::value,
                        std::string>::type
value_text(const T& value) {
  static const char digits[] = "0123456789abcdef";
  std::string out = "0x";
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&value);
  for (std::size_t i = 0; i < sizeof value; ++i) {
    out += digits[bytes[i] >> 4];
    out += digits[bytes[i] & 15];
  }
  return out;
}

template <class T>
Argument value(const char* name, const T& value) {
  Argument out;
  out.name = name;
  out.type = TypeName<T>::text();
  out.role = "value";
  out.value = value_text(value);
  out.whole = std::is_integral<T>::value || std::is_enum<T>::value;
  return out;
}
template <class T>
Argument buffer(const char* name, const char* role, const T* data, unsigned long long count) {
  Argument out;
  out.name = name;
  out.type = TypeName<typename std::remove_cv<T>::type>::text();
  out.role = role;
  out.data = data;
  out.count = count;
  out.size = sizeof(T);
  return out;
}

inline Grid no_grid() {
  return Grid();
}
#if defined(__HIPCC__) || defined(__HIP__) || defined(__CUDACC__)
inline std::string dim_text(dim3 d) {
  return std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z);
}
inline Grid make_grid(dim3 grid, dim3 block, unsigned long long shared = 0) {
  Grid out;
  out.grid = dim_text(grid);
  out.block = dim_text(block);
  out.shared = shared;
  return out;
}
#endif

// Host memory, or the device's once everything before the launch has ended. False when it cannot be read.
inline bool fetch(void* to, const void* from, std::size_t bytes) {
#if defined(__HIPCC__) || defined(__HIP__)
  return hipDeviceSynchronize() == hipSuccess && hipMemcpy(to, from, bytes, hipMemcpyDefault) == hipSuccess;
#elif defined(__CUDACC__)
  return cudaDeviceSynchronize() == cudaSuccess &&
         cudaMemcpy(to, from, bytes, cudaMemcpyDefault) == cudaSuccess;
#else
  std::memcpy(to, from, bytes);
  return true;
#endif
}

inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

class Recorder {
 public:
  static Recorder& instance() {
    static Recorder one;
    return one;
  }
  bool on() const { return !folder_.empty(); }

  void launch(const char* kernel, const Grid& grid, const std::vector<Argument>& arguments) {
    const std::lock_guard<std::mutex> guard(lock_);
    if (!wanted(kernel)) return;
    Kernel& known = kernels_[kernel];
    if (known.seen++ < skip_) return;
    const std::string shape = shape_of(grid, arguments);
    const std::map<std::string, Shape>::iterator found = known.shapes.find(shape);
    if (found != known.shapes.end()) {
      ++found->second.count;
      return;
    }
    if (known.shapes.size() >= shapes_) {
      ++known.left_out;
      return;
    }
    Shape& kept = known.shapes[shape];
    kept.count = 1;
    kept.folder = write(kernel, grid, arguments, known.shapes.size());
    if (kept.folder.empty()) ++known.left_out;
  }

 private:
  struct Shape {
    unsigned long long count = 0;
    std::string folder;  // empty: it could not be kept
  };
  struct Kernel {
    unsigned long long seen = 0, left_out = 0;
    std::map<std::string, Shape> shapes;
  };

  Recorder() {
    const char* folder = std::getenv("NOCTUNE_CAPTURE_DIR");
    if (folder) folder_ = folder;
    const char* only = std::getenv("NOCTUNE_CAPTURE_KERNELS");
    if (only) only_ = "," + std::string(only) + ",";
    skip_ = number("NOCTUNE_CAPTURE_SKIP", 0);
    shapes_ = number("NOCTUNE_CAPTURE_SHAPES", 8);
    bytes_left_ = number("NOCTUNE_CAPTURE_MB", 1024) * 1000000ULL;
    if (on()) ::mkdir(folder_.c_str(), 0777);
    char host[256] = "";
    ::gethostname(host, sizeof host - 1);
    place_ = std::string(host) + "." + std::to_string(static_cast<long long>(::getpid()));
  }
  // Counts are known only now; a process that is killed leaves its launches with a weight of 1.
  ~Recorder() {
    for (std::map<std::string, Kernel>::iterator k = kernels_.begin(); k != kernels_.end(); ++k) {
      if (k->second.left_out > 0)
        std::fprintf(stderr,
                     "noctune capture: %llu launches of %s were not kept (NOCTUNE_CAPTURE_SHAPES, "
                     "NOCTUNE_CAPTURE_MB)\n",
                     k->second.left_out, k->first.c_str());
      for (std::map<std::string, Shape>::iterator s = k->second.shapes.begin(); s != k->second.shapes.end();
           ++s) {
        if (s->second.folder.empty()) continue;
        std::FILE* file = std::fopen((s->second.folder + "/count").c_str(), "w");
        if (!file) continue;
        std::fprintf(file, "%llu\n", s->second.count);
        std::fclose(file);
      }
    }
  }
  Recorder(const Recorder&);
  Recorder& operator=(const Recorder&);

  static unsigned long long number(const char* name, unsigned long long fallback) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : fallback;
  }
  bool wanted(const char* kernel) const {
    return on() && (only_.empty() || only_.find("," + std::string(kernel) + ",") != std::string::npos);
  }

  static std::string shape_of(const Grid& grid, const std::vector<Argument>& arguments) {
    std::string out = grid.grid + "/" + grid.block + "/" + std::to_string(grid.shared);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      out += "/" + (arguments[i].whole ? arguments[i].value : std::to_string(arguments[i].count));
    return out;
  }

  // Into a folder of another name first, so that whoever packs sees whole captures only.
  std::string write(const char* kernel, const Grid& grid, const std::vector<Argument>& arguments,
                    std::size_t number) {
    unsigned long long bytes = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].role == "in" || arguments[i].role == "inout")
        bytes += arguments[i].count * arguments[i].size;
    if (bytes > bytes_left_) return std::string();
    const std::string name = folder_ + "/" + kernel + "." + place_ + "." + std::to_string(number);
    const std::string partial = name + ".partial";
    if (::mkdir(partial.c_str(), 0777) != 0 || !write_into(partial, kernel, grid, arguments) ||
        std::rename(partial.c_str(), name.c_str()) != 0) {
      std::fprintf(stderr, "noctune capture: cannot write %s; this launch of %s is not kept\n",
                   partial.c_str(), kernel);
      return std::string();
    }
    bytes_left_ -= bytes;
    return name;
  }

  static bool write_into(const std::string& folder, const char* kernel, const Grid& grid,
                         const std::vector<Argument>& arguments) {
    std::string text = "{\"capture_version\": 1, \"kernel\": " + quoted(kernel) + ", \"backend\": \"" +
                       NOCTUNE_CAPTURE_BACKEND + "\", \"grid\": \"" + grid.grid + "\", \"block\": \"" +
                       grid.block + "\", \"shared\": " + std::to_string(grid.shared) + ",\n \"arguments\": [";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Argument& a = arguments[i];
      const bool kept = a.role == "in" || a.role == "inout";
      const std::string file = std::to_string(i) + ".bin";
      if (kept && !write_buffer(folder + "/" + file, a)) return false;
      text += std::string(i ? "," : "") + "\n  {\"name\": " + quoted(a.name) +
              ", \"type\": " + quoted(a.type) + ", \"role\": \"" + a.role + "\"";
      if (a.role == "value") {
        text += ", \"value\": " + quoted(a.value);
      } else {
        text += ", \"count\": " + std::to_string(a.count);
      }
      text += (kept ? ", \"file\": \"" + file + "\"" : std::string()) + "}";
    }
    return write_file(folder + "/launch.json", (text + "]}\n").data(), text.size() + 3);
  }
  static bool write_buffer(const std::string& path, const Argument& argument) {
    const std::size_t bytes = static_cast<std::size_t>(argument.count * argument.size);
    std::vector<char> copy(bytes);
    if (bytes > 0 && !fetch(copy.data(), argument.data, bytes)) return false;
    return write_file(path, copy.data(), bytes);
  }
  static bool write_file(const std::string& path, const char* data, std::size_t bytes) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) return false;
    const bool written = bytes == 0 || std::fwrite(data, 1, bytes, file) == bytes;
    return std::fclose(file) == 0 && written;
  }

  std::string folder_, only_, place_;
  unsigned long long skip_ = 0, shapes_ = 8, bytes_left_ = 0;
  std::mutex lock_;
  std::map<std::string, Kernel> kernels_;
};

}  // namespace noctune_capture

#define NOCTUNE_VALUE(name) noctune_capture::value(#name, name)
#define NOCTUNE_IN(name, count) noctune_capture::buffer(#name, "in", name, count)
#define NOCTUNE_INOUT(name, count) noctune_capture::buffer(#name, "inout", name, count)
#define NOCTUNE_OUT(name, count) noctune_capture::buffer(#name, "out", name, count)
// Where what is passed is no plain name: NOCTUNE_IN_AS("x", atoms.x.data(), n).
#define NOCTUNE_VALUE_AS(name, expression) noctune_capture::value(name, expression)
#define NOCTUNE_IN_AS(name, pointer, count) noctune_capture::buffer(name, "in", pointer, count)
#define NOCTUNE_INOUT_AS(name, pointer, count) noctune_capture::buffer(name, "inout", pointer, count)
#define NOCTUNE_OUT_AS(name, pointer, count) noctune_capture::buffer(name, "out", pointer, count)
#define NOCTUNE_GRID(...) noctune_capture::make_grid(__VA_ARGS__)
#define NOCTUNE_NO_GRID noctune_capture::no_grid()
#define NOCTUNE_CAPTURE(kernel, grid, ...)                                                               \
  do {                                                                                                   \
    if (noctune_capture::Recorder::instance().on())                                                      \
      noctune_capture::Recorder::instance().launch(kernel, grid,                                         \
                                                   std::vector<noctune_capture::Argument>{__VA_ARGS__}); \
  } while (0)

#endif
