#include "base/hdf5_array.hpp"

#include "base/hdf5_library.hpp"

namespace noctune {

using namespace hdf5_detail;

namespace {

hid_t memory_type(const std::string& element) {
  if (element == "f64") return H5T_NATIVE_DOUBLE;
  if (element == "f32") return H5T_NATIVE_FLOAT;
  if (element == "i8") return H5T_NATIVE_INT8;
  if (element == "u8" || element == "bool") return H5T_NATIVE_UINT8;
  if (element == "i16") return H5T_NATIVE_INT16;
  if (element == "u16") return H5T_NATIVE_UINT16;
  if (element == "i32") return H5T_NATIVE_INT32;
  if (element == "u32") return H5T_NATIVE_UINT32;
  if (element == "i64") return H5T_NATIVE_INT64;
  return element == "u64" ? H5T_NATIVE_UINT64 : -1;
}

bool is_number(hid_t set) {
  const Hdf5Handle type = type_handle(H5Dget_type(set));
  const H5T_class_t kind = H5Tget_class(type.get());
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
}

}  // namespace

Result<std::string> read_hdf5_array(const std::filesystem::path& file, const std::string& dataset,
                                    const std::string& element) {
  const Library library;
  const std::string place = file.string() + ":" + dataset;
  const hid_t type = memory_type(element);
  if (type < 0)
    return fail(place, "elements of type " + element + " cannot be read from HDF5",
                "store them as raw little-endian bytes and name that file");
  const Hdf5Handle opened = file_handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!opened) return failed("cannot open " + file.string());
  const Hdf5Handle set = set_handle(H5Dopen2(opened.get(), dataset.c_str(), H5P_DEFAULT));
  if (!set) return failed("cannot open " + place);
  if (!is_number(set.get())) return fail(place, "it does not hold plain numbers");
  const Hdf5Handle space = space_handle(H5Dget_space(set.get()));
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (count < 0 || count > (1LL << 36)) return fail(place, "it has " + std::to_string(count) + " elements");
  std::string bytes(static_cast<std::size_t>(count) * H5Tget_size(type), '\0');
  if (count > 0 && H5Dread(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    return failed("cannot read " + place);
  return bytes;
}

}  // namespace noctune
