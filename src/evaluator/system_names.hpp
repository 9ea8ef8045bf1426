// Names of functions that have no place in a kernel, and names that a plugin must not bring along.
#pragma once

#include <string>
#include <string_view>

namespace noctune {

// What the undefined symbol deals with ("files", "clocks"), or nothing when a kernel may need it. Variants of
// one function (open64, __open_2, __libc_open) count as the function.
std::string forbidden_subject(std::string_view symbol);

// Whether the name belongs to the C library, the loader or the OpenMP runtime, so that a plugin that defines
// it could get between them and the driver.
bool belongs_to_system(std::string_view symbol);

// Libraries that plugins need without being asked: C and C++ runtimes, OpenMP, mathematics.
bool is_runtime_library(std::string_view file_name);

}  // namespace noctune
