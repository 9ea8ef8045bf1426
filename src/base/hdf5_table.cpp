#include <algorithm>
#include <cstring>
#include <limits>

#include "base/hdf5_library.hpp"

// Columns are read through a compound type in memory that holds just the wanted ones: the library picks them
// out by name and converts integers and floating-point numbers to eight bytes.

namespace noctune {
using namespace hdf5_detail;

namespace {

constexpr std::size_t read_block = 65536;  // records

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
    case H5T_INTEGER:
      plan.as = As::integer;
      return type_handle(H5Tcopy(H5T_NATIVE_LLONG));
    case H5T_FLOAT:
      plan.as = As::number;
      return type_handle(H5Tcopy(H5T_NATIVE_DOUBLE));
    case H5T_ENUM:
      plan.as = As::name;
      plan.names = enumeration_names(stored);
      plan.size = H5Tget_size(stored);
      return type_handle(H5Tcopy(stored));
    case H5T_STRING:
      plan.as = As::text;
      plan.size = H5Tget_size(stored);
      return H5Tis_variable_str(stored) ? Hdf5Handle() : type_handle(H5Tcopy(stored));
    default:
      return {};
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

// The compound type that holds just these columns in memory, and where each lies in it.
Result<Hdf5Handle> plan_columns(hid_t stored, const std::string& table,
                                const std::vector<std::string>& columns, std::vector<ReadPlan>& plans) {
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
    if (!types.back())
      return fail("cannot read the table " + table, "the column " + column + " has an unknown type");
    size += plan.size;
    plans.push_back(std::move(plan));
  }
  Hdf5Handle memory = type_handle(H5Tcreate(H5T_COMPOUND, std::max<std::size_t>(size, 1)));
  for (std::size_t i = 0; i < plans.size(); ++i)
    if (!memory || H5Tinsert(memory.get(), columns[i].c_str(), plans[i].offset, types[i].get()) < 0)
      return failed("cannot read the table " + table);
  return memory;
}

Result<void> read_part(hid_t set, hid_t memory, hsize_t first, hsize_t count, void* out,
                       const std::string& table) {
  const Hdf5Handle stored = space_handle(H5Dget_space(set));
  const Hdf5Handle wanted = space_handle(H5Screate_simple(1, &count, nullptr));
  if (!stored || !wanted ||
      H5Sselect_hyperslab(stored.get(), H5S_SELECT_SET, &first, nullptr, &count, nullptr) < 0 ||
      H5Dread(set, memory, wanted.get(), stored.get(), H5P_DEFAULT, out) < 0)
    return failed("cannot read the table " + table);
  return {};
}

// Deflate packs at most about 1,000 bytes into one. A damaged header may claim any number of rows, which must
// not fill the memory.
bool can_hold(hid_t set, hid_t type, long long rows) {
  constexpr double best_packing = 1100, spare = 1e6;
  return static_cast<double>(rows) * static_cast<double>(H5Tget_size(type)) <=
         spare + best_packing * static_cast<double>(H5Dget_storage_size(set));
}

}  // namespace

bool Hdf5Columns::has(const std::string& name, Hdf5Kind kind) const {
  switch (kind) {
    case Hdf5Kind::int32:
    case Hdf5Kind::int64:
      return integers_.contains(name);
    case Hdf5Kind::float64:
      return numbers_.contains(name);
    case Hdf5Kind::text:
    case Hdf5Kind::enumeration:
      return texts_.contains(name);
  }
  return false;
}

void Hdf5Columns::set_unknown(const std::string& name, Hdf5Kind kind) {
  switch (kind) {
    case Hdf5Kind::int32:
    case Hdf5Kind::int64:
      integers_[name].assign(rows_, -1);
      break;
    case Hdf5Kind::float64:
      numbers_[name].assign(rows_, std::numeric_limits<double>::quiet_NaN());
      break;
    case Hdf5Kind::text:
      texts_[name].assign(rows_, "");
      break;
    case Hdf5Kind::enumeration:
      texts_[name].assign(rows_, "none");
      break;
  }
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
Result<Hdf5Columns> Hdf5Table::read(const std::vector<std::string>& columns, long long from,
                                    long long most) const {
  const Library library;
  std::vector<ReadPlan> plans;
  const Result<Hdf5Handle> memory = plan_columns(type_.get(), name_, columns, plans);
  if (!memory) return Failure(memory.error());
  const Result<long long> total = rows();
  if (!total) return Failure(total.error());
  if (!can_hold(set_.get(), type_.get(), *total))
    return fail("cannot read the table " + name_, "it claims more rows than its bytes can hold",
                "the file is damaged");
  Hdf5Columns out;
  from = std::clamp(from, 0LL, *total);
  out.rows_ = static_cast<std::size_t>(std::clamp(most, 0LL, *total - from));
  for (const ReadPlan& plan : plans) {
    if (plan.as == ReadPlan::As::integer) out.integers_[plan.column].reserve(out.rows_);
    if (plan.as == ReadPlan::As::number) out.numbers_[plan.column].reserve(out.rows_);
    if (plan.as == ReadPlan::As::text || plan.as == ReadPlan::As::name)
      out.texts_[plan.column].reserve(out.rows_);
  }
  const std::size_t width = H5Tget_size(memory->get());
  std::vector<char> block(std::min(out.rows_, read_block) * width);
  for (std::size_t first = 0; first < out.rows_; first += read_block) {
    const std::size_t count = std::min(read_block, out.rows_ - first);
    const Result<void> done =
        read_part(set_.get(), memory->get(), static_cast<hsize_t>(from) + first, count, block.data(), name_);
    if (!done) return Failure(done.error());
    for (const ReadPlan& plan : plans) {
      const char* at = block.data() + plan.offset;
      const auto add = [&](auto& column, const auto& cell) {
        for (std::size_t i = 0; i < count; ++i, at += width) column.push_back(cell(at));
      };
      switch (plan.as) {
        case ReadPlan::As::integer:
          add(out.integers_[plan.column], load<long long>);
          break;
        case ReadPlan::As::number:
          add(out.numbers_[plan.column], load<double>);
          break;
        case ReadPlan::As::text:
          add(out.texts_[plan.column],
              [&](const char* cell) { return std::string(cell, ::strnlen(cell, plan.size)); });
          break;
        case ReadPlan::As::name:
          add(out.texts_[plan.column], [&](const char* cell) { return name_of(plan, cell); });
          break;
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
  if (!can_hold(set_.get(), H5T_NATIVE_UCHAR, *total))
    return fail("cannot read " + name_, "it claims more bytes than it can hold", "the file is damaged");
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

}  // namespace noctune
