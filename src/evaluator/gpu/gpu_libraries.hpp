// Vendor libraries that a campaign may allow candidates to use; none by default, since a call to one is an
// answer of another kind than a kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace noctune {

struct VendorLibrary {
  std::string_view backend, name;
  std::string_view headers;  // separated by blanks; "cub/" stands for all below it
  std::string_view links;    // "-lcublas -lcublasLt"; empty for libraries of headers alone
  std::string_view defines;
  std::string_view symbol_start;  // of what it exports; empty: nothing
  std::string_view symbols;       // of the runtime, which its headers call themselves
};

struct AllowedLibraries {
  std::vector<const VendorLibrary*> libraries;
  std::vector<std::string> links, defines;

  bool has(std::string_view name) const;
  bool allows_symbol(std::string_view symbol) const;
  // "libcublas.so.13" of a library that is linked.
  bool allows_file(std::string_view file_name) const;
};

Result<AllowedLibraries> allowed_libraries(const std::string& backend, const std::vector<std::string>& names);

// The library of either backend that an #include of `header` would use without being allowed, or nothing.
const VendorLibrary* library_not_allowed(std::string_view header, const AllowedLibraries& allowed);

// The library of either backend that exports a symbol, or nothing.
const VendorLibrary* library_of_symbol(std::string_view symbol);

}  // namespace noctune
