// HDF5 behind handles that close themselves; every call is checked and one lock serialises the library.
// Tables are extendable, chunked, compressed one-dimensional sets of packed compound records.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace noctune {

enum class Hdf5Kind { int32, int64, float64, text, enumeration };

struct Hdf5Member {
  std::string name;
  Hdf5Kind kind = Hdf5Kind::int64;
  std::size_t width = 0;                                // text: bytes, zero padded
  std::vector<std::pair<std::string, int>> names = {};  // enumeration: stored in one signed byte

  std::size_t size() const;
};

// A library handle. `close` reports what the destructor has to swallow.
class Hdf5Handle {
 public:
  using Closer = int (*)(long);
  Hdf5Handle() = default;
  Hdf5Handle(long id, Closer closer) : id_(id), closer_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept;
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() { close(); }

  long get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  bool close();

 private:
  long id_ = -1;
  Closer closer_ = nullptr;
};

// Columns of a table as plain vectors; enumerations come as their names.
class Hdf5Columns {
 public:
  std::size_t rows() const { return rows_; }
  const std::vector<long long>& integers(const std::string& name) const { return integers_.at(name); }
  const std::vector<double>& numbers(const std::string& name) const { return numbers_.at(name); }
  const std::vector<std::string>& texts(const std::string& name) const { return texts_.at(name); }
  // Whether the column was read and is of this kind: enumerations are texts, 32-bit integers are integers.
  bool has(const std::string& name, Hdf5Kind kind) const;
  // A column that the table does not have: NaN, -1, empty or "none" in every row.
  void set_unknown(const std::string& name, Hdf5Kind kind);

 private:
  friend class Hdf5Table;
  std::size_t rows_ = 0;
  std::map<std::string, std::vector<long long>> integers_;
  std::map<std::string, std::vector<double>> numbers_;
  std::map<std::string, std::vector<std::string>> texts_;
};

class Hdf5Table {
 public:
  // Records as packed by the members' sizes, in order, without gaps.
  Result<void> append(const char* records, std::size_t count);
  Result<long long> rows() const;
  std::vector<std::string> column_names() const;
  // At most `count` records from `first` on; all of them by default.
  Result<Hdf5Columns> read(const std::vector<std::string>& columns, long long first = 0,
                           long long count = std::numeric_limits<long long>::max()) const;
  // Plain byte arrays only.
  Result<std::string> read_bytes(long long first, long long count) const;
  Result<void> close();

 private:
  friend class Hdf5File;
  Hdf5Table(std::string name, Hdf5Handle set, Hdf5Handle type);
  std::string name_;
  Hdf5Handle set_, type_;
  long long rows_ = 0;
};

class Hdf5File {
 public:
  static Result<Hdf5File> create(const std::filesystem::path& path);
  static Result<Hdf5File> open(const std::filesystem::path& path);  // to read

  // chunk_rows: records compressed together. An empty member list makes an array of bytes.
  Result<Hdf5Table> create_table(const std::string& name, const std::vector<Hdf5Member>& members,
                                 std::size_t chunk_rows);
  Result<Hdf5Table> open_table(const std::string& name) const;
  bool has(const std::string& name) const;
  // Attributes of an object ("/" for the root); text as fixed-length UTF-8.
  Result<void> set_attribute(const std::string& object, const std::string& name, const std::string& value);
  Result<void> set_attribute(const std::string& object, const std::string& name, long long value);
  Result<std::string> text_attribute(const std::string& object, const std::string& name) const;
  Result<long long> integer_attribute(const std::string& object, const std::string& name) const;
  Result<void> close();

 private:
  Hdf5File(std::filesystem::path path, Hdf5Handle file);
  std::filesystem::path path_;
  Hdf5Handle file_;
};

// Whether the file starts like HDF5; false also when it cannot be read.
bool is_hdf5(const std::filesystem::path& path);
// "1.10.8", of the library at run time.
std::string hdf5_version();

}  // namespace noctune
