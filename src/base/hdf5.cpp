#include "base/hdf5.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <type_traits>

// Three habits keep a bad disk from becoming a bad file: every call is checked, the library does no work at exit
// (a failed flush makes it loop there), and files are never locked, for they are private until renamed.

namespace noctune {
namespace {

static_assert(std::is_same_v<hid_t, long>, "Hdf5Handle keeps identifiers as long");

constexpr std::size_t read_block = 65536;  // records

// Serialises the library, which need not be thread-safe, and keeps it from printing its error stack.
class Library {
 public:
  Library() : lock_(mutex()) {
    static const bool started = [] {
      H5dont_atexit();
      return H5open() >= 0;
    }();
    (void)started;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex one;
    return one;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* out) {
  if (error->desc) *static_cast<std::string*>(out) = error->desc;
  return 0;
}

// The innermost message of the library's error stack: it holds errno's text where a system call failed.
std::string library_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &reason);
  H5Eclear2(H5E_DEFAULT);
  return "HDF5: " + (reason.empty() ? "no reason given" : reason);
}

Failure failed(const std::string& problem) { return fail(problem, library_reason()); }

Hdf5Handle file_handle(hid_t id) { return {id, H5Fclose}; }
Hdf5Handle type_handle(hid_t id) { return {id, H5Tclose}; }
Hdf5Handle space_handle(hid_t id) { return {id, H5Sclose}; }
Hdf5Handle set_handle(hid_t id) { return {id, H5Dclose}; }
Hdf5Handle list_handle(hid_t id) { return {id, H5Pclose}; }
Hdf5Handle attribute_handle(hid_t id) { return {id, H5Aclose}; }
Hdf5Handle object_handle(hid_t id) { return {id, H5Oclose}; }

Hdf5Handle access_list() {
  Hdf5Handle list = list_handle(H5Pcreate(H5P_FILE_ACCESS));
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 11, 0))
  if (list) H5Pset_file_locking(list.get(), false, true);
#endif
  return list;
}

Hdf5Handle text_type(std::size_t width) {
  Hdf5Handle type = type_handle(H5Tcopy(H5T_C_S1));
  if (type && (H5Tset_size(type.get(), std::max<std::size_t>(width, 1)) < 0 || H5Tset_cset(type.get(), H5T_CSET_UTF8) < 0 ||
               H5Tset_strpad(type.get(), H5T_STR_NULLPAD) < 0))
    return {};
  return type;
}

Hdf5Handle enumeration_type(const Hdf5Member& member) {
  Hdf5Handle type = type_handle(H5Tenum_create(H5T_STD_I8LE));
  for (const auto& [name, number] : member.names) {
    const auto value = static_cast<signed char>(number);
    if (type && H5Tenum_insert(type.get(), name.c_str(), &value) < 0) return {};
  }
  return type;
}

Hdf5Handle member_type(const Hdf5Member& member) {
  switch (member.kind) {
    case Hdf5Kind::int32: return type_handle(H5Tcopy(H5T_STD_I32LE));
    case Hdf5Kind::int64: return type_handle(H5Tcopy(H5T_STD_I64LE));
    case Hdf5Kind::float64: return type_handle(H5Tcopy(H5T_IEEE_F64LE));
    case Hdf5Kind::text: return text_type(member.width);
    case Hdf5Kind::enumeration: return enumeration_type(member);
  }
  return {};
}

Hdf5Handle record_type(const std::vector<Hdf5Member>& members) {
  if (members.empty()) return type_handle(H5Tcopy(H5T_STD_U8LE));
  std::size_t size = 0;
  for (const Hdf5Member& member : members) size += member.size();
  Hdf5Handle type = type_handle(H5Tcreate(H5T_COMPOUND, size));
  std::size_t offset = 0;
  for (const Hdf5Member& member : members) {
    const Hdf5Handle part = member_type(member);
    if (!part || !type || H5Tinsert(type.get(), member.name.c_str(), offset, part.get()) < 0) return {};
    offset += member.size();
  }
  return type;
}

// How one column of a stored table is read: integers and enumerations as 8 bytes, numbers as doubles.
struct ReadPlan {
  enum class As { integer, number, text, name } as = As::integer;
  std::string column;
  std::size_t offset = 0, size = 8;
  std::map<long long, std::string> names;
};

std::map<long long, std::string> enumeration_names(hid_t type) {
  std::map<long long, std::string> out;
  const int count = H5Tget_nmembers(type);
  for (int i = 0; i < count; ++i) {
    long long value[2] = {0, 0};  // room for any base type while converting in place
    if (H5Tget_member_value(type, static_cast<unsigned>(i), value) < 0) continue;
    const Hdf5Handle base = type_handle(H5Tget_super(type));
    if (!base || H5Tconvert(base.get(), H5T_NATIVE_LLONG, 1, value, nullptr, H5P_DEFAULT) < 0) continue;
    char* name = H5Tget_member_name(type, static_cast<unsigned>(i));
    if (name) out[value[0]] = name;
    H5free_memory(name);
  }
  return out;
}

// The plan for one member, and the type it has in memory.
Hdf5Handle plan_member(hid_t stored, ReadPlan& plan) {
  using As = ReadPlan::As;
  switch (H5Tget_class(stored)) {
    case H5T_INTEGER: plan.as = As::integer; return type_handle(H5Tcopy(H5T_NATIVE_LLONG));
    case H5T_FLOAT: plan.as = As::number; return type_handle(H5Tcopy(H5T_NATIVE_DOUBLE));
    case H5T_ENUM:
      plan.as = As::name;
      plan.names = enumeration_names(stored);
      plan.size = H5Tget_size(stored);
      return type_handle(H5Tcopy(stored));
    case H5T_STRING:
      plan.as = As::text;
      plan.size = H5Tget_size(stored);
      return H5Tis_variable_str(stored) ? Hdf5Handle() : type_handle(H5Tcopy(stored));
    default: return {};
  }
}

template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::string name_of(const ReadPlan& plan, const char* at) {
  const long long value = plan.size == 1   ? static_cast<signed char>(*at)
                          : plan.size == 4 ? load<int>(at)
                                           : load<long long>(at);
  const auto found = plan.names.find(value);
  return found == plan.names.end() ? std::to_string(value) : found->second;
}

}  // namespace

std::size_t Hdf5Member::size() const {
  switch (kind) {
    case Hdf5Kind::int32: return 4;
    case Hdf5Kind::int64:
    case Hdf5Kind::float64: return 8;
    case Hdf5Kind::text: return width;
    case Hdf5Kind::enumeration: return 1;
  }
  return 0;
}

Hdf5Handle::Hdf5Handle(Hdf5Handle&& other) noexcept
    : id_(std::exchange(other.id_, -1)), closer_(std::exchange(other.closer_, nullptr)) {}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(closer_, other.closer_);
  return *this;
}

bool Hdf5Handle::close() {
  if (id_ < 0 || !closer_) return true;
  const Library library;
  return closer_(std::exchange(id_, -1)) >= 0;
}

Hdf5Table::Hdf5Table(std::string name, Hdf5Handle set, Hdf5Handle type)
    : name_(std::move(name)), set_(std::move(set)), type_(std::move(type)) {}

Result<void> Hdf5Table::append(const char* records, std::size_t count) {
  if (count == 0) return {};
  const Library library;
  const std::string problem = "cannot append to the table " + name_;
  hsize_t start = static_cast<hsize_t>(rows_), length = count;
  const hsize_t total = start + length;
  if (H5Dset_extent(set_.get(), &total) < 0) return failed(problem);
  const Hdf5Handle stored = space_handle(H5Dget_space(set_.get()));
  const Hdf5Handle given = space_handle(H5Screate_simple(1, &length, nullptr));
  if (!stored || !given ||
      H5Sselect_hyperslab(stored.get(), H5S_SELECT_SET, &start, nullptr, &length, nullptr) < 0 ||
      H5Dwrite(set_.get(), type_.get(), given.get(), stored.get(), H5P_DEFAULT, records) < 0)
    return failed(problem);
  rows_ = static_cast<long long>(total);
  return {};
}

Result<long long> Hdf5Table::rows() const {
  const Library library;
  const Hdf5Handle space = space_handle(H5Dget_space(set_.get()));
  const hssize_t count = space ? H5Sget_simple_extent_npoints(space.get()) : -1;
  if (count < 0) return failed("cannot read the size of the table " + name_);
  return static_cast<long long>(count);
}

std::vector<std::string> Hdf5Table::column_names() const {
  const Library library;
  std::vector<std::string> out;
  const int count = H5Tget_class(type_.get()) == H5T_COMPOUND ? H5Tget_nmembers(type_.get()) : 0;
  for (int i = 0; i < count; ++i) {
    char* name = H5Tget_member_name(type_.get(), static_cast<unsigned>(i));
    if (name) out.emplace_back(name);
    H5free_memory(name);
  }
  return out;
}

namespace {

// The compound type that holds just these columns in memory, and where each lies in it.
Result<Hdf5Handle> plan_columns(hid_t stored, const std::string& table, const std::vector<std::string>& columns,
                                std::vector<ReadPlan>& plans) {
  std::vector<Hdf5Handle> types;
  std::size_t size = 0;
  for (const std::string& column : columns) {
    const int index = H5Tget_member_index(stored, column.c_str());
    const Hdf5Handle member =
        index < 0 ? Hdf5Handle() : type_handle(H5Tget_member_type(stored, static_cast<unsigned>(index)));
    if (!member) {
      H5Eclear2(H5E_DEFAULT);
      return fail("cannot read the table " + table, "it has no column " + column);
    }
    ReadPlan plan;
    plan.column = column;
    plan.offset = size;
    types.push_back(plan_member(member.get(), plan));
    if (!types.back()) return fail("cannot read the table " + table, "the column " + column + " has an unknown type");
    size += plan.size;
    plans.push_back(std::move(plan));
  }
  Hdf5Handle memory = type_handle(H5Tcreate(H5T_COMPOUND, std::max<std::size_t>(size, 1)));
  for (std::size_t i = 0; i < plans.size(); ++i)
    if (!memory || H5Tinsert(memory.get(), columns[i].c_str(), plans[i].offset, types[i].get()) < 0)
      return failed("cannot read the table " + table);
  return memory;
}

Result<void> read_part(hid_t set, hid_t memory, hsize_t first, hsize_t count, void* out, const std::string& table) {
  const Hdf5Handle stored = space_handle(H5Dget_space(set));
  const Hdf5Handle wanted = space_handle(H5Screate_simple(1, &count, nullptr));
  if (!stored || !wanted ||
      H5Sselect_hyperslab(stored.get(), H5S_SELECT_SET, &first, nullptr, &count, nullptr) < 0 ||
      H5Dread(set, memory, wanted.get(), stored.get(), H5P_DEFAULT, out) < 0)
    return failed("cannot read the table " + table);
  return {};
}

}  // namespace

Result<Hdf5Columns> Hdf5Table::read(const std::vector<std::string>& columns) const {
  const Library library;
  std::vector<ReadPlan> plans;
  const Result<Hdf5Handle> memory = plan_columns(type_.get(), name_, columns, plans);
  if (!memory) return Failure(memory.error());
  const Result<long long> total = rows();
  if (!total) return Failure(total.error());
  Hdf5Columns out;
  out.rows_ = static_cast<std::size_t>(*total);
  for (const ReadPlan& plan : plans) {
    if (plan.as == ReadPlan::As::integer) out.integers_[plan.column].reserve(out.rows_);
    if (plan.as == ReadPlan::As::number) out.numbers_[plan.column].reserve(out.rows_);
    if (plan.as == ReadPlan::As::text || plan.as == ReadPlan::As::name) out.texts_[plan.column].reserve(out.rows_);
  }
  const std::size_t width = H5Tget_size(memory->get());
  std::vector<char> block(std::min(out.rows_, read_block) * width);
  for (std::size_t first = 0; first < out.rows_; first += read_block) {
    const std::size_t count = std::min(read_block, out.rows_ - first);
    const Result<void> done = read_part(set_.get(), memory->get(), first, count, block.data(), name_);
    if (!done) return Failure(done.error());
    for (const ReadPlan& plan : plans) {
      const char* at = block.data() + plan.offset;
      for (std::size_t i = 0; i < count; ++i, at += width) {
        switch (plan.as) {
          case ReadPlan::As::integer: out.integers_[plan.column].push_back(load<long long>(at)); break;
          case ReadPlan::As::number: out.numbers_[plan.column].push_back(load<double>(at)); break;
          case ReadPlan::As::text: out.texts_[plan.column].emplace_back(at, ::strnlen(at, plan.size)); break;
          case ReadPlan::As::name: out.texts_[plan.column].push_back(name_of(plan, at)); break;
        }
      }
    }
  }
  return out;
}

Result<std::string> Hdf5Table::read_bytes(long long first, long long count) const {
  const Library library;
  const Result<long long> total = rows();
  if (!total) return Failure(total.error());
  if (first < 0 || count < 0 || first > *total || count > *total - first)
    return fail("cannot read " + name_, "the place lies outside the stored bytes");
  std::string out(static_cast<std::size_t>(count), '\0');
  if (count == 0) return out;
  const Result<void> done = read_part(set_.get(), H5T_NATIVE_UCHAR, static_cast<hsize_t>(first),
                                      static_cast<hsize_t>(count), out.data(), name_);
  if (!done) return Failure(done.error());
  return out;
}

Result<void> Hdf5Table::close() {
  const Library library;
  type_.close();
  if (!set_.close()) return failed("cannot close the table " + name_);
  return {};
}

Hdf5File::Hdf5File(std::filesystem::path path, Hdf5Handle file) : path_(std::move(path)), file_(std::move(file)) {}

Result<Hdf5File> Hdf5File::create(const std::filesystem::path& path) {
  const Library library;
  const Hdf5Handle access = access_list();
  Hdf5Handle file = file_handle(access ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()) : -1);
  if (!file) return failed("cannot create " + path.string());
  return Hdf5File(path, std::move(file));
}

Result<Hdf5File> Hdf5File::open(const std::filesystem::path& path) {
  const Library library;
  const Hdf5Handle access = access_list();
  Hdf5Handle file = file_handle(access ? H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()) : -1);
  if (!file) return failed("cannot open " + path.string());
  return Hdf5File(path, std::move(file));
}

Result<Hdf5Table> Hdf5File::create_table(const std::string& name, const std::vector<Hdf5Member>& members,
                                         std::size_t chunk_rows) {
  const Library library;
  const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = std::max<std::size_t>(chunk_rows, 1);
  Hdf5Handle type = record_type(members);
  const Hdf5Handle space = space_handle(H5Screate_simple(1, &none, &unlimited));
  const Hdf5Handle creation = list_handle(H5Pcreate(H5P_DATASET_CREATE));
  if (!type || !space || !creation || H5Pset_chunk(creation.get(), 1, &chunk) < 0 ||
      H5Pset_shuffle(creation.get()) < 0 || H5Pset_deflate(creation.get(), 1) < 0)
    return failed("cannot create the table " + name);
  Hdf5Handle set = set_handle(
      H5Dcreate2(file_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
  if (!set) return failed("cannot create the table " + name);
  return Hdf5Table(name, std::move(set), std::move(type));
}

Result<Hdf5Table> Hdf5File::open_table(const std::string& name) const {
  const Library library;
  Hdf5Handle set = set_handle(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT));
  if (!set) {
    H5Eclear2(H5E_DEFAULT);
    return fail("cannot read " + path_.string(), "it has no table " + name);
  }
  Hdf5Handle type = type_handle(H5Dget_type(set.get()));
  if (!type) return failed("cannot read the table " + name);
  Hdf5Table table(name, std::move(set), std::move(type));
  const Result<long long> rows = table.rows();
  if (!rows) return Failure(rows.error());
  table.rows_ = *rows;
  return table;
}

bool Hdf5File::has(const std::string& name) const {
  const Library library;
  return H5Lexists(file_.get(), name.c_str(), H5P_DEFAULT) > 0;
}

namespace {

Result<void> write_attribute(hid_t file, const std::string& object, const std::string& name, hid_t type,
                             const void* value) {
  const Hdf5Handle target = object_handle(H5Oopen(file, object.c_str(), H5P_DEFAULT));
  const Hdf5Handle space = space_handle(H5Screate(H5S_SCALAR));
  const Hdf5Handle attribute = attribute_handle(
      target && space ? H5Acreate2(target.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT) : -1);
  if (!attribute || H5Awrite(attribute.get(), type, value) < 0)
    return failed("cannot write the attribute " + name + " of " + object);
  return {};
}

Hdf5Handle open_attribute(hid_t file, const std::string& object, const std::string& name) {
  Hdf5Handle attribute =
      attribute_handle(H5Aopen_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  if (!attribute) H5Eclear2(H5E_DEFAULT);
  return attribute;
}

Failure no_attribute(const std::string& object, const std::string& name) {
  return fail("cannot read the attribute " + name + " of " + object, "it is absent or of another type");
}

}  // namespace

Result<void> Hdf5File::set_attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Library library;
  const Hdf5Handle type = text_type(value.size());
  if (!type) return failed("cannot write the attribute " + name + " of " + object);
  return write_attribute(file_.get(), object, name, type.get(), value.c_str());
}

Result<void> Hdf5File::set_attribute(const std::string& object, const std::string& name, long long value) {
  const Library library;
  return write_attribute(file_.get(), object, name, H5T_NATIVE_LLONG, &value);
}

Result<std::string> Hdf5File::text_attribute(const std::string& object, const std::string& name) const {
  const Library library;
  const Hdf5Handle attribute = open_attribute(file_.get(), object, name);
  const Hdf5Handle type = type_handle(attribute ? H5Aget_type(attribute.get()) : -1);
  if (!type || H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()))
    return no_attribute(object, name);
  std::string value(H5Tget_size(type.get()), '\0');
  if (H5Aread(attribute.get(), type.get(), value.data()) < 0) return failed("cannot read the attribute " + name);
  value.resize(std::strlen(value.c_str()));
  return value;
}

Result<long long> Hdf5File::integer_attribute(const std::string& object, const std::string& name) const {
  const Library library;
  const Hdf5Handle attribute = open_attribute(file_.get(), object, name);
  const Hdf5Handle type = type_handle(attribute ? H5Aget_type(attribute.get()) : -1);
  if (!type || H5Tget_class(type.get()) != H5T_INTEGER) return no_attribute(object, name);
  long long value = 0;
  if (H5Aread(attribute.get(), H5T_NATIVE_LLONG, &value) < 0) return failed("cannot read the attribute " + name);
  return value;
}

Result<void> Hdf5File::close() {
  const Library library;
  if (!file_.close()) return failed("cannot close " + path_.string());
  return {};
}

bool is_hdf5(const std::filesystem::path& path) {
  const Library library;
  const htri_t answer = H5Fis_hdf5(path.c_str());
  H5Eclear2(H5E_DEFAULT);
  return answer > 0;
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace noctune
