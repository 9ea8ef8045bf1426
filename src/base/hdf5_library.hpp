// What the HDF5 sources of base share: the library's lock, its reasons for failing, handles and record types.
// Only base/hdf5*.cpp include this; it shows the C library.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "base/hdf5.hpp"

namespace noctune::hdf5_detail {

static_assert(std::is_same_v<hid_t, long>, "Hdf5Handle keeps identifiers as long");

// Hold one while calling the library: it need not be thread-safe. Keeps it from printing its error stack.
class Library {
 public:
  Library();

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

// The problem with the innermost message of the library's error stack, which holds errno's text.
Failure failed(const std::string& problem);

inline Hdf5Handle file_handle(hid_t id) {
  return {id, H5Fclose};
}
inline Hdf5Handle type_handle(hid_t id) {
  return {id, H5Tclose};
}
inline Hdf5Handle space_handle(hid_t id) {
  return {id, H5Sclose};
}
inline Hdf5Handle set_handle(hid_t id) {
  return {id, H5Dclose};
}
inline Hdf5Handle list_handle(hid_t id) {
  return {id, H5Pclose};
}
inline Hdf5Handle attribute_handle(hid_t id) {
  return {id, H5Aclose};
}
inline Hdf5Handle object_handle(hid_t id) {
  return {id, H5Oclose};
}

// Types as they are stored; an invalid handle on failure.
Hdf5Handle text_type(std::size_t width);
Hdf5Handle record_type(const std::vector<Hdf5Member>& members);

}  // namespace noctune::hdf5_detail
