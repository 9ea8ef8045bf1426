#include "base/hdf5.hpp"

#include <algorithm>
#include <cstring>

#include "base/hdf5_library.hpp"

namespace noctune {
using namespace hdf5_detail;

namespace {

Hdf5Handle access_list() {
  Hdf5Handle list = list_handle(H5Pcreate(H5P_FILE_ACCESS));
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 11, 0))
  if (list) H5Pset_file_locking(list.get(), false, true);
#endif
  return list;
}

Result<void> write_attribute(hid_t file, const std::string& object, const std::string& name, hid_t type,
                             const void* value) {
  const Hdf5Handle target = object_handle(H5Oopen(file, object.c_str(), H5P_DEFAULT));
  const Hdf5Handle space = space_handle(H5Screate(H5S_SCALAR));
  const Hdf5Handle attribute = attribute_handle(
      target && space ? H5Acreate2(target.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT)
                      : -1);
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

Hdf5File::Hdf5File(std::filesystem::path path, Hdf5Handle file)
    : path_(std::move(path)), file_(std::move(file)) {}

Result<Hdf5File> Hdf5File::create(const std::filesystem::path& path) {
  const Library library;
  const Hdf5Handle access = access_list();
  Hdf5Handle file =
      file_handle(access ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()) : -1);
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
  Hdf5Handle set = set_handle(H5Dcreate2(file_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                         creation.get(), H5P_DEFAULT));
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
Result<void> Hdf5File::set_attribute(const std::string& object, const std::string& name,
                                     const std::string& value) {
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
  if (H5Aread(attribute.get(), type.get(), value.data()) < 0)
    return failed("cannot read the attribute " + name);
  value.resize(std::strlen(value.c_str()));
  return value;
}

Result<long long> Hdf5File::integer_attribute(const std::string& object, const std::string& name) const {
  const Library library;
  const Hdf5Handle attribute = open_attribute(file_.get(), object, name);
  const Hdf5Handle type = type_handle(attribute ? H5Aget_type(attribute.get()) : -1);
  if (!type || H5Tget_class(type.get()) != H5T_INTEGER) return no_attribute(object, name);
  long long value = 0;
  if (H5Aread(attribute.get(), H5T_NATIVE_LLONG, &value) < 0)
    return failed("cannot read the attribute " + name);
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

}  // namespace noctune
