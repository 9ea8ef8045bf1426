#include "base/hdf5_library.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

// Three habits keep a bad disk from becoming a bad file: every call is checked, the library does no work at
// exit (a failed flush makes it loop there), and files are never locked, for they are private until renamed.

namespace noctune {
namespace hdf5_detail {
namespace {

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex one;
  return one;
}

herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* out) {
  if (error->desc) *static_cast<std::string*>(out) = error->desc;
  return 0;
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
    case Hdf5Kind::int32:
      return type_handle(H5Tcopy(H5T_STD_I32LE));
    case Hdf5Kind::int64:
      return type_handle(H5Tcopy(H5T_STD_I64LE));
    case Hdf5Kind::float64:
      return type_handle(H5Tcopy(H5T_IEEE_F64LE));
    case Hdf5Kind::text:
      return text_type(member.width);
    case Hdf5Kind::enumeration:
      return enumeration_type(member);
  }
  return {};
}

// "file write failed: time = ..., errno = 27, error message = 'File too large', ..." -> "file write failed:
// File too large"
std::string without_details(const std::string& reason) {
  constexpr std::string_view marker = "error message = '";
  const auto message = reason.find(marker), details = reason.find(": time = ");
  if (message == std::string::npos || details == std::string::npos) return reason;
  const auto start = message + marker.size();
  return reason.substr(0, details) + ": " + reason.substr(start, reason.find('\'', start) - start);
}

}  // namespace

Library::Library() : lock_(library_mutex()) {
  static const bool started = [] {
    H5dont_atexit();
    return H5open() >= 0;
  }();
  (void)started;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Failure failed(const std::string& problem) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &reason);
  H5Eclear2(H5E_DEFAULT);
  return fail(problem, "HDF5: " + (reason.empty() ? "no reason given" : without_details(reason)));
}

Hdf5Handle text_type(std::size_t width) {
  Hdf5Handle type = type_handle(H5Tcopy(H5T_C_S1));
  if (type && (H5Tset_size(type.get(), std::max<std::size_t>(width, 1)) < 0 ||
               H5Tset_cset(type.get(), H5T_CSET_UTF8) < 0 || H5Tset_strpad(type.get(), H5T_STR_NULLPAD) < 0))
    return {};
  return type;
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

}  // namespace hdf5_detail

std::size_t Hdf5Member::size() const {
  switch (kind) {
    case Hdf5Kind::int32:
      return 4;
    case Hdf5Kind::int64:
    case Hdf5Kind::float64:
      return 8;
    case Hdf5Kind::text:
      return width;
    case Hdf5Kind::enumeration:
      return 1;
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
  const hdf5_detail::Library library;
  return closer_(std::exchange(id_, -1)) >= 0;
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace noctune
